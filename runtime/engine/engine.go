// Package engine runs a program over a snapshot: it derives the columns that
// follow from the clock and the settings, scores every row, orders the queue and
// keeps what explains it.
//
// In: program.Program and snapshot.Snapshot. Out: evaluation.Result, columnar. Called by
// the command line and by the conformance suite. It reads no clock and no file, and does not know which scheduler it
// serves: what each does its own way is a row of runtime/family.
package engine

import (
	"github.com/fairway-sched/fairway/runtime/evaluation/stage"

	"fmt"
	"time"

	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/evaluation/admit"
	"github.com/fairway-sched/fairway/runtime/evaluation/derive"
	"github.com/fairway-sched/fairway/runtime/evaluation/order"
	"github.com/fairway-sched/fairway/runtime/evaluation/score"
	"github.com/fairway-sched/fairway/runtime/evaluation/windows"
	"github.com/fairway-sched/fairway/runtime/family"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
	"github.com/fairway-sched/fairway/runtime/vm"
)

// Run evaluates a program over a snapshot. Give the fused program to score and
// rank only; the full one also keeps every term. The error is for an input without which
// nothing can be computed; all else is among the result's findings.
func Run(p *program.Program, s *snapshot.Snapshot, o evaluation.Options) (*evaluation.Result, error) {
	run, err := begin(p, s, o)
	if err != nil {
		return nil, err
	}
	r, row := run.Result, family.Of(p)
	r.Rules = row.Order
	own := row.Begin(run)
	b, err := bind(run, own)
	if err != nil {
		return nil, err
	}
	r.Settings, r.Once = b.Joined, b.Once()
	r.Findings = append(r.Findings, b.Findings...)
	if b.Findings.HasErrors() {
		return r, nil
	}
	run.Binding = vm.Binding{Rows: r.Rows.Rows, Columns: b.Columns}
	if run.Out, err = run.Machine.Run(run.Binding, p.Scored(), o.Workers); err != nil {
		return nil, err
	}
	score.Read(run)
	r.Snapshot, r.Now = s, s.Now
	if !o.ScoresOnly {
		if err := admit.Ask(run); err != nil {
			return nil, err
		}
	}
	admit.States(r, run.Holds)
	if !o.ScoresOnly || row.Selects {
		if err := own.Select(); err != nil {
			return nil, err
		}
		if o.KeepState || row.Keeps {
			next, jobs := next(r, run.Clock)
			own.Keep(next, jobs)
			r.Next = next
		}
		carry(r, r.Options.Previous)
		order.Rank(r, run.Holds)
	}
	score.Report(r, run.Out)
	return r, nil
}

// begin refuses what cannot be evaluated. Priorities are as of the last pass, where that is known.
func begin(p *program.Program, s *snapshot.Snapshot, o evaluation.Options) (*evaluation.Run, error) {
	if s.Jobs == nil {
		return nil, fmt.Errorf("the snapshot has no jobs")
	}
	if !s.KnowsNow() {
		if s.TimeRange[1] != 0 {
			from, to := time.Unix(s.TimeRange[0], 0).UTC(), time.Unix(s.TimeRange[1], 0).UTC()
			return nil, fmt.Errorf("no input says what time it is: give --now; the jobs were submitted from %s (%d) to %s (%d)",
				from.Format(time.RFC3339), s.TimeRange[0], to.Format(time.RFC3339), s.TimeRange[1])
		}
		return nil, fmt.Errorf("no input says what time it is: give --now")
	}
	machine, err := vm.Load(p)
	if err != nil {
		return nil, err
	}
	if err := fit(&o, p, s.Now); err != nil {
		return nil, err
	}
	at := *s
	if o.Pass != 0 {
		at.Now = o.Pass
	}
	r := &evaluation.Result{Program: p, Snapshot: &at, Now: at.Now, Pass: o.Pass, Options: o}
	return &evaluation.Run{Result: r, Clock: evaluation.NewClock(p, &at, o.Previous), Machine: machine}, nil
}

// bind makes the columns of jobs and rows, and finds those that the program reads.
func bind(run *evaluation.Run, own stage.Scheduler) (*score.Binder, error) {
	r := run.Result
	r.Jobs = derive.Columns(r.Snapshot.Jobs, r.Now, run.Clock)
	derive.UserActivity(r.Jobs, r.Program)
	derive.ProcessorEquivalents(r.Jobs, r.Program, r.Snapshot)
	own.Derive()
	r.Rows, r.RowJob, r.JobRow = derive.Rows(r.Jobs)
	if err := own.Divide(); err != nil {
		return nil, err
	}
	windows.Share(r, run.Clock)
	b := score.NewBinder(r.Program, r.Snapshot, r.Rows, r.Now)
	b.Models = append(own.Share(), windows.Columns(r.Windows), derive.Credentials(r))
	b.All()
	own.Bind(b)
	return b, nil
}

// fit refuses options that the policy or the snapshot do not go with.
func fit(o *evaluation.Options, p *program.Program, now int64) error {
	row := family.Of(p)
	if !row.Started && len(o.Started)+len(o.Backfilled) > 0 {
		return fmt.Errorf("of a %s policy no jobs can be started", row.Title)
	}
	switch {
	case o.Pass == 0:
	case !row.Passes:
		return fmt.Errorf("only slurmctld computes priorities in passes of their own: leave out --pass")
	case o.Previous != nil:
		return fmt.Errorf("a state keeps when the last pass was: leave out --pass or the state")
	case o.Pass > now:
		return fmt.Errorf("the last pass was not after the time of the evaluation, %s", time.Unix(now, 0).UTC().Format(time.RFC3339))
	}
	if o.Previous != nil {
		return o.Previous.Fits(p.Family, now)
	}
	return nil
}
