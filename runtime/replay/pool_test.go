package replay

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// TestPoolIsGeneral: what plays EASY on one pool comes to what the general way does: every start, its order, who
// started it and where, with jobs beyond their limits, jobs of one time, and jobs that are too large.
func TestPoolIsGeneral(t *testing.T) {
	p := benchProgram(t, lower.HCL, easyText)
	draw := rand.New(rand.NewPCG(22, 11))
	for round := range 90 {
		procs := 1 + draw.Int64N(24)
		b, at := column.NewBuilder("job"), int64(1000)
		for k := range 1 + draw.IntN(60) {
			at += draw.Int64N(3) * draw.Int64N(120)
			limit := 1 + draw.Int64N(1500)
			b.Row()
			b.String("job.id", fmt.Sprint(k+1))
			b.String("job.user", fmt.Sprint("u", draw.IntN(4)))
			b.Time("job.submit_time", at)
			each := int64(1)
			if round%3 == 0 {
				each = 1 + draw.Int64N(3)
				b.Int("job.procs_per_task", each)
				b.String("job.dependency", "")
			}
			b.Int("job.procs", each*(1+draw.Int64N(max(1, procs/each))+draw.Int64N(40)/38*draw.Int64N(30)))
			b.Int("job.walltime_seconds", limit)
			b.Int("job.runtime_seconds", 1+draw.Int64N(limit)+draw.Int64N(5)/4*draw.Int64N(900))
		}
		w := NewWorkload(b.Table(), Selection{Runtime: Recorded})
		play := func(general bool) string {
			r, err := Run(p, &snapshot.Snapshot{}, w,
				Options{Evaluation: evaluation.Options{Procs: procs}, general: general})
			if err != nil {
				t.Fatal(err)
			}
			var text strings.Builder
			fmt.Fprintln(&text, r.Begin, r.End, r.Started, r.Nodes, r.Procs, len(r.Findings), len(r.Report()))
			for i := range r.Outcomes {
				o := &r.Outcomes[i]
				fmt.Fprintln(&text, *o.Job, o.Start, o.End, o.By, o.Nodes, o.Never, o.Cancelled)
			}
			return text.String()
		}
		if diff := cmp.Diff(play(true), play(false)); diff != "" {
			t.Fatalf("round %d, %d processors: general -, pool +\n%s", round, procs, diff)
		}
	}
}

// TestPooled: only policies whose queue keeps its order are played so.
func TestPooled(t *testing.T) {
	for factor, want := range map[string]bool{
		"double(job.queue_seconds)":                           true,
		"2.0 * double(job.queue_seconds) / 60.0":              true,
		"double(job.queue_seconds) - 3.0":                     false,
		"-1.0 * double(job.queue_seconds)":                    false,
		"double(job.procs)":                                   false,
		"job.queue_seconds > 60 ? 1.0 : 0.0":                  false,
		"job.user == 'ann' ? 1.0 : double(job.queue_seconds)": false,
	} {
		text := strings.Replace(easyText, "double(job.queue_seconds)", factor, 1)
		if got := firstComeFirst(benchProgram(t, lower.HCL, text)); got != want {
			t.Errorf("%s: the order is kept: %t", factor, got)
		}
	}
	limited := strings.Replace(easyText, "backfill {", "user \"ann\" {\n limit \"jobs\" { hard = 3 }\n }\n backfill {", 1)
	if firstComeFirst(benchProgram(t, lower.HCL, limited)) {
		t.Error("a policy with limits needs more")
	}
}
