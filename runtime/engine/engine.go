package engine

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
	"github.com/fairway-sched/fairway/runtime/vm"
)

// Options of a run.
type Options struct {
	Workers int // goroutines that score; the result does not depend on it

	// Started are the ids of jobs that start in this evaluation, in the order in which they do: they
	// wait while it selects and run when it ends. Backfilled ones are started by backfill, so that jobs
	// above them count as overtaken; of those named in Started alone it is inferred where
	// a soft limit tells.
	Started, Backfilled []string

	// Plan lets Maui's planner decide which jobs start, on which nodes, and which reservations are
	// made; Started and Backfilled are not asked then. Procs is the size of a machine that is one pool of
	// processors, for queues without nodes; 0: the nodes of the snapshot.
	Plan  bool
	Procs int64

	Context context.Context // ends a long plan; nil never does

	// Previous is what the evaluation before left; nil for the first. KeepState: the result is to be
	// gone on from, so that Result.Next is made, and an account tree without usage begins with none.
	Previous  *checkpoint.Checkpoint
	KeepState bool

	// PrintedUsage takes the usage of an account tree, or else its factors, from the snapshot where that has
	// them, as slurmctld has them now; what Previous has of the tree is for snapshots without.
	PrintedUsage bool
	printed      bool // and it has

	// RecordedFairshare takes an association's fairshare factor as sshare recorded it, even where it
	// can be computed.
	RecordedFairshare bool

	// Pass is when slurmctld last computed all priorities, in epoch seconds, where that was before the snapshot: ages,
	// fairshare and what limits count of time are as of then (slurm.md §11.8), and all else as of the snapshot. 0: they are
	// as of the snapshot.
	Pass int64

	// ScoresOnly stops once there are priorities: nobody is asked whether a job may start, and
	// nothing is ranked. Maui's priorities depend on its selection, which is made all the same.
	ScoresOnly bool

	// Place is where the controller runs, by which days begin when usage is reset; nil is UTC.
	Place *time.Location
}

// Run evaluates a program over a snapshot. Give the fused program to score and
// rank only; the full one also keeps every term. The error is for an input without which
// nothing can be computed; all else is among the result's findings.
func Run(p *program.Program, s *snapshot.Snapshot, o Options) (*Result, error) {
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
	if err := o.fit(p, s.Now); err != nil {
		return nil, err
	}
	o.preferPrinted(p, s)
	whole := s
	if o.Pass != 0 {
		at := *s
		at.Now = o.Pass
		s = &at
	}
	r := &Result{Program: p, Snapshot: s, Now: s.Now, Pass: o.Pass, options: o}
	run := &underWay{Result: r, Clock: newClock(p, s, o.Previous), Machine: machine}
	r.Jobs = withDerived(s.Jobs, s.Now, run.Clock)
	userActivity(r.Jobs, p)
	processorEquivalents(r.Jobs, p, s)
	row := familyOf(p)
	own := row.Begin(run)
	own.Derive()
	r.Rows, r.RowJob, r.JobRow = explode(r.Jobs)
	if err := own.Divide(); err != nil {
		return nil, err
	}
	shareWindows(r, run.Clock)
	b := newBinder(p, s, r.Rows, s.Now)
	b.models = append(own.Share(), shareColumns(r.Windows), credentialColumns(r))
	b.all()
	own.Bind(b)
	r.Settings = b.joined
	r.Once = b.once()
	r.Findings = append(r.Findings, b.diags...)
	if b.diags.HasErrors() {
		return r, nil
	}
	run.Binding = vm.Binding{Rows: r.Rows.Rows, Columns: b.columns}
	if run.Out, err = machine.Run(run.Binding, p.Scored(), o.Workers); err != nil {
		return nil, err
	}
	r.scores(run.Out)
	if !p.Fused {
		r.terms(run.Out)
	}
	run.Holds = flags(run.Out, p.Holds, r.Rows.Rows)
	r.scored = newScored(run.Binding, run.Holds)
	r.Snapshot, r.Now = whole, whole.Now
	if !p.Fused {
		r.Overridden = firstOnly(flags(run.Out, p.Overrides, r.Rows.Rows), r.Rows.Rows)
	}
	if !o.ScoresOnly {
		if err := r.admit(run); err != nil {
			return nil, err
		}
	}
	r.states(run.Holds)
	if !o.ScoresOnly || row.ScoresBySelection {
		if err := own.Select(); err != nil {
			return nil, err
		}
		if o.KeepState || row.AlwaysKeeps {
			next, jobs := r.next(run.Clock)
			own.Keep(next, jobs)
			r.Next = next
		}
		r.carry(o.Previous)
		r.rank(run.Holds)
	}
	r.report(run.Out)
	return r, nil
}

