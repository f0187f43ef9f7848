package planning_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/planning"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

const deep = `policy "p" {
  component "wait" {
    weight = 1
    term "minutes" { factor = "job.queue_minutes" }
  }
  backfill {
    algorithm         = "firstfit"
    reservation_depth = %d
  }
}
`

// drawPool is a queue for one pool of 16 processors, in which some jobs are too large, held or wait for another.
func drawPool(draw *rand.Rand) *snapshot.Snapshot {
	const now = 1_700_000_000
	b := column.NewBuilder("job")
	free := int64(16)
	for k := range 2 + draw.IntN(25) {
		b.Row()
		b.String("job.id", fmt.Sprint(100+k))
		b.Time("job.submit_time", int64(now-1000+k))
		procs := 1 + draw.Int64N(9)
		b.Int("job.walltime_seconds", 60+draw.Int64N(3000))
		if k < 4 && procs <= free {
			free -= procs
			b.String("job.state", "running")
			b.Time("job.start_time", now-draw.Int64N(50))
			b.Int("job.procs", procs)
			continue
		}
		b.String("job.state", "pending")
		switch draw.IntN(12) {
		case 0:
			procs = 17
		case 1:
			b.Bool("job.held", true)
		case 2:
			b.Time("job.begin_time", now+500)
		case 3:
			b.String("job.dependency", fmt.Sprint("afterok:", 100+draw.IntN(k+1)))
		case 4:
			b.Int("job.nodes", 2) // there is one
		}
		b.Int("job.procs", procs)
	}
	return &snapshot.Snapshot{Now: now, Jobs: b.Table()}
}

// TestStartsOnly: a plan of who starts now has the starts and the reservations of the whole plan.
func TestStartsOnly(t *testing.T) {
	draw, starts, reserved := rand.New(rand.NewPCG(22, 6)), 0, 0
	for _, depth := range []int{1, 2, 3} {
		out := compiler.Compile(compiler.Input{Lang: lower.HCL,
			Files: []*source.File{source.NewFile("p.hcl", fmt.Appendf(nil, deep, depth))}})
		if out.Program == nil {
			t.Fatal(out.Diags[0].Message)
		}
		for range 150 {
			s := drawPool(draw)
			var texts []string
			for _, startsOnly := range []bool{false, true} {
				r, err := engine.Run(out.Program, s, evaluation.Options{Workers: 1, Procs: 16})
				if err != nil {
					t.Fatal(err)
				}
				plan, err := engine.Plan(r, planning.Options{Native: true, Procs: 16, StartsOnly: startsOnly})
				if err != nil {
					t.Fatal(err)
				}
				var text strings.Builder
				fmt.Fprintln(&text, plan.Started)
				for i := range plan.Placements {
					if p := &plan.Placements[i]; p.By != backfill.ByNone && p.By != backfill.ByEstimate {
						fmt.Fprintln(&text, p.Job, p.By, p.Start, p.End, p.Nodes)
					}
					if plan.Placements[i].By == backfill.ByReservation {
						reserved++
					}
				}
				starts += len(plan.Started)
				texts = append(texts, text.String())
			}
			if texts[0] != texts[1] {
				t.Fatalf("depth %d, the whole plan:\n%s\nwho starts now:\n%s", depth, texts[0], texts[1])
			}
		}
	}
	if starts < 500 || reserved < 500 {
		t.Errorf("%d starts and %d reservations: the queues show nothing", starts, reserved)
	}
}
