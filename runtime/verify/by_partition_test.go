package verify_test

import (
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/verify"
)

const twoPartitions = `ClusterName=c
SlurmctldHost=head
PriorityType=priority/multifactor
PriorityWeightPartition=1000
NodeName=n[1-4] CPUs=16
PartitionName=batch Nodes=n[1-4] PriorityJobFactor=4
PartitionName=fast Nodes=n[1-4] PriorityJobFactor=1
`

// The priorities that squeue --json has of each partition of a job are compared.
func TestByPartition(t *testing.T) {
	out := compiler.Compile(compiler.Input{Options: lower.Options{Version: "25.11"},
		Files: []*source.File{source.NewFile("slurm.conf", []byte(twoPartitions))}})
	if out.Program == nil {
		t.Fatal(format(out.Diags))
	}
	for printed, different := range map[string]int{"250": 0, "251": 1} {
		q := &queue{t: t, program: out.Program}
		q.read(fstest.MapFS{"squeue.json": {Data: []byte(`{"meta": {"slurm": {"version": {"major": "25", "micro": "7", "minor": "11"}}}, "last_update": {"number": 1700000000, "set": true}, "jobs": [
{"job_id": 7, "user_name": "amy", "job_state": ["PENDING"], "partition": "batch,fast", "submit_time": {"number": 1699990000, "set": true}, "cpus": {"number": 1, "set": true},
 "priority": {"number": 1000, "set": true}, "priority_by_partition": [{"partition": "batch", "priority": 1000}, {"partition": "fast", "priority": ` + printed + `}]}]}`)}})
		r := q.compare(verify.Options{})
		found := false
		for _, c := range r.Checks {
			if c.Name == "priority by partition" {
				found = true
				if c.Compared != 2 || c.Different != different {
					t.Errorf("printed %s: %d of %d numbers differ, want %d of 2", printed, c.Different, c.Compared, different)
				}
			}
		}
		if !found {
			t.Errorf("the priorities by partition are not compared: %+v", r.Checks)
		}
	}
}
