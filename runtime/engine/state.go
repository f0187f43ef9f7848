package engine

import (
	"cmp"
	"slices"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/evaluation/order"
	"github.com/fairway-sched/fairway/runtime/evaluation/score"
	"github.com/fairway-sched/fairway/runtime/evaluation/windows"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
	"github.com/fairway-sched/fairway/runtime/vm"
)

// State is a queue at a moment under a policy: what a snapshot shows, and what the evaluation before left. Steps move
// it. Its evaluation is that of its snapshot from scratch, to the bit, and computes only what the steps since the last
// one have touched. A result that it gave stays as it is.
type State struct {
	program  *program.Program
	snapshot *snapshot.Snapshot
	options  evaluation.Options

	machine *vm.Machine // of the program; nil until it is needed

	last  *evaluated // the last evaluation; nil if there was none
	moved bool       // something has changed since

	spans   []column.Span // the jobs that the last evaluation had, where they are now
	touched []int         // jobs that are new or have changed since
	usage   bool          // a job that runs or ran is among those that have changed or left
}

// evaluated is an evaluation of a state.
type evaluated struct {
	run      *evaluation.Run
	snapshot *snapshot.Snapshot
	options  evaluation.Options // as they were given
}

// New begins a state. Give the fused program to score and rank only; the full one also keeps every term.
func New(p *program.Program, s *snapshot.Snapshot, o evaluation.Options) *State {
	return &State{program: p, snapshot: s, options: o}
}

// Program is the policy in force.
func (s *State) Program() *program.Program { return s.program }

// Snapshot is the queue as it is now.
func (s *State) Snapshot() *snapshot.Snapshot { return s.snapshot }

// Options are those of the next evaluation, with what the one before it left.
func (s *State) Options() evaluation.Options { return s.options }

// Submit adds a job at the end of the queue.
func (s *State) Submit(job snapshot.Cells) error { return s.step(snapshot.Submit(s.snapshot, job)) }

// Cells are a job's as the queue has them.
func (s *State) Cells(id string) snapshot.Cells {
	cells, row := snapshot.Cells{}, snapshot.RowOf(s.snapshot.Jobs, id)
	for _, c := range s.snapshot.Jobs.Columns() {
		if row >= 0 && c.Value(row).Known() {
			cells[c.ID] = c.Value(row)
		}
	}
	return cells
}

// Change gives a job other cells, such as another priority by hand.
func (s *State) Change(id string, cells snapshot.Cells) error {
	return s.step(snapshot.Change(s.snapshot, id, cells))
}

// Start lets a waiting job run from now on. On which hosts may be left open.
func (s *State) Start(id string, hosts ...string) error {
	return s.step(snapshot.Start(s.snapshot, id, hosts))
}

// End takes a job out of the queue.
func (s *State) End(id string) error { return s.step(snapshot.End(s.snapshot, id)) }

// Requeue lets a running job wait again, with other cells.
func (s *State) Requeue(id string, cells snapshot.Cells) error {
	return s.step(snapshot.Requeue(s.snapshot, id, cells))
}

// Hold keeps a waiting job from starting.
func (s *State) Hold(id string) error { return s.step(snapshot.Hold(s.snapshot, id)) }

// Release ends a hold.
func (s *State) Release(id string) error { return s.step(snapshot.Release(s.snapshot, id)) }

// Set puts another program in force, such as the same policy with another weight.
func (s *State) Set(p *program.Program) { s.program, s.machine, s.moved = p, nil, true }

// Choose sets the options of the next evaluation, such as which jobs start in it.
func (s *State) Choose(o evaluation.Options) { s.options, s.moved = o, true }

// Show puts a queue that was read anew in the place of this one. Nothing of the last evaluation is taken over.
func (s *State) Show(now *snapshot.Snapshot) { s.snapshot, s.last, s.moved = now, nil, true }

// Repair puts nodes in the place of those of the machine, such as after some have failed. The next evaluation computes
// all, from what the last one left.
func (s *State) Repair(nodes *column.Table) {
	if s.options.Pass == 0 {
		s.takeOver()
	}
	after := *s.snapshot
	after.Nodes = nodes
	s.snapshot, s.last, s.moved = &after, nil, true
}

// Advance lets time pass. What the last evaluation left is where the next one begins: since when jobs wait by the
// scheduler's own count, and what was used. Between two passes of slurmctld that compute priorities nothing is left.
func (s *State) Advance(now int64) {
	if s.options.Pass == 0 {
		s.takeOver()
	}
	s.snapshot, s.moved = snapshot.At(s.snapshot, now), true
}

// Pass lets time pass until slurmctld computes the priorities of all jobs. Until the next such pass they are as of
// then.
func (s *State) Pass(now int64) {
	s.takeOver()
	s.options.Pass = now
	s.snapshot, s.moved = snapshot.At(s.snapshot, now), true
}

// takeOver makes what the last evaluation left that with which the next one begins.
func (s *State) takeOver() {
	if s.last != nil {
		if next := s.last.run.Next(); next != nil {
			s.options.Previous = next
		}
	}
}

