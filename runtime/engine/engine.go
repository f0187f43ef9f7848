// Package engine runs a program over a snapshot: it derives the columns that
// follow from the clock and the settings, scores every row, orders the queue and
// keeps what explains it.
//
// In: program.Program and snapshot.Snapshot. Out: evaluation.Result, columnar. Called by
// the command line and by the conformance suite. It reads no clock and no file, and does not know which scheduler it
// serves: what each does its own way is a row of runtime/family.
package engine

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/evaluation/admit"
	"github.com/fairway-sched/fairway/runtime/evaluation/derive"
	"github.com/fairway-sched/fairway/runtime/evaluation/order"
	"github.com/fairway-sched/fairway/runtime/evaluation/score"
	"github.com/fairway-sched/fairway/runtime/evaluation/stage"
	"github.com/fairway-sched/fairway/runtime/evaluation/windows"
	"github.com/fairway-sched/fairway/runtime/family"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
	"github.com/fairway-sched/fairway/runtime/vm"
)

// Run evaluates a program over a snapshot, once.
func Run(p *program.Program, s *snapshot.Snapshot, o evaluation.Options) (*evaluation.Result, error) {
	return New(p, s, o).Evaluate()
}

// Evaluate gives the result of the queue as it is. The error is for an input without which
// nothing can be computed; all else is among the result's findings.
func (s *State) Evaluate() (*evaluation.Result, error) {
	if s.last != nil && !s.moved {
		return s.last.run.Result, nil
	}
	last := s.last
	s.last = nil // a state that cannot be evaluated leaves nothing
	run, err := s.begin()
	if err == nil {
		run.Before = s.since(last)
		err = evaluate(run, s.snapshot)
	}
	if err != nil {
		return nil, err
	}
	if !run.Findings.HasErrors() {
		s.kept(run)
	}
	return run.Result, nil
}

// evaluate walks the stages.
func evaluate(run *evaluation.Run, s *snapshot.Snapshot) (err error) {
	r, row := run.Result, family.Of(run.Program)
	run.Clock = clock(run)
	r.Rules, r.Facts = row.Order, row.Facts
	own := row.Begin(run)
	run.Stages = own
	b, err := bind(run, own)
	if err != nil {
		return err
	}
	r.Settings, r.Once = b.Joined, b.Once()
	r.Findings = append(r.Findings, b.Findings...)
	if b.Findings.HasErrors() {
		return nil
	}
	run.Binding = vm.Binding{Rows: r.Rows.Rows, Columns: b.Columns}
	if run.Out, err = compute(run); err != nil {
		return err
	}
	score.Read(run)
	r.Snapshot, r.Now = s, s.Now
	if !r.Options.ScoresOnly {
		if err := admit.Ask(run); err != nil {
			return err
		}
	}
	if r.Options.ScoresOnly && !row.Facts.Selects {
		admit.States(run)
	} else {
		if err := own.Select(); err != nil {
			return err
		}
		if r.Options.KeepState || row.Facts.Keeps {
			r.MakeNext = sync.OnceValue(func() *checkpoint.Checkpoint {
				next, jobs := next(r, run.Clock)
				own.Keep(next, jobs)
				carry(r, next)
				return next
			})
			sayUnused(r)
		}
		order.Ties(r, run.Before)
		order.Rank(r, run.Holds, run.Sorted)
	}
	score.Report(r, run.Out)
	return nil
}

// clock starts the clocks of the jobs. Those of an earlier evaluation of the same jobs go on until a selection moves
// them.
func clock(run *evaluation.Run) *evaluation.Clock {
	r, before := run.Result, run.Before
	if before != nil && before.Derives && r.Snapshot.Jobs == before.Snapshot.Jobs {
		return before.Clock
	}
	return evaluation.NewClock(r.Program, r.Snapshot, r.Options.Previous)
}

// compute runs the program; what an earlier evaluation has of it is taken.
func compute(run *evaluation.Run) (*vm.Output, error) {
	keep, workers := run.Program.Scored(), run.Options.Workers
	if before := run.Before; before != nil {
		return run.Machine.RunAfter(before.Out, before.RowSpans(run.Result), run.Binding, keep, workers)
	}
	return run.Machine.Run(run.Binding, keep, workers)
}

