package maui

import (
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/evaluation/admit"
	"github.com/fairway-sched/fairway/runtime/evaluation/derive"
	"github.com/fairway-sched/fairway/runtime/evaluation/score"
	"github.com/fairway-sched/fairway/runtime/limit"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/vm"
)

// scorer computes priorities again when clocks have moved. It runs the same program over the
// same columns, except for those that follow from the clock.
type scorer struct {
	result  *evaluation.Result
	machine *vm.Machine
	binding vm.Binding
	workers int
	unmoved bool // nothing that the program reads has changed since the first scoring
	moved   bool // what some clock shows has changed since

	scored   []*column.Column // the clock's columns as of the last scoring
	priority []int64          // per job
	taken    int              // how often they have changed
	failed   column.Bitmap    // jobs without one
}

// newScorer takes the priorities of the result as the first scoring.
func newScorer(r *evaluation.Result, m *vm.Machine, b vm.Binding, workers int) *scorer {
	s := &scorer{result: r, machine: m, binding: b, workers: workers, unmoved: true, scored: clockColumns(r.Jobs)}
	s.take(r.Priority, r.Failed)
	return s
}

// clockColumns are those of the clock, in its order, as jobs are derived with them.
func clockColumns(jobs *column.Table) []*column.Column {
	return []*column.Column{jobs.Column("job.queue_start_time"), jobs.Column("job.bypass_count"),
		jobs.Column("job.soft_policy_violation")}
}

// take keeps each job's priority: that of its first row.
func (s *scorer) take(priority []int64, failed column.Bitmap) {
	s.taken++
	if len(s.result.RowJob) == len(s.result.JobRow) {
		s.priority, s.failed = priority, failed
		return
	}
	s.priority, s.failed = make([]int64, len(s.result.JobRow)), nil
	for job, row := range s.result.JobRow {
		s.priority[job] = priority[row]
		if failed.Get(int(row)) {
			s.failed.Set(job)
		}
	}
}

// rescore brings the priorities of all jobs up to date with the clock. Nothing is computed
// where no column has changed that the program reads.
func (s *scorer) rescore(c *evaluation.Clock) error {
	var moved []int32 // jobs
	for job := range s.priority {
		if s.moves(c, job) {
			moved = append(moved, int32(job))
		}
	}
	if len(moved) == 0 {
		return nil
	}
	s.moved = true
	columns := c.Columns()
	s.scored = columns
	if !s.put(columns, moved, c.Now) {
		return nil
	}
	s.unmoved = false
	out, err := s.machine.Run(s.binding, []program.Reg{s.result.Program.Priority}, s.workers)
	if err != nil {
		return err
	}
	s.take(score.Rounded(s.result, out))
	return nil
}

// moves reports a job whose clock shows something else than when it was scored.
func (s *scorer) moves(c *evaluation.Clock, job int) bool {
	start, bypass, soft := s.scored[0], s.scored[1], s.scored[2]
	since, known := c.Queued(job)
	return since != start.Ints[job] || known == start.Missing.Get(job) || c.Bypass[job] != bypass.Ints[job] ||
		c.OverSoft[job] != (soft.Ints[job] != 0)
}

// again is the result with the scores and terms of the queue as it is now.
func (s *scorer) again() (*evaluation.Result, error) {
	r := s.result
	if s.unmoved {
		return r, nil
	}
	out, err := s.machine.Run(s.binding, r.Program.Scored(), s.workers)
	if err != nil {
		return nil, err
	}
	after := *r
	own := *Of(r)
	own.again = nil
	after.Own, after.Terms, after.Sums = &own, nil, nil
	score.Scores(&after, out)
	if !r.Program.Fused {
		score.Terms(&after, out)
	}
	return &after, nil
}

// put replaces what the program reads of the clock, for the jobs that moved; it reports whether
// it reads anything of it.
func (s *scorer) put(columns []*column.Column, moved []int32, now int64) bool {
	start, bypass, soft := columns[0], columns[1], columns[2]
	changed := false
	for _, from := range []struct {
		id    schema.ColumnID
		clock *column.Column
		set   func(c *column.Column, row int, value int64)
	}{
		{"job.queue_start_time", start, func(c *column.Column, row int, since int64) { c.Ints[row] = since }},
		{"job.queue_seconds", start, func(c *column.Column, row int, since int64) { c.Ints[row] = now - since }},
		{"job.queue_minutes", start, func(c *column.Column, row int,
			since int64) {
			c.Doubles[row] = derive.Minutes(now - since)
		}},
		{"job.bypass_count", bypass, func(c *column.Column, row int, count int64) { c.Ints[row] = count }},
		{"job.soft_policy_violation", soft, func(c *column.Column, row int, is int64) { c.Ints[row] = is }},
	} {
		old := s.binding.Columns[from.id]
		if old == nil {
			continue
		}
		changed = true
		col := *old
		col.Ints, col.Doubles, col.Missing = slices.Clone(old.Ints), slices.Clone(old.Doubles), slices.Clone(old.Missing)
		for _, job := range moved {
			if from.clock.Missing.Get(int(job)) {
				continue
			}
			first, end := s.result.Entries(int(job))
			for row := first; row < end; row++ {
				from.set(&col, row, from.clock.Ints[job])
				col.Missing.Clear(row)
			}
		}
		s.binding.Columns[from.id] = &col
	}
	return changed
}

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
