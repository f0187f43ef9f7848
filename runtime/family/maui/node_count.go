package maui

import (
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
)

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