// fit refuses options that the policy or the snapshot do not go with.
func (o *Options) fit(p *program.Program, now int64) error {
	if p.Family == "slurm" && len(o.Started)+len(o.Backfilled) > 0 {
		return fmt.Errorf("of a Slurm policy no jobs can be started")
	}
	switch {
	case o.Pass == 0:
	case p.Family != "slurm":
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

// flags marks the rows where each condition holds.
func flags(out *vm.Output, list []program.Flag, rows int) []column.Bitmap {
	marks := make([]column.Bitmap, len(list))
	for i, f := range list {
		marks[i] = trueRows(out, f.When, rows)
	}
	return marks
}

// trueRows are the rows where a condition is true.
func trueRows(out *vm.Output, when program.Reg, rows int) (marks column.Bitmap) {
	v := out.Vector(when)
	for row := range rows {
		if v.Failure(row) == 0 && v.Bool(row) {
			marks.Set(row)
		}
	}
	return marks
}

// firstOnly keeps for each row the first mark: later overrides do not count.
func firstOnly(marks []column.Bitmap, rows int) []column.Bitmap {
	out := make([]column.Bitmap, len(marks))
	for row := range rows {
		for i := range marks {
			if marks[i].Get(row) {
				out[i].Set(row)
				break
			}
		}
	}
	return out
}

func (r *Result) scores(out *vm.Output) {
	r.Score = doubles(out.Vector(r.Program.Score), r.Rows.Rows)
	r.Priority, r.Failed = r.rounded(out)
}

// rounded are the stored priorities of a run, and the rows that have none.
func (r *Result) rounded(out *vm.Output) (priority []int64, failed column.Bitmap) {
	final := out.Vector(r.Program.Priority)
	priority = make([]int64, r.Rows.Rows)
	for row := range priority {
		x := final.Double(row)
		if final.Failure(row) != 0 {
			failed.Set(row)
			continue
		}
		priority[row] = round(x, r.Program.Rounding)
	}
	return priority, failed
}

// round makes the integer that the scheduler stores, of what program.OpStorable has passed.
func round(x float64, how string) int64 {
	switch how {
	case "floor":
		x = math.Floor(x)
	case "nearest":
		x = math.Round(x)
	default:
		x = math.Trunc(x)
	}
	return int64(x)
}

// doubles lays a vector out per row; nil for a register that does not exist.
func doubles(v *vm.Vector, n int) []float64 {
	if v == nil {
		return nil
	}
	if v.Shape.Level == program.Row {
		return v.Doubles
	}
	out := make([]float64, n)
	for row := range out {
		out[row] = v.Double(row)
	}
	return out
}

func (r *Result) terms(out *vm.Output) {
	n := r.Rows.Rows
	zeros := make([]float64, n)
	orZero := func(reg program.Reg) []float64 {
		if d := doubles(out.Vector(reg), n); d != nil {
			return d
		}
		return zeros
	}
	for ci, c := range r.Program.Components {
		sum := SumColumn{Component: ci, Weight: orZero(c.Weight.Reg), Cap: doubles(out.Vector(c.Cap.Reg), n),
			Sum: orZero(c.Sum), Value: orZero(c.Value)}
		uncapped(out.Vector(c.Value), sum.Value, sum.Weight, sum.Sum)
		r.Sums = append(r.Sums, sum)
		for ti, t := range c.Terms {
			col := TermColumn{Component: ci, Term: ti, Factor: orZero(t.Factor.Reg), Weight: orZero(t.Weight.Reg),
				Cap: doubles(out.Vector(t.Cap.Reg), n), Value: orZero(t.Value)}
			if v := out.Vector(t.Factor.Reg); v != nil && v.Errs != nil {
				for row := range n {
					if v.Failure(row) != 0 {
						col.FactorFailed.Set(row)
					}
				}
			}
			uncapped(out.Vector(t.Value), col.Value, col.Weight, col.Factor)
			for _, d := range t.Defines {
				col.Defines = append(col.Defines, out.Vector(d.Reg))
			}
			r.Terms = append(r.Terms, col)
		}
	}
}

// uncapped gives a value that failed because it is infinite or NaN under a cap what it is without the cap.
func uncapped(v *vm.Vector, value, weight, x []float64) {
	if v == nil || v.Errs == nil {
		return
	}
	for row := range value {
		if v.Failure(row) != 0 && !number(x[row]) {
			value[row] = weight[row] * x[row]
		}
	}
}

// report turns what the user must know of the run into findings.
func (r *Result) report(out *vm.Output) {
	r.failures(out)
	for _, in := range r.Program.Instrs {
		if in.Op == program.OpCall && r.Program.ByRow(&in) {
			c := r.Program.Calls[in.Call]
			r.Findings.Infof("not-vectorized", c.Span, "not-vectorized: %s", c.Reason).Note("it is evaluated job by job, which is right but slower")
		}
	}
	for _, name := range r.Program.Without {
		r.Findings.Infof("left-out", source.Span{}, "left out on request: %s", name)
	}
}
