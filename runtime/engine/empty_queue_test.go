package engine_test

import (
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/planning"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// TestEmptyQueue: a queue without jobs is evaluated and planned with any policy, whatever columns its table has, also
// in the iteration after.
func TestEmptyQueue(t *testing.T) {
	queues := map[string]*snapshot.Snapshot{}
	for what, jobs := range map[string]string{"of no rows": "[]", "of null": "null"} {
		files := fstest.MapFS{"queue.json": {Data: []byte(`{"format_version":1,"now":1700000000,"nodes":[{"id":"n1","procs":8,"up":true}],"jobs":` + jobs + `}`)}}
		s, diags, err := snapshot.Read(files, []string{"queue.json"}, snapshot.Options{})
		if err != nil || len(diags) > 0 {
			t.Fatal(err, diags)
		}
		queues[what] = s
		bare := *s
		bare.Jobs = column.NewBuilder("jobs").Table()
		queues["without columns"] = &bare
	}
	term := "  component \"q\" {\n    weight = 1\n    term \"t\" {\n      weight = 1\n      factor = " +
		"\"double(job.procs)\"\n    }\n  }\n"
	for name, text := range map[string]string{
		"maui.cfg": "SERVERHOST h\nQUEUETIMEWEIGHT 1\nFSPOLICY DEDICATEDPS\nFSWEIGHT 1\nFSUSERWEIGHT " +
			"1\nUSERCFG[DEFAULT] MAXJOB=2 FSTARGET=10\n",
		"slurm.conf":      "ClusterName=c\nSlurmctldHost=h\nAccountingStorageType=accounting_storage/slurmdbd\nAccountingStorageEnforce=limits,qos\nPriorityType=priority/multifactor\nPriorityWeightAge=1000\nPriorityWeightFairshare=1000\nNodeName=n[1-2] CPUs=4\nPartitionName=p Nodes=n[1-2] Default=YES MaxTime=60\n",
		"own.fairway.hcl": "policy \"own\" {\n  user \"DEFAULT\" {\n    limit \"jobs\" { hard = 1 }\n  }\n" + term + "}\n",
	} {
		out := compiler.Compile(compiler.Input{Files: []*source.File{source.NewFile(name, []byte(text))}})
		if out.Diags.HasErrors() {
			t.Fatal(out.Diags[0].Message)
		}
		for what, s := range queues {
			t.Run(name+" "+what, func(t *testing.T) {
				o := evaluation.Options{KeepState: true, Plan: out.Program.Family == "maui"}
				for range 2 {
					r := run(t, out.Program, s, o)
					for _, native := range []bool{false, true} {
						plan, err := engine.Plan(r, planning.Options{Native: native, Procs: 8})
						if err != nil || len(plan.Placements) > 0 {
							t.Error(err, plan)
						}
					}
					o.Previous = r.Next()
				}
			})
		}
	}
}
