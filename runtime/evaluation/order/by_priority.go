package order

import (
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/rank"
)

// ByPriority are all jobs by the falling priorities of their first rows; equal ones are in the order of the snapshot.
// What fails or does not wait is in it too. It is sorted once for all who ask.
func ByPriority(run *evaluation.Run) []int32 {
	if run.Sorted == nil {
		priority := run.Priority
		if !single(run.Result) {
			priority = make([]int64, run.Jobs.Rows)
			for job, row := range run.JobRow {
				priority[job] = run.Priority[row]
			}
		}
		run.Sorted = rank.Descending(priority)
	}
	return run.Sorted
}

// single reports that each job has one row, which is that of its number.
func single(r *evaluation.Result) bool { return len(r.RowJob) == r.Jobs.Rows }
