package maui

import (
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// Procs is how many processors Maui counts of a job. Under NODEACCESSPOLICY SINGLEJOB or SINGLETASK a job that ran
// when the iteration began has all of its nodes; one that waits, or started since, has what it asks for, which under
// SINGLETASK is all processors of the first node for each task (maui.md §9 P8, P21). known is false where no input
// says it.
func Procs(r *evaluation.Result, job int) (procs int64, known bool) {
	asked := r.Jobs.Value("job.procs", job)
	if !givesWholeNodes(r) || r.Snapshot.Nodes == nil || r.Snapshot.Nodes.Rows == 0 {
		return asked.Int, asked.Known()
	}
	names, has := r.Snapshot.Nodes.Column("node.id"), r.Snapshot.Nodes.Column("node.procs")
	if names == nil || has == nil {
		return asked.Int, asked.Known()
	}
	own := Of(r)
	if own.wholeProcs == nil {
		own.wholeProcs = procsOfNodes(r.Jobs, names, has)
	}
	if n := own.wholeProcs[job]; n > 0 {
		return n, true
	}
	if tasks := r.Jobs.Value("job.tasks", job); nodeAccess(r) == "SINGLETASK" && tasks.Known() && column.Known(has, 0) {
		return tasks.Int * has.Ints[0], true
	}
	return asked.Int, asked.Known()
}

// givesWholeNodes reports a policy under which the nodes of a job are its own.
func givesWholeNodes(r *evaluation.Result) bool {
	access := nodeAccess(r)
	return access == "SINGLEJOB" || access == "SINGLETASK"
}

func nodeAccess(r *evaluation.Result) string {
	if r.Program.Plan == nil || r.Program.Plan.Maui == nil {
		return ""
	}
	return r.Program.Plan.Maui.Access
}

// procsOfNodes are the processors of all nodes of each job that runs; 0 where that is not known.
func procsOfNodes(jobs *column.Table, names, has *column.Column) []int64 {
	procs := map[string]int64{}
	for node := range has.Len() {
		if column.Known(has, node) {
			procs[names.Dict[names.Codes[node]]] = has.Ints[node]
		}
	}
	out := make([]int64, jobs.Rows)
	for job := range out {
		if state := jobs.Text("job.state", job); state != "running" && state != "completing" {
			continue
		}
		seen := map[string]bool{}
		for _, host := range jobs.Value("job.allocated_hosts", job).List {
			if !seen[host] {
				seen[host] = true
				out[job] += procs[host]
			}
		}
	}
	return out
}

// withNodesHeld is what jobs are scored by: of a job that runs in Maui's second iteration or a later one, the number
// of nodes it has takes the place of the number that it asked for (maui.md §9 P10). Limits go on with what was asked.
func withNodesHeld(r *evaluation.Result, rows *column.Table, previous *checkpoint.Checkpoint) *column.Table {
	hosts := r.Jobs.Column("job.allocated_hosts")
	if previous == nil || hosts == nil {
		return rows
	}
	known := map[string]bool{}
	for i := range previous.Jobs {
		known[previous.Jobs[i].ID] = true
	}
	held := &column.Column{ID: "job.nodes", Type: schema.Int, Ints: make([]int64, rows.Rows)}
	if asked := rows.Column(held.ID); asked != nil {
		copy(held.Ints, asked.Ints)
		held.Missing = slices.Clone(asked.Missing)
	} else {
		for row := range rows.Rows {
			held.Missing.Set(row)
		}
	}
	changed := false
	for row, job := range r.RowJob {
		list := hosts.Value(int(job)).List
		if len(list) == 0 || !known[r.JobID(int(job))] || evaluation.RecordedState(r.Jobs, int(job)) != checkpoint.Running {
			continue
		}
		list = slices.Clone(list)
		slices.Sort(list)
		held.Ints[row], changed = int64(len(slices.Compact(list))), true
		held.Missing.Clear(row)
	}
	if !changed {
		return rows
	}
	out := column.NewTable(rows.Name, rows.Rows)
	for _, c := range rows.Columns() {
		out.Put(c)
	}
	out.Put(held)
	return out
}
