package engine

import (
	"testing"

	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// BenchmarkBlocked evaluates a long queue of which throttles leave little: nearly every job is refused in
// both walks and gets a reason.
func BenchmarkBlocked(b *testing.B) {
	const jobs = 200_000
	s := queueOf(jobs)
	p := benchProgram(b, lower.Maui, benchMaui+`USERCFG[DEFAULT] MAXIJOB=2 MAXPROC=64
GROUPCFG[DEFAULT] MAXPROC=2000
JOBPRIOACCRUALPOLICY FULLPOLICY
FSPOLICY DEDICATEDPS
`).Fused
	b.ReportAllocs()
	for b.Loop() {
		r, err := Run(p, s, evaluation.Options{Workers: 1})
		if err != nil {
			b.Fatal(err)
		}
		blocked := 0
		for _, state := range r.State {
			if state == evaluation.Blocked {
				blocked++
			}
		}
		if blocked < jobs*9/10 {
			b.Fatalf("only %d jobs are blocked", blocked)
		}
	}
}
