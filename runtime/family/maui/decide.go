package maui

import (
	"slices"

	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/evaluation/admit"
	"github.com/fairway-sched/fairway/runtime/limit"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/rank"
)

// decide decides which jobs may start as Maui does in one iteration, and keeps the priorities that
// it stores in the end.
func decide(run *evaluation.Run, s *selection) error {
	r := run.Result
	o := r.Options
	started, err := admit.Startable(r, o.Started)
	if err != nil {
		return err
	}
	backfilled, err := admit.Startable(r, o.Backfilled)
	if err != nil {
		return err
	}
	named := admit.Marked(started, r.Jobs.Rows)
	for _, job := range backfilled {
		if !named[job] {
			started = append(started, job)
		}
	}
	if o.Previous != nil && s.queue.KeepsReservations && s.gate.Limits() > 0 && !o.Plan {
		r.Findings.Infof("reservations-not-kept", r.Program.Limits[0].Span,
			"jobs that keep a reservation from the last iteration are asked for their limits like others").
			Note("with RESERVATIONPOLICY HIGHEST Maui does not ask them when it walks the queue, and no input tells which " +
				"jobs have a reservation")
	}
	s.prepare()
	if then := s.before(); then != nil && s.run.Before.InPlace() {
		s.was = s.run.Before.Why
		if touched := s.run.Before.Touched; len(touched) > 0 {
			s.was = slices.Clone(s.was)
			for _, job := range touched {
				s.was[job] = nil
			}
		}
	}
	s.resume(o.Previous)
	started, eligible, err := s.iterate(started, backfilled)
	if err != nil {
		return err
	}
	r.Started = started
	s.give()
	s.may, s.walked = admit.Marked(eligible, r.Jobs.Rows), admit.Marked(r.Taken[limit.Hard], r.Jobs.Rows)
	for _, job := range r.Taken[limit.Hard] {
		if s.shown != nil {
			s.shown[job] = true
		}
	}
	for job := range int32(r.Jobs.Rows) {
		s.conclude(job)
	}
	s.own.Idle = listed(r, eligible)
	s.gate.ResetIdle() // the walks' counts end with them
	for _, job := range eligible {
		s.gate.AddIdle(int(job))
	}
	s.settled = s.apart() && !s.scorer.moved && len(s.deferred) == 0
	r.RunPriority = s.runPriorities()
	return nil
}

// give makes what the selection has found part of the result.
func (s *selection) give() {
	r := s.result
	r.Stored, r.Limits, r.Refusals = s.scorer.priority, s.gate, &s.refused
	s.own.again, s.own.access = s.scorer.again, s.access
}

// conclude says what has become of a job.
func (s *selection) conclude(job int32) {
	r := s.result
	switch {
	case r.State[job] == evaluation.Done || r.State[job] == evaluation.Running:
	case s.running[job]:
		r.State[job], r.Reason[job] = evaluation.Running, ""
	case s.may[job]:
		r.State[job], r.Reason[job] = evaluation.Eligible, ""
	default:
		s.stopJob(job, s.block(job))
	}
}

// listed puts the eligible jobs in the order of showq: by stored priority, and equal ones as
// the hard walk had them, which went by the priorities before queue times were renewed (recorded:
// r03). Those that only the manual shows there come last among equals.
func listed(r *evaluation.Result, eligible []int32) []int32 {
	order := slices.Clone(eligible)
	for job, state := range r.State {
		if state == evaluation.Eligible && r.Why[job] != nil {
			order = append(order, int32(job))
		}
	}
	// suspended ones, which are listed as active
	order = slices.DeleteFunc(order, func(job int32) bool { return r.State[job] == evaluation.Running })
	return rank.Falling(order, func(job int) int64 { return r.Stored[job] })
}

// stopJob notes why a waiting job is not eligible. What a person or the policy's own rules hold
// stays held. shown marks the jobs that the manual's queue shows among the idle ones where nothing but an
// active limit stops them (Δ28): those within the limits of idle jobs. nil: none.
func (s *selection) stopJob(job int32, b *evaluation.Block) {
	r, shown := s.result, s.shown
	r.Why[job], r.Reason[job] = b, b.Text
	switch {
	case b.Kind == evaluation.BlockHold || b.Kind == evaluation.BlockPolicy && b.Refusal == nil:
		r.State[job] = evaluation.Held
	case shown != nil && shown[job] && onlyActive(b, s.access.Stays(int(job))):
		r.State[job] = evaluation.Eligible
	default:
		r.State[job] = evaluation.Blocked
	}
}

// onlyActive reports a block by an active limit and nothing else that stops the job. Closed partitions stop
// it only where they come first, and do not stop a job that stays although no node offers its class.
func onlyActive(b *evaluation.Block, stays bool) bool {
	closed := func(b *evaluation.Block) bool {
		return b.Kind == evaluation.BlockNodes || b.Kind == evaluation.BlockClass
	}
	list := append([]*evaluation.Block{b}, b.Also...)
	if stays {
		list = slices.DeleteFunc(list, closed)
	}
	return len(list) > 0 && list[0].Kind == evaluation.BlockLimit && list[0].Limit.Phase == limit.Active &&
		!slices.ContainsFunc(list[1:], func(also *evaluation.Block) bool { return !closed(also) })
}

