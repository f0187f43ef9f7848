package diff_test

import (
	"io"
	"testing"

	"github.com/fairway-sched/fairway/compiler/diff"
	"github.com/fairway-sched/fairway/lang/source"
)

// FuzzPolicies compares any two policies: a policy with itself has no differences, and the same number of
// differences are found the other way round.
func FuzzPolicies(f *testing.F) {
	const slurm = "ClusterName=c\nSlurmctldHost=h\nPriorityType=priority/multifactor\nNodeName=n1 " +
		"CPUs=4\nPartitionName=p Nodes=n1 MaxTime=60\n"
	const hcl = "policy \"s\" {\n  component \"a\" {\n    term \"q\" { factor = \"job.queue_minutes\" }\n  }\n}\n"
	f.Add(slurm, slurm+"PriorityWeightAge=100\nAccountingStorageEnforce=limits\n")
	f.Add("QUEUETIMEWEIGHT 10\nUSERCFG[DEFAULT] MAXJOB=4\n",
		"QUEUETIMEWEIGHT 20\nUSERCFG[amy] MAXJOB=4,6 PRIORITY=5\nFSPOLICY DEDICATEDPS\n")
	f.Add("QUEUETIMEWEIGHT 10\n", slurm)
	f.Add(hcl, "policy \"s\" {\n  component \"b\" {\n    term \"q\" {\n      factor = \"job.queue_minutes\"\n      cap "+
		"= 9\n    }\n  }\n  hold \"h\" {\n    when = \"job.procs > 4\"\n    reason = \"r\"\n  }\n}\n")
	f.Add("Cluster - 'c'\nParent - 'root'\nAccount - 'a':Fairshare=3\n",
		"Cluster - 'c'\nParent - 'root'\nAccount - 'b':Fairshare=parent\n")
	f.Fuzz(func(t *testing.T, first, second string) {
		x, y := policy(t, "", source.NewFile("first", []byte(first))), policy(t, "", source.NewFile("second", []byte(second)))
		if x == nil || y == nil {
			return
		}
		if r := diff.Policies(x.Policy, x.Policy); len(r.Differences) > 0 {
			t.Errorf("a policy differs from itself: %+v", r.Differences[0])
		}
		there, back := diff.Policies(x.Policy, y.Policy), diff.Policies(y.Policy, x.Policy)
		if there.Effective() != back.Effective() {
			t.Errorf("%d differences, and %d the other way", there.Effective(), back.Effective())
		}
		if err := there.WriteText(io.Discard); err != nil {
			t.Error(err)
		}
		there.Settings()
	})
}
