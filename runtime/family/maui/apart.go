package maui

import (
	"slices"

	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/evaluation/admit"
	"github.com/fairway-sched/fairway/runtime/limit"
)

// apart reports that no job's lot depends on another one: nothing is counted or planned, and no job is to start. The
// walks then only list jobs by their priority.
func (s *selection) apart() bool {
	o := &s.options
	return s.unbounded && !o.Plan && len(o.Started)+len(o.Backfilled) == 0 && len(s.result.Admission) == 0 &&
		len(s.scorer.failed) == 0 && !s.resumed &&
		!(s.queue.RejectNegative && slices.ContainsFunc(s.scorer.priority, func(p int64) bool { return p < 0 }))
}

// goOn makes the decisions of an iteration from those of the evaluation before, where no job depends on another one:
// only the touched ones are asked, and the lists have the order of the priorities of now. It reports false, and
// decides nothing, where that is not so.
func (s *selection) goOn() bool {
	then, last, r := s.before(), s.run.Before, s.result
	if then == nil || !then.settled || !s.apart() || !last.AllHeldAlike(s.run) {
		return false
	}
	r.State, r.Reason = evaluation.Carried(last, last.State), evaluation.Carried(last, last.Reason)
	r.Why = evaluation.Carried(last, last.Why)
	s.running, s.depends = evaluation.Carried(last, then.running), evaluation.Carried(last, then.depends)
	s.stopped = evaluation.Carried(last, then.stopped)
	s.walked, s.may = evaluation.Carried(last, then.walked), evaluation.Carried(last, then.may)
	s.clock = s.run.Clock.After(last)
	s.dependency, s.procsUp = r.Jobs.Column("job.dependency"), then.procsUp
	for _, bound := range []limit.Bound{limit.Soft, limit.Hard} {
		s.refused.Begin(bound, r.Jobs.Rows)
	}
	states := admit.NewReader(s.run)
	for _, job := range last.Touched {
		if s.ask(int32(job), states); s.scorer.moves(s.clock, job) {
			return false
		}
	}
	s.run.Clock, s.settled = s.clock, true
	s.give()
	walked := marked(s.byPriority(), s.walked)
	eligible := marked(walked, s.may)
	r.Taken = [2][]int32{limit.Soft: walked, limit.Hard: walked}
	s.own.Idle = marked(eligible, s.waiting())
	r.RunPriority = s.runPriorities()
	return true
}

// ask decides of one job what the walks and filters do.
func (s *selection) ask(job int32, states *admit.Reader) {
	r := s.result
	s.running[job], s.depends[job], s.stopped[job], s.walked[job], s.may[job] = false, false, nil, false, false
	r.Why[job] = nil
	r.State[job], r.Reason[job] = states.At(int(job))
	s.look(int(job), askAnew)
	switch {
	case s.running[job]:
		s.count(job)
	case r.State[job] != evaluation.Done:
		s.walked[job] = s.passes(job, limit.Hard)
		s.may[job] = s.walked[job] && s.ready(job, limit.Hard)
	}
	s.conclude(job)
}

// waiting marks the jobs that are not listed as active.
func (s *selection) waiting() []bool {
	marks := make([]bool, len(s.result.State))
	for job, state := range s.result.State {
		marks[job] = state != evaluation.Running
	}
	return marks
}
