package evaluation

import (
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// Clock is what Maui remembers of each job from one iteration to the next, and what queue
// time follows from it. Slices have an entry per job.
type Clock struct {
	Now   int64
	Queue *program.Queue // nil: nothing moves the clock but its columns

	submitted []int64       // when the job was submitted, or since when the snapshot says that it has waited
	Start     []int64       // from when queue time counts (SystemQueueTime)
	Eligible  []int64       // queue time when the job last passed a selection (EffQueueDuration); 0: never
	Bypass    []int64       // how often backfill let another job overtake it
	OverSoft  []bool        // it runs beyond a soft limit
	FirstSeen []int64       // epoch seconds
	unknown   column.Bitmap // jobs whose submit time no input states
}

// NewClock starts the clocks where the last iteration left them. A job that it did not know
// has waited since it was submitted; under PBS since the server found it eligible (etime), if that
// is later, also when it was known (MPBSJobUpdate).
func NewClock(p *program.Program, snap *snapshot.Snapshot, previous *checkpoint.Checkpoint) *Clock {
	jobs, now := snap.Jobs, snap.Now
	n := jobs.Rows
	c := &Clock{Now: now, Queue: p.Queue, submitted: make([]int64, n), Start: make([]int64, n), Eligible: make([]int64, n),
		Bypass: make([]int64, n), OverSoft: make([]bool, n), FirstSeen: make([]int64, n)}
	known := KnownJobs(previous)
	stated, submit := jobs.Column("job.queue_start_time"), jobs.Column("job.submit_time")
	var etime *column.Column
	if snap.Manner().EligibleTimeQueues {
		etime = jobs.Column("job.eligible_time")
	}
	bypass, overSoft := jobs.Column("job.bypass_count"), jobs.Column("job.soft_policy_violation")
	for i := range n {
		switch {
		case column.Known(stated, i):
			c.submitted[i] = stated.Ints[i]
		case column.Known(submit, i):
			c.submitted[i] = submit.Ints[i]
		default:
			c.unknown.Set(i)
		}
		c.Start[i], c.FirstSeen[i] = c.submitted[i], now
		if previous != nil {
			if before := known[jobs.Text("job.id", i)]; before != nil && before.SubmitTime == column.IntAt(submit, i) {
				c.resume(i, before, jobs)
			}
		}
		if column.Known(etime, i) {
			c.Start[i] = max(c.Start[i], etime.Ints[i])
		}
		if column.Known(bypass, i) {
			c.Bypass[i] = bypass.Ints[i]
		}
		if column.Known(overSoft, i) {
			c.OverSoft[i] = overSoft.Ints[i] != 0
		}
	}
	return c
}

// After is a clock that begins like this one, for jobs that are not touched with what has become of the earlier clock.
// It may be the earlier one itself.
func (c *Clock) After(e *Earlier) *Clock {
	then, out := e.Clock, *c
	if c == then {
		return c
	}
	out.Start, out.Eligible = Carried(e, then.Start), Carried(e, then.Eligible)
	out.Bypass, out.OverSoft = Carried(e, then.Bypass), Carried(e, then.OverSoft)
	for _, job := range e.Touched {
		out.Start[job], out.Eligible[job] = c.Start[job], c.Eligible[job]
		out.Bypass[job], out.OverSoft[job] = c.Bypass[job], c.OverSoft[job]
	}
	return &out
}

func KnownJobs(previous *checkpoint.Checkpoint) map[string]*checkpoint.Job {
	m := map[string]*checkpoint.Job{}
	if previous != nil {
		for i := range previous.Jobs {
			m[previous.Jobs[i].ID] = &previous.Jobs[i]
		}
	}
	return m
}

// resume takes over what was known of a job. One that waits again although it ran or was held
// has its clock reset, whatever the accrual policy says (requeue, release of a hold).
func (c *Clock) resume(i int, before *checkpoint.Job, jobs *column.Table) {
	c.Start[i], c.Eligible[i], c.FirstSeen[i] = before.QueueStart, before.EligibleSeconds, before.FirstSeen
	c.Bypass[i], c.OverSoft[i] = before.Bypass, before.OverSoftLimit
	if RecordedState(jobs, i) == checkpoint.Pending && before.State != checkpoint.Pending {
		c.Reset(i)
	}
}

// RecordedState is a job's state as the resource manager has it, in a checkpoint's words.
func RecordedState(jobs *column.Table, i int) string {
	switch jobs.Text("job.state", i) {
	case "running", "suspended", "completing":
		return checkpoint.Running
	}
	if jobs.Int("job.held", i) != 0 {
		return checkpoint.Held
	}
	return checkpoint.Pending
}

// Reset makes a job's queue time begin now.
func (c *Clock) Reset(i int) {
	c.Start[i] = c.Now
	c.unknown.Clear(i)
}

// Pass notes that a job passed a selection. While it is blocked later its queue time stays as it
// is now, since nothing but the next pass renews it (MQueueSelectJobs; recorded: t30).
func (c *Clock) Pass(i int) {
	if !c.unknown.Get(i) {
		c.Eligible[i] = c.Now - c.Start[i]
	}
}

// since is from when queue time counts for priorities (MJobGetStartPriority's EffQTime).
func (c *Clock) since(i int) int64 {
	switch {
	case c.Queue.SubmitTime && c.Queue.IgnoreState:
		return c.submitted[i]
	case c.Eligible[i] > 0:
		return c.Now - c.Eligible[i]
	case c.Queue.SubmitTime:
		return c.submitted[i]
	}
	return c.Start[i]
}

// Queued is from when queue time counts for a job's priority; known is false where no input states when it was
// submitted.
func (c *Clock) Queued(i int) (since int64, known bool) { return c.since(i), !c.unknown.Get(i) }

// Columns are the job columns that the clock states.
func (c *Clock) Columns() []*column.Column {
	n := len(c.Start)
	start := &column.Column{ID: "job.queue_start_time", Type: schema.Timestamp, Ints: make([]int64, n)}
	bypass := &column.Column{ID: "job.bypass_count", Type: schema.Int, Ints: make([]int64, n)}
	soft := &column.Column{ID: "job.soft_policy_violation", Type: schema.Bool, Ints: make([]int64, n)}
	for i := range n {
		if start.Ints[i] = c.since(i); c.unknown.Get(i) {
			start.Missing.Set(i)
		}
		bypass.Ints[i] = c.Bypass[i]
		soft.Ints[i] = schema.BoolValue(c.OverSoft[i]).Int
	}
	return []*column.Column{start, bypass, soft}
}