// step takes the snapshot after a step.
func (s *State) step(after *snapshot.Snapshot, step snapshot.Step, err error) error {
	if err != nil {
		return err
	}
	if step.Was >= 0 && hasRun(s.snapshot.Jobs, step.Was) || step.Job >= 0 && hasRun(after.Jobs, step.Job) {
		s.usage = true
	}
	s.snapshot, s.moved = after, true
	if s.last == nil {
		return nil
	}
	s.spans = column.Chain(s.spans, step.Spans)
	touched := s.touched[:0]
	for _, job := range s.touched {
		for _, span := range step.Spans {
			if job >= span.From && job < span.From+span.N && job != step.Was {
				touched = append(touched, job-span.From+span.At)
			}
		}
	}
	if step.Job >= 0 {
		touched = append(touched, step.Job)
	}
	s.touched = touched
	return nil
}

// hasRun reports a job whose usage may have been charged.
func hasRun(jobs *column.Table, job int) bool {
	return jobs.Value("job.start_time", job).Known() || jobs.Int("job.restarts", job) > 0 ||
		evaluation.RecordedState(jobs, job) == checkpoint.Running
}

// since is the last evaluation with what has changed since; nil if there was none.
func (s *State) since(last *evaluated) *evaluation.Earlier {
	if last == nil {
		return nil
	}
	e := &evaluation.Earlier{Run: last.run, Spans: s.spans, Touched: slices.Clone(s.touched), Usage: s.usage,
		Count: s.snapshot.Jobs.Rows}
	slices.Sort(e.Touched)
	then, now := last.options, s.options
	same := asOf(last.snapshot, then) == asOf(s.snapshot, now) && then.Previous == now.Previous && then.Pass == now.Pass
	e.Derives = same && derivesAlike(last.run.Program, s.program)
	e.Models = e.Derives && last.snapshot.Now == s.snapshot.Now && sameOptions(then, now) &&
		sameModels(last.run.Program, s.program) // whether a job may start goes by the time that it is, not that of the pass
	e.Queue = e.Models && last.snapshot == s.snapshot && sameInputs(last.run.Program, s.program)
	return e
}

// asOf is the time of an evaluation.
func asOf(s *snapshot.Snapshot, o evaluation.Options) int64 { return cmp.Or(o.Pass, s.Now) }

// kept makes an evaluation the last one.
func (s *State) kept(run *evaluation.Run) {
	run.Before = nil
	s.last = &evaluated{run: run, snapshot: s.snapshot, options: s.options}
	s.spans, s.touched, s.usage, s.moved = column.Same(s.snapshot.Jobs.Rows), nil, false, false
}

// next is what the following iteration needs to know of this one. Of jobs without an id, or with that
// of an earlier one, nothing can be known later. Also returned are the jobs of its records.
func next(r *evaluation.Result, c *evaluation.Clock) (out *checkpoint.Checkpoint, jobs []int32) {
	out = &checkpoint.Checkpoint{Family: r.Program.Family, Time: cmp.Or(r.Pass, r.Now)}
	known := map[string]bool{"": true}
	for job := range r.Jobs.Rows {
		if known[r.JobID(job)] {
			continue
		}
		known[r.JobID(job)] = true
		j := checkpoint.Job{ID: r.JobID(job), SubmitTime: r.Jobs.Int("job.submit_time", job),
			FirstSeen:  c.FirstSeen[job],
			QueueStart: c.Start[job], EligibleSeconds: max(0, c.Eligible[job]), Bypass: max(0, c.Bypass[job]),
			OverSoftLimit: c.OverSoft[job]}
		switch r.State[job] {
		case evaluation.Done:
			continue
		case evaluation.Running:
			j.State = checkpoint.Running
		default:
			j.State = evaluation.RecordedState(r.Jobs, job)
		}
		out.Jobs, jobs = append(out.Jobs, j), append(jobs, int32(job))
	}
	windows.Keep(r, out)
	return out, jobs
}

// carry hands on what the last evaluation kept and this policy has no use for, so that an evaluation
// with another policy, such as a trial without fairshare, loses nothing.
func carry(r *evaluation.Result, next *checkpoint.Checkpoint) {
	windows, tree := unused(r)
	if previous := r.Options.Previous; windows {
		next.IntervalSeconds, next.Usage = previous.IntervalSeconds, previous.Usage
	}
	if tree {
		next.Tree = r.Options.Previous.Tree
	}
}

// unused says what of the state that was left this policy does not use.
func unused(r *evaluation.Result) (windows, tree bool) {
	previous := r.Options.Previous
	if previous == nil {
		return false, false
	}
	return r.Program.Windows == nil && previous.IntervalSeconds != 0, r.Tree == nil && previous.Tree != nil
}

func sayUnused(r *evaluation.Result) {
	what := ""
	windows, tree := unused(r)
	if windows {
		what = "fairshare windows"
	}
	if tree {
		what = "the usage of an account tree"
	}
	if what != "" {
		r.Findings.Warnf("state-unused", source.Span{}, "the state has %s, which this policy does not use", what).
			Note("they are kept as they are, and what jobs use meanwhile is not added to them").
			Note("keep one state file for each policy that is evaluated regularly")
	}
}

// Reorder is the order of the waiting jobs by another program's priorities. Who
// waits, and what keeps a job from starting, stays as it is; the program may read
// only what the result's own reads.
func Reorder(r *evaluation.Result, p *program.Program) ([]int32, error) {
	machine, err := vm.Load(p)
	if err != nil {
		return nil, err
	}
	out, err := machine.Run(r.Scored.Binding, []program.Reg{p.Score, p.Priority}, max(1, r.Options.Workers))
	if err != nil {
		return nil, err
	}
	other := *r
	other.Program, other.Order, other.Queued = p, nil, nil
	score.Scores(&other, out)
	order.Rank(&other, r.Scored.Holds, nil)
	return other.Order, nil
}
