package slurm

import (
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
)

// keepPriorities puts the priorities that the last evaluation stored in the place of those that the
// snapshot recorded: with INCR_ONLY a pending job's never falls below its own, not below that of
// the policy in force. One that was set by hand is the snapshot's.
func keepPriorities(t *column.Table, p *program.Program, previous *checkpoint.Checkpoint) {
	if p.Tree == nil || !p.Tree.IncrOnly || previous == nil {
		return
	}
	known := evaluation.KnownJobs(previous)
	given := t.Column("job.recorded_priority")
	out := &column.Column{ID: "job.recorded_priority", Type: schema.Int, Ints: make([]int64, t.Rows)}
	for i := range t.Rows {
		before := known[t.Text("job.id", i)]
		switch {
		case before != nil && before.Priority > 0 && before.SubmitTime == t.Int("job.submit_time", i) &&
			evaluation.RecordedState(t, i) == checkpoint.Pending && t.Int("job.direct_priority", i) == 0:
			out.Ints[i] = before.Priority
		case column.Known(given, i):
			out.Ints[i] = given.Ints[i]
		default:
			out.Missing.Set(i)
		}
	}
	t.Put(out)
}