// begin refuses what cannot be evaluated. Priorities are as of the last pass, where that is known.
func (s *State) begin() (*evaluation.Run, error) {
	now, o := s.snapshot, s.options
	if now.Jobs == nil {
		return nil, fmt.Errorf("the snapshot has no jobs")
	}
	if !now.KnowsNow() {
		if now.TimeRange[1] != 0 {
			from, to := time.Unix(now.TimeRange[0], 0).UTC(), time.Unix(now.TimeRange[1], 0).UTC()
			return nil, fmt.Errorf("no input says what time it is: give --now; the jobs were submitted from %s (%d) to %s (%d)",
				from.Format(time.RFC3339), now.TimeRange[0], to.Format(time.RFC3339), now.TimeRange[1])
		}
		return nil, fmt.Errorf("no input says what time it is: give --now")
	}
	if s.machine == nil {
		machine, err := vm.Load(s.program)
		if err != nil {
			return nil, err
		}
		s.machine = machine
	}
	if err := fit(&o, s.program, now.Now); err != nil {
		return nil, err
	}
	at := *now
	at.Now = asOf(now, o)
	stated := useStated(s.program, &at, o.Previous)
	r := &evaluation.Result{Program: s.program, Snapshot: &at, Now: at.Now, Pass: o.Pass, Options: o}
	return &evaluation.Run{Result: r, Machine: s.machine, Stated: stated}, nil
}

// bind makes the columns of jobs and rows, and finds those that the program reads.
func bind(run *evaluation.Run, own stage.Scheduler) (*score.Binder, error) {
	r := run.Result
	models, ok := modelsBefore(run, own)
	if !ok {
		var err error
		if models, err = modelled(run, own); err != nil {
			return nil, err
		}
	}
	run.Told = slices.Clone(r.Findings)
	b := score.NewBinder(r.Program, r.Snapshot, r.Rows, r.Now)
	b.Before = run.Before
	b.Models = append(models, windows.Columns(r.Windows), derive.Credentials(run))
	b.All()
	own.Bind(b)
	return b, nil
}

// modelsBefore takes over the columns of jobs and rows, and who has used how much, where only weights differ.
func modelsBefore(run *evaluation.Run, own stage.Scheduler) ([]score.Model, bool) {
	before, r := run.Before, run.Result
	if before == nil || !before.Queue {
		return nil, false
	}
	then := before.Result
	r.Jobs, r.Rows, r.RowJob, r.JobRow, run.Derived = then.Jobs, then.Rows, then.RowJob, then.JobRow, before.Derived
	r.Windows, r.Usage, r.Tree = then.Windows, then.Usage, then.Tree
	models, ok := own.Reshare(before.Stages)
	if ok {
		r.Options.Previous = then.Options.Previous
		r.Findings = append(r.Findings, before.Told...)
	}
	return models, ok
}

// modelled makes the columns of jobs and rows, and the models that give more.
func modelled(run *evaluation.Run, own stage.Scheduler) ([]score.Model, error) {
	r := run.Result
	r.Windows, r.Usage, r.Tree = nil, nil, nil
	r.Findings = append(r.Findings, run.Stated...)
	if before := run.Before; before != nil && before.Derives {
		run.Derived = derive.Again(before, r.Snapshot.Jobs,
			func(picked *column.Table) *column.Table { return deriveFew(r, picked) })
	}
	if run.Derived == nil {
		run.Derived = derived(run, own)
	}
	r.Jobs = run.Derived.Copy()
	r.Jobs.Put(derive.SubmitRank(r.Jobs, run.Before))
	derive.UserActivity(r.Jobs, r.Program)
	r.Rows, r.RowJob, r.JobRow = derive.Rows(r.Jobs, run.Before)
	if err := own.Divide(); err != nil {
		return nil, err
	}
	windows.Share(r, run.Clock)
	return own.Share(), nil
}

// derived makes the columns that follow from each job alone, the clock, the policy and the state that was left.
func derived(run *evaluation.Run, own stage.Scheduler) *column.Table {
	r := run.Result
	r.Jobs = derive.Columns(r.Snapshot.Jobs, r.Now, run.Clock)
	derive.ProcessorEquivalents(r.Jobs, r.Program, r.Snapshot)
	own.Derive()
	return r.Jobs
}

// deriveFew does so for some of the jobs.
func deriveFew(r *evaluation.Result, jobs *column.Table) *column.Table {
	few := *r.Snapshot
	few.Jobs = jobs
	run := &evaluation.Run{Result: &evaluation.Result{Program: r.Program, Facts: r.Facts, Snapshot: &few, Now: r.Now,
		Options: r.Options},
		Clock: evaluation.NewClock(r.Program, &few, r.Options.Previous)}
	return derived(run, family.Of(r.Program).Begin(run))
}

// fit refuses options that the policy or the snapshot do not go with.
func fit(o *evaluation.Options, p *program.Program, now int64) error {
	facts := &family.Of(p).Facts
	if !facts.Named && len(o.Started)+len(o.Backfilled) > 0 {
		return fmt.Errorf("of a %s policy no jobs can be started", facts.Title)
	}
	switch {
	case o.Pass == 0:
	case !facts.Passes:
		return fmt.Errorf("only slurmctld computes priorities in passes of their own: leave out --pass")
	case o.Pass > now:
		return fmt.Errorf("the last pass was not after the time of the evaluation, %s", time.Unix(now, 0).UTC().
			Format(time.RFC3339))
	}
	if o.Previous != nil {
		return o.Previous.Fits(p.Family, cmp.Or(o.Pass, now))
	}
	return nil
}
