package engine

import (
	"slices"

	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/limit"
)

// maui decides which jobs may start as Maui does in one iteration, and keeps the priorities that
// it stores in the end.
func (r *Result) maui(s *selection, holds []column.Bitmap, o Options) error {
	started, err := r.startable(o.Started)
	if err != nil {
		return err
	}
	backfilled, err := r.startable(o.Backfilled)
	if err != nil {
		return err
	}
	for _, job := range backfilled {
		if !slices.Contains(started, job) {
			started = append(started, job)
		}
	}
	s.prepare(holds)
	eligible, err := s.run(started, backfilled)
	if err != nil {
		return err
	}
	r.Why, r.Stored = map[int32]*Block{}, s.scorer.priority
	r.Started, r.Limits, r.scorer = started, s.gate, s.scorer
	may := make([]bool, r.Jobs.Rows)
	for _, job := range eligible {
		may[job] = true
	}
	shown := r.shownIdle()
	for job := range int32(r.Jobs.Rows) {
		switch {
		case r.State[job] == Done || r.State[job] == Running:
		case s.running[job]:
			r.State[job], r.Reason[job] = Running, ""
		case may[job]:
			r.State[job], r.Reason[job] = Eligible, ""
		case !s.scorer.failed.Get(int(job)):
			r.stop(job, s.block(job), shown)
		}
	}
	r.Idle = r.listed(eligible)
	s.gate.ResetIdle() // the walks' counts end with them
	for _, job := range eligible {
		s.gate.AddIdle(int(job))
	}
	r.RunPriority = s.runPriorities()
	return nil
}

// listed puts the eligible jobs in the order of showq: by stored priority, and equal ones as
// the hard walk had them, which went by the priorities before queue times were renewed (recorded:
// r03). Those that only the manual shows there come last among equals.
func (r *Result) listed(eligible []int32) []int32 {
	order := slices.Clone(eligible)
	for job, state := range r.State {
		if state == Eligible && r.Why[int32(job)] != nil {
			order = append(order, int32(job))
		}
	}
	return descending(order, func(job int) int64 { return r.Stored[job] })
}

// shownIdle are the jobs that the manual's queue shows among the idle ones although an active
// limit stops them (Δ28): those within the limits of idle jobs. nil: none.
func (r *Result) shownIdle() []bool {
	if !r.Program.Documented("queue_display") {
		return nil
	}
	shown := make([]bool, r.Jobs.Rows)
	for _, job := range r.Taken[limit.Hard] {
		shown[job] = true
	}
	return shown
}

// stop notes why a waiting job is not eligible. What a person or the policy's own rules hold
// stays held.
func (r *Result) stop(job int32, b *Block, shown []bool) {
	r.Why[job], r.Reason[job] = b, b.Text
	switch {
	case b.Kind == BlockHold || b.Kind == BlockPolicy:
		r.State[job] = Held
	case shown != nil && shown[job] && b.Limit != nil && b.Limit.Phase == limit.Active:
		r.State[job] = Eligible
	default:
		r.State[job] = Blocked
	}
}

// prepare says of each job whether it runs, and what stops it whatever others do.
func (s *selection) prepare(holds []column.Bitmap) {
	r := s.result
	s.running, s.stopped, s.procsUp = make([]bool, r.Jobs.Rows), make([]*Block, r.Jobs.Rows), procsUp(r.Snapshot.Nodes)
	for job, state := range r.State {
		switch state {
		case Running:
			s.running[job] = true
		case Done:
		default:
			s.stopped[job] = s.stop(job, holds)
		}
	}
}

// StartError is a job of Options.Started or Backfilled that cannot start.
type StartError struct{ ID, Problem string }

func (e *StartError) Error() string { return "job " + e.ID + " is to start, but " + e.Problem }

// startable finds the waiting jobs of the given ids.
func (r *Result) startable(ids []string) ([]int32, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	index := map[string]int32{}
	for job := range r.Jobs.Rows {
		index[r.jobID(job)] = int32(job)
	}
	var jobs []int32
	for _, id := range ids {
		job, ok := index[id]
		switch {
		case !ok:
			return nil, &StartError{id, "the snapshot has no such job"}
		case r.State[job] == Running || r.State[job] == Done:
			return nil, &StartError{id, "it is " + r.State[job].String() + " already"}
		case slices.Contains(jobs, job):
			return nil, &StartError{id, "it is named twice"}
		}
		jobs = append(jobs, job)
	}
	return jobs, nil
}
