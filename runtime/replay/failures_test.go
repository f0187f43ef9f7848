package replay

import (
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/replay/outage"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// drawnOutages are some of the nodes of a machine, while a workload is submitted and after.
func drawnOutages(draw *rand.Rand, nodes *column.Table, w *Workload) (list []outage.Outage) {
	first, last := w.Jobs[0].Submit, w.Jobs[len(w.Jobs)-1].Submit
	for range 1 + draw.IntN(6) {
		var names []string
		for range 1 + draw.IntN(2) {
			names = append(names, nodes.Text("node.id", draw.IntN(nodes.Rows)))
		}
		o := outage.Outage{Nodes: slices.Compact(names), Down: draw.IntN(3) > 0,
			From: first - 100 + draw.Int64N(last-first+3000)}
		if o.To = o.From + 1 + draw.Int64N(4000); draw.IntN(8) == 0 {
			o.To = 0
		}
		list = append(list, o)
	}
	return list
}

// TestOutages: no job starts on a node that is out, and none runs on where it is down. What is not lost runs in full.
func TestOutages(t *testing.T) {
	rounds := 2
	if os.Getenv("FAIRWAY_LONG") != "" {
		rounds = 40
	}
	for _, c := range []struct {
		name    string
		program *program.Program
		slack   int64 // seconds until the scheduler sees it
		slurm   bool
	}{
		{"scratch", benchProgram(t, lower.HCL, easyText), 0, false},
		{"windows", benchProgram(t, lower.HCL, windowsText), 0, false},
		{"maui", benchProgram(t, lower.Maui, mauiText), 60, false},
		{"slurm", benchProgram(t, "", moreSlurmText, slurmDump()), 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			draw := rand.New(rand.NewPCG(7, 22))
			requeued := 0
			for range rounds {
				machine := &snapshot.Snapshot{Nodes: benchNodes(t, 4, 4).Nodes}
				if c.slurm {
					machine.Nodes = ConfiguredNodes(c.program)
				}
				w := drawnRun(draw, 25, c.slurm)
				list := drawnOutages(draw, machine.Nodes, w)
				r, err := Run(c.program, machine, w, Options{Outages: list})
				if err != nil {
					t.Fatal(err)
				}
				requeued += r.Failures.Requeued
				for i := range r.Outcomes {
					checkOutages(t, r, &r.Outcomes[i], list, c.slack)
				}
			}
			if requeued == 0 {
				t.Error("no node failed under a job: the test tests little")
			}
		})
	}
}

func checkOutages(t *testing.T, r *Result, o *Outcome, list []outage.Outage, slack int64) {
	t.Helper()
	runs := slices.Clone(o.Earlier)
	if o.By != "" {
		runs = append(runs, Attempt{o.Start, o.End, o.By, o.Nodes})
		if !o.Cancelled && o.End-o.Start < o.Seconds {
			t.Errorf("job %s runs for %d s, not for %d s", o.ID, o.End-o.Start, o.Seconds)
		}
	}
	for _, run := range runs {
		for i := range list {
			x := &list[i]
			on := slices.ContainsFunc(run.Nodes, func(n backfill.Share) bool { return slices.Contains(x.Nodes, r.Nodes[n.Node]) })
			ends := x.To != 0 && run.Start >= x.To
			switch {
			case !on || ends || run.End <= x.From+slack:
			case run.Start >= x.From || x.Down:
				t.Errorf("job %s runs from %d to %d on %v, which is out from %d to %d", o.ID, run.Start, run.End, x.Nodes, x.From,
					x.To)
			}
		}
	}
}
