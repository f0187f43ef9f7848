package replay

import (
	"math/rand/v2"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

const soleSlurmText = `
ClusterName=c
SlurmctldHost=c
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageEnforce=associations,limits,qos
SchedulerType=sched/backfill
SchedulerParameters=bf_window=4320,bf_continue
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PriorityType=priority/multifactor
PriorityWeightFairshare=100000
PriorityWeightAge=10000
PriorityDecayHalfLife=0-1
NodeName=n[1-4] CPUs=4 Sockets=1 CoresPerSocket=4
PartitionName=main Nodes=ALL Default=YES MaxTime=7-0 PriorityTier=1
PartitionName=urgent Nodes=n[1-2] MaxTime=7-0 PriorityTier=5
`

// TestFruitless: a replay that plans no pass which can start nothing is that in which all are planned.
func TestFruitless(t *testing.T) {
	draw, rounds := rand.New(rand.NewPCG(22, 33)), 1
	if os.Getenv("FAIRWAY_LONG") != "" {
		rounds = 40
	}
	p := benchProgram(t, "", soleSlurmText, slurmDump())
	planned, all := 0, 0
	for range rounds {
		w := drawnRun(draw, 30, true)
		play := func(general bool) string {
			r, err := Run(p, &snapshot.Snapshot{Nodes: ConfiguredNodes(p)}, w, Options{general: general})
			if err != nil {
				t.Fatal(err)
			}
			return told(r)
		}
		if diff := cmp.Diff(play(true), play(false)); diff != "" {
			t.Fatalf("every pass -, some left out +\n%s", diff)
		}
		some, looks := passesOf(t, w)
		planned, all = planned+some, all+looks
	}
	if planned == 0 || planned == all {
		t.Errorf("%d of %d passes and cycles are planned: the workloads show nothing", planned, all)
	}
}

// passesOf counts the passes of a replay, and those of them that are planned.
func passesOf(t *testing.T, w *Workload) (planned, all int) {
	t.Helper()
	p := benchProgram(t, "", soleSlurmText, slurmDump())
	r := &run{program: p, workload: w, findings: map[string]bool{}, pace: evaluation.Pace{Ticks: true},
		out: &Result{Begin: w.Jobs[0].Submit, Workload: w, Outcomes: make([]Outcome, len(w.Jobs))}}
	r.options.Context = t.Context()
	for i := range w.Jobs {
		r.out.Outcomes[i].Job = &w.Jobs[i]
	}
	if err := r.begin(&snapshot.Snapshot{Nodes: ConfiguredNodes(p)}); err != nil {
		t.Fatal(err)
	}
	c, err := r.controller()
	if err != nil {
		t.Fatal(err)
	}
	for looks := 0; c.next(); {
		if err := c.happen(); err != nil {
			t.Fatal(err)
		}
		if r.looks > looks {
			all, looks = all+1, r.looks
			if c.owed == nil {
				planned++
			}
		}
	}
	return planned, all
}
