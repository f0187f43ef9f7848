package engine

import "github.com/fairway-sched/fairway/runtime/checkpoint"

// mauiStages evaluate as Maui does in one iteration.
type mauiStages struct {
	run       *underWay
	selection *selection
}

func beginMaui(run *underWay) Stages { return &mauiStages{run: run} }

func (s *mauiStages) Derive() {
	r := s.run.Result
	mauiDefaults(r.Jobs, r.Program)
	r.Findings = append(r.Findings, refusedPriorities(r.Jobs, r.Program)...)
}

func (s *mauiStages) Divide() error {
	r := s.run.Result
	r.Rows = r.withNodesHeld(r.Rows, r.options.Previous)
	return nil
}

// Share has nothing to add to the windows.
func (s *mauiStages) Share() []modelColumns { return nil }

func (s *mauiStages) Bind(*binder) {}

func (s *mauiStages) Select() error {
	r := s.run.Result
	procs := func(job int) (int64, bool) { return r.Procs(job) }
	s.selection = &selection{result: r, queue: r.Program.Queue, options: r.options, clock: s.run.Clock, caps: newCaps(r), gate: r.gate(s.run.Out, procs),
		access: newAccess(r.Jobs, r.Snapshot), scorer: newScorer(r, s.run.Machine, s.run.Binding, s.run.Clock, r.options.Workers)}
	return r.maui(s.selection, s.run.Holds)
}

func (s *mauiStages) Keep(next *checkpoint.Checkpoint, _ []int32) { s.selection.keepPlan(next) }
