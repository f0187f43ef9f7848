package engine

import (
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// clock is what Maui remembers of each job from one iteration to the next, and what queue
// time follows from it. Slices have an entry per job.
type clock struct {
	now   int64
	queue *program.Queue // nil: nothing moves the clock but its columns

	submitted []int64       // when the job was submitted, or since when the snapshot says that it has waited
	start     []int64       // from when queue time counts (SystemQueueTime)
	eligible  []int64       // queue time when the job last passed a selection (EffQueueDuration); 0: never
	bypass    []int64       // how often backfill let another job overtake it
	overSoft  []bool        // it runs beyond a soft limit
	firstSeen []int64       // epoch seconds
	unknown   column.Bitmap // jobs whose submit time nobody states
}

// newClock starts the clocks where the last iteration left them. A job that it did not know
// has waited since it was submitted; under PBS since the server found it eligible (etime), if that
// is later, also when it was known (MPBSJobUpdate).
func newClock(p *program.Program, snap *snapshot.Snapshot, previous *checkpoint.Checkpoint) *clock {
	jobs, now := snap.Jobs, snap.Now
	n := jobs.Rows
	c := &clock{now: now, queue: p.Queue, submitted: make([]int64, n), start: make([]int64, n), eligible: make([]int64, n),
		bypass: make([]int64, n), overSoft: make([]bool, n), firstSeen: make([]int64, n)}
	known := jobsOf(previous)
	stated, submit := jobs.Column("job.queue_start_time"), jobs.Column("job.submit_time")
	var etime *column.Column
	if snap.Family == "pbs" {
		etime = jobs.Column("job.eligible_time")
	}
	bypass, overSoft := jobs.Column("job.bypass_count"), jobs.Column("job.soft_policy_violation")
	for i := range n {
		switch {
		case isKnown(stated, i):
			c.submitted[i] = stated.Ints[i]
		case isKnown(submit, i):
			c.submitted[i] = submit.Ints[i]
		default:
			c.unknown.Set(i)
		}
		c.start[i], c.firstSeen[i] = c.submitted[i], now
		if before := known[jobs.Value("job.id", i).Str]; before != nil && before.SubmitTime == jobs.Value("job.submit_time", i).Int {
			c.resume(i, before, jobs)
		}
		if isKnown(etime, i) {
			c.start[i] = max(c.start[i], etime.Ints[i])
		}
		if isKnown(bypass, i) {
			c.bypass[i] = bypass.Ints[i]
		}
		if isKnown(overSoft, i) {
			c.overSoft[i] = overSoft.Ints[i] != 0
		}
	}
	return c
}

func isKnown(c *column.Column, i int) bool { return c != nil && !c.Missing.Get(i) }

func jobsOf(previous *checkpoint.Checkpoint) map[string]*checkpoint.Job {
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
func (c *clock) resume(i int, before *checkpoint.Job, jobs *column.Table) {
	c.start[i], c.eligible[i], c.firstSeen[i] = before.QueueStart, before.EligibleSeconds, before.FirstSeen
	c.bypass[i], c.overSoft[i] = before.Bypass, before.OverSoftLimit
	if recordedState(jobs, i) == checkpoint.Pending && before.State != checkpoint.Pending {
		c.reset(i)
	}
}

// recordedState is a job's state as the resource manager has it, in a checkpoint's words.
func recordedState(jobs *column.Table, i int) string {
	switch jobs.Value("job.state", i).Str {
	case "running", "suspended", "completing":
		return checkpoint.Running
	}
	if jobs.Value("job.held", i).Int != 0 {
		return checkpoint.Held
	}
	return checkpoint.Pending
}

// reset makes a job's queue time begin now.
func (c *clock) reset(i int) {
	c.start[i] = c.now
	c.unknown.Clear(i)
}

// pass notes that a job passed a selection. While it is blocked later its queue time stays as it
// is now, since nothing but the next pass renews it (MQueueSelectJobs; recorded: t30).
func (c *clock) pass(i int) {
	if !c.unknown.Get(i) {
		c.eligible[i] = c.now - c.start[i]
	}
}

// since is from when queue time counts for priorities (MJobGetStartPriority's EffQTime).
func (c *clock) since(i int) int64 {
	switch {
	case c.queue.SubmitTime && c.queue.IgnoreState:
		return c.submitted[i]
	case c.eligible[i] > 0:
		return c.now - c.eligible[i]
	case c.queue.SubmitTime:
		return c.submitted[i]
	}
	return c.start[i]
}

// columns are the job columns that the clock states.
func (c *clock) columns() []*column.Column {
	n := len(c.start)
	start := &column.Column{ID: "job.queue_start_time", Type: schema.Timestamp, Ints: make([]int64, n)}
	bypass := &column.Column{ID: "job.bypass_count", Type: schema.Int, Ints: make([]int64, n)}
	soft := &column.Column{ID: "job.soft_policy_violation", Type: schema.Bool, Ints: make([]int64, n)}
	for i := range n {
		if start.Ints[i] = c.since(i); c.unknown.Get(i) {
			start.Missing.Set(i)
		}
		bypass.Ints[i] = c.bypass[i]
		soft.Ints[i] = schema.BoolValue(c.overSoft[i]).Int
	}
	return []*column.Column{start, bypass, soft}
}
