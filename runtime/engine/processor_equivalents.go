package engine

import (
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// processorEquivalents fills job.processor_equivalents where the snapshot does not state it:
// tasks times the largest share that a task has of any of the cluster's resources, times
// the cluster's processors. Shares of what the job does not ask for or the cluster does not have
// are left out (Maui manual 3.2 and 5.1.2). Without nodes there is nothing to fill in.
func processorEquivalents(t *column.Table, p *program.Program, s *snapshot.Snapshot) {
	const id = "job.processor_equivalents"
	procs, known := clusterTotal(settingsOf(p)["cluster.procs"], s.Nodes, "cluster.procs")
	if !known {
		return
	}
	resources := []struct {
		job, cluster schema.ColumnID
		total        float64
	}{
		{job: "job.procs_per_task", cluster: "cluster.procs"}, {job: "job.mem_per_task_mb", cluster: "cluster.mem_mb"},
		{job: "job.disk_per_task_mb", cluster: "cluster.disk_mb"}, {job: "job.swap_per_task_mb", cluster: "cluster.swap_mb"},
	}
	for i := range resources {
		total, _ := clusterTotal(settingsOf(p)[resources[i].cluster], s.Nodes, resources[i].cluster)
		resources[i].total = float64(total)
	}
	given, tasks := t.Column(id), t.Column("job.tasks")
	out := &column.Column{ID: id, Type: schema.Double, Doubles: make([]float64, t.Rows)}
	for i := range out.Doubles {
		if given != nil && !given.Missing.Get(i) {
			out.Doubles[i] = given.Doubles[i]
			continue
		}
		if procs <= 0 {
			continue
		}
		share, ok := 0.0, tasks != nil && !tasks.Missing.Get(i)
		for _, r := range resources {
			if r.total <= 0 {
				continue
			}
			switch c := t.Column(r.job); {
			case c != nil && !c.Missing.Get(i):
				share = max(share, float64(c.Ints[i])/r.total)
			case schema.Lookup(r.job).Absent != schema.AbsentZero:
				ok = false
			}
		}
		if !ok {
			out.Missing.Set(i)
			continue
		}
		out.Doubles[i] = float64(tasks.Ints[i]) * share * float64(procs)
	}
	t.Put(out)
}

// clusterTotal is what the policy's node records say of a column, else its sum over all configured
// nodes, down and drained ones included; false if there are neither.
func clusterTotal(set *program.Setting, nodes *column.Table, id schema.ColumnID) (total int64, known bool) {
	switch {
	case set != nil && set.Others != nil:
		return set.Others.Value.Int, true
	case nodes == nil:
		return 0, false
	case id.Name() == "nodes":
		return int64(nodes.Rows), true
	}
	if c := nodes.Column(schema.ColumnID("node." + id.Name())); c != nil {
		for i, v := range c.Ints {
			if !c.Missing.Get(i) {
				total += v
			}
		}
	}
	return total, true
}