// prepare says of each job whether it runs, and what stops it whatever others do.
func (s *selection) prepare() {
	r, before := s.result, s.stoppedBefore()
	n := r.Jobs.Rows
	s.running, s.stopped, s.depends, s.procsUp = make([]bool, n), make([]*evaluation.Block, n), make([]bool, n),
		evaluation.ProcsUp(r.Snapshot)
	if r.Program.Documented("queue_display") {
		s.shown = make([]bool, n)
	}
	s.dependency = r.Jobs.Column("job.dependency")
	for job := range r.State {
		s.look(job, before)
	}
}

// look finds out whether a job runs, and what stops it.
func (s *selection) look(job int, before func(job int) (*evaluation.Block, bool)) {
	switch state := s.result.State[job]; {
	case state == evaluation.Running && !s.result.Suspended(job):
		s.running[job] = true
	case state == evaluation.Done:
	default:
		if b, ok := before(job); ok {
			s.stopped[job] = b
		} else {
			s.stopped[job] = s.stopOf(job, s.run.Holds)
		}
		s.depends[job] = column.TextAt(s.dependency, job) != ""
	}
}

// stoppedBefore finds what kept a job out of the walks in an earlier evaluation. That holds while neither the job
// has changed nor what it was asked against.
func (s *selection) stoppedBefore() func(job int) (*evaluation.Block, bool) {
	last, then := s.run.Before, s.before()
	if then == nil {
		return askAnew
	}
	was, stopped := last.Was(), then.stopped
	return func(job int) (*evaluation.Block, bool) {
		if at := int(was[job]); at >= 0 && last.State[at] != evaluation.Running && last.HeldAlike(s.run, job, at) {
			return stopped[at], true
		}
		return nil, false
	}
}

// askAnew: nothing is known of a job from before.
func askAnew(int) (*evaluation.Block, bool) { return nil, false }

// before is the selection of an earlier evaluation that asked the same of jobs; nil if there is none.
func (s *selection) before() *selection {
	last := s.run.Before
	if last == nil || !last.Models || !last.SameHolds(s.result) || s.result.Snapshot.Nodes != last.Snapshot.Nodes ||
		s.asksWhen() {
		return nil
	}
	then, ok := last.Stages.(*stages)
	if !ok || then.selection == nil || len(then.selection.deferred) > 0 {
		return nil
	}
	return then.selection
}

// asksWhen reports a limit with a condition, which another program may decide otherwise.
func (s *selection) asksWhen() bool {
	return slices.ContainsFunc(s.result.Program.Limits, func(l program.Limit) bool { return l.When != program.NoReg })
}

// resume takes over who was deferred and who has kept a reservation. A job is looked at again, with its clock reset,
// once its time is over (DEFERTIME).
func (s *selection) resume(previous *checkpoint.Checkpoint) {
	s.deferred, s.reserved = map[int32]int64{}, map[int32]bool{}
	if previous == nil {
		return
	}
	rows := rowsByID(s.result.Jobs)
	for i := range previous.Jobs {
		was := &previous.Jobs[i]
		job, ok := rows[was.ID]
		if !ok || s.result.State[job] == evaluation.Running || s.result.State[job] == evaluation.Done {
			continue
		}
		switch {
		case was.DeferredUntil > s.result.Now:
			s.deferJob(job, was.DeferredUntil)
		case was.DeferredUntil > 0:
			s.clock.Reset(int(job))
			s.resumed = true
		}
		if was.Reservation != nil && s.options.Plan && s.queue.KeepsReservations {
			s.reserved[job] = true
		}
	}
}

// iterate makes the decisions of one iteration. Jobs in started wait while it selects and run when it ends; from the
// first one of backfilled on they were started by backfill. The planner, if it is asked, finds them itself.
func (s *selection) iterate(started, backfilled []int32) (all, eligible []int32, err error) {
	hard := s.walk(limit.Hard)
	walked := s.scorer.taken
	if err := s.scorer.rescore(s.clock); err != nil {
		return nil, nil, err
	}
	soft := hard
	if s.unbounded && s.scorer.taken == walked && !s.options.Plan { // it would find the same
		s.refused.Begin(limit.Soft, len(s.running))
	} else {
		soft = s.walk(limit.Soft)
	}
	s.result.Taken = [2][]int32{limit.Soft: soft, limit.Hard: hard}
	if s.options.Plan {
		if started, err = s.plan(hard, soft); err != nil {
			return nil, nil, err
		}
	} else {
		first := s.filter(hard, limit.Hard) // what backfill takes at the end (recorded: t03, t13)
		soft = s.filter(soft, limit.Soft)
		s.start(started, backfilled, first, soft)
	}
	eligible = s.filter(hard, limit.Soft)
	if s.finish != nil {
		s.finish(eligible)
	}
	// Clients compute the priorities of eligible jobs once more, with the queue time that
	// passing has renewed; those of others stay (recorded: t30, r01).
	return started, eligible, s.refresh(eligible)
}

// refresh rescores but keeps the priorities of all other jobs.
func (s *selection) refresh(eligible []int32) error {
	before, taken := s.scorer.priority, s.scorer.taken
	if err := s.scorer.rescore(s.clock); err != nil || s.scorer.taken == taken {
		return err
	}
	before = slices.Clone(before)
	for _, job := range eligible {
		before[job] = s.scorer.priority[job]
	}
	s.scorer.priority = before
	s.scorer.taken++
	return nil
}
