package maui

import (
	"slices"

	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/evaluation/admit"
	"github.com/fairway-sched/fairway/runtime/evaluation/score"
	"github.com/fairway-sched/fairway/runtime/evaluation/stage"
	"github.com/fairway-sched/fairway/runtime/program"
)

// stages evaluate as Maui does in one iteration.
type stages struct {
	run       *evaluation.Run
	own       *Iteration
	selection *selection
}

// Begin evaluates a queue of Maui's.
func Begin(run *evaluation.Run) stage.Scheduler {
	own := &Iteration{}
	run.Own = own
	return &stages{run: run, own: own}
}

func (s *stages) Derive() {
	r := s.run.Result
	defaults(r.Jobs, r.Program)
}

func (s *stages) Divide() error {
	r := s.run.Result
	r.Findings = append(r.Findings, refusedPriorities(r.Jobs, r.Program)...)
	r.Rows = withNodesHeld(r, r.Rows, r.Options.Previous)
	return nil
}

// Share has nothing to add to the windows.
func (s *stages) Share() []score.Model { return nil }

func (s *stages) Reshare(any) ([]score.Model, bool) { return nil, true }

func (s *stages) Bind(*score.Binder) {}

func (s *stages) Select() error {
	r := s.run.Result
	s.selection = &selection{run: s.run, own: s.own, result: r, queue: r.Program.Queue, options: r.Options,
		caps:   admit.NewCaps(r),
		access: newPartitionAccess(r.Jobs, r.Snapshot),
		scorer: newScorer(r, s.run.Machine, s.run.Binding, r.Options.Workers)}
	s.selection.makeGate()
	s.selection.unbounded = s.selection.gate.Limits() == 0 && !s.selection.caps.Any()
	if s.selection.goOn() {
		return nil
	}
	admit.States(s.run)
	s.run.MoveClock()
	s.selection.clock = s.run.Clock
	s.selection.caps.ReportUnknown(r)
	return decide(s.run, s.selection)
}

// makeGate makes the counters of the limits, all at zero: those of the evaluation before where what they count of jobs
// is the same.
func (s *selection) makeGate() {
	r := s.result
	if then := s.before(); then != nil && s.run.Before.InPlace() && then.gate.Reads(r.Jobs) &&
		(s.run.Before.Queue || !givesWholeNodes(r)) {
		s.gate, s.lacking = then.gate.Fresh(), then.lacking
		r.Findings = append(r.Findings, s.lacking...)
		return
	}
	told := len(r.Findings)
	s.gate = admit.Gate(r, s.run.Out, func(job int) (int64, bool) { return Procs(r, job) })
	s.lacking = slices.Clone(r.Findings[told:])
}

func (s *stages) Keep(next *checkpoint.Checkpoint, _ []int32) { s.selection.keepPlan(next) }

// Pace is that of Maui's iterations.
func Pace(p *program.Program) evaluation.Pace {
	m := p.Plan.Maui
	return evaluation.Pace{StepSeconds: max(1, m.PollSeconds), InitialJobs: m.InitialJobs,
		OverrunSeconds: m.OverrunSeconds}
}

// Iteration is what Maui alone has of an evaluation, for its own views. A result carries it as Own.
type Iteration struct {
	Idle []int32 // the eligible jobs in the order in which showq lists them

	access     *partitionAccess                   // nil before jobs are selected
	again      func() (*evaluation.Result, error) // computes once more what moved; nil where nothing can have
	wholeProcs []int64                            // of Procs; nil until they are asked for
}

// Of is the iteration of a result; an empty one of a result that another scheduler's policy gave.
func Of(r *evaluation.Result) *Iteration {
	if own, ok := r.Own.(*Iteration); ok {
		return own
	}
	return &Iteration{}
}

// Asked is the result as Maui's clients see it between this iteration and the next: scores and
// terms are computed once more, with the queue times and counts of overtaking that this iteration
// left. Of the jobs that it found eligible only, since the clocks of others are (recorded:
// t32, r01). It is the result itself where nothing moved.
func Asked(r *evaluation.Result) (*evaluation.Result, error) {
	own := Of(r)
	if own.again == nil {
		return r, nil
	}
	return own.again()
}
