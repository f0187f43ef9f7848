package derive

import (
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/rank"
)

// SubmitRank numbers the jobs by submit time, then by order in the snapshot.
func SubmitRank(jobs *column.Table, before *evaluation.Earlier) *column.Column {
	const id, by = "job.submit_rank", "job.submit_time"
	submit := jobs.Column(by)
	if before != nil && before.InPlace() && before.Jobs.Column(by) == submit {
		return before.Jobs.Column(id)
	}
	order := make([]int32, jobs.Rows)
	for job := range order {
		order[job] = int32(job)
	}
	if submit != nil {
		// ^ turns the order round without overflow
		order = rank.Falling(order, func(job int) int64 { return ^submit.Ints[job] })
	}
	out := &column.Column{ID: id, Type: schema.Int, Ints: make([]int64, jobs.Rows)}
	for rank, job := range order {
		out.Ints[job] = int64(rank)
	}
	return out
}
