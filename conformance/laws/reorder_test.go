package laws

import (
	"io/fs"
	"slices"
	"testing"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/conformance/recordedtest"
	"github.com/fairway-sched/fairway/conformance/slurmrun"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// TestReorder: the order that a queue would have without a term is that of a policy which does not weigh it,
// compiled and run from the beginning.
func TestReorder(t *testing.T) {
	var alike, other int
	check := func(t *testing.T, in compiler.Input, s *snapshot.Snapshot) {
		out := compiler.Compile(in)
		if out.Diags.HasErrors() {
			t.Fatal(out.Diags)
		}
		r := recordedtest.Evaluate(t, out.Program, s)
		for ci := range out.Policy.Components {
			for ti, term := range out.Program.Components[ci].Terms {
				if term.Factor.Reg == program.NoReg {
					continue
				}
				without := compiler.WithoutTerm(out.Policy, ci, ti)
				got, err := engine.Reorder(r, without)
				if err != nil {
					t.Fatal(err)
				}
				// Who waits depends on limits, and they are asked in the order of priorities: only who
				// waits in both is compared.
				again := recordedtest.Evaluate(t, without, s)
				if a, b := ranked(got, again), ranked(again.Order, r); !slices.Equal(a, b) {
					t.Errorf("without %s: %v, run anew %v", term.Name, a, b)
				}
				if slices.Equal(got, r.Order) {
					alike++
				} else {
					other++
				}
			}
		}
	}
	t.Run("maui", func(t *testing.T) {
		for _, c := range recordedtest.Copies(t, "maui") {
			t.Run(c.Name, func(t *testing.T) {
				played := recordedtest.OpenMaui(t, c.Name, c.Files)
				for p, err := range played.Play() {
					if err != nil {
						t.Fatal(err)
					}
					conf, err := fs.ReadFile(c.Files, "maui.cfg")
					if err != nil {
						t.Fatal(err)
					}
					check(t, compiler.Input{Lang: lower.Maui, Files: []*source.File{source.NewFile("maui.cfg", conf)}},
						p.Result.Snapshot)
					return
				}
			})
		}
	})
	t.Run("slurm", func(t *testing.T) {
		recordedtest.EachSlurm(t, recordedtest.Copies(t, "slurm"), func(t *testing.T, r *slurmrun.Run) {
			s := &r.Snapshots[0]
			conf, err := r.Conf(s)
			if err != nil {
				t.Fatal(err)
			}
			dump, err := r.Dump()
			if err != nil {
				t.Fatal(err)
			}
			snap, err := r.Read(s, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			check(t, compiler.Input{Files: []*source.File{conf, dump}, Options: lower.Options{Version: r.Branch()}}, snap)
		})
	})
	if alike == 0 || other == 0 {
		t.Errorf("%d terms move no job, %d move some: there is nothing to compare", alike, other)
	}
}

// ranked are the jobs of an order that another result ranks too.
func ranked(order []int32, also *evaluation.Result) (list []int32) {
	for _, job := range order {
		if also.Rank[job] > 0 {
			list = append(list, job)
		}
	}
	return list
}
