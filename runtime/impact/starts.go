package impact

import (
	"cmp"
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/report/eval"
)

// Start is a waiting job that starts at another time. A time of nil is not known, or never.
type Start struct {
	Job
	OldStart *int64 `json:"old_start"` // epoch seconds
	NewStart *int64 `json:"new_start"`
	OldWait  *int64 `json:"old_wait_seconds"` // since it was submitted
	NewWait  *int64 `json:"new_wait_seconds"`
	Later    *int64 `json:"later_seconds"`    // negative if it starts sooner
	OldBy    string `json:"old_by,omitempty"` // as in a plan: main, backfill, reservation, estimate
	NewBy    string `json:"new_by,omitempty"`
	OldNever string `json:"old_never,omitempty"`
	NewNever string `json:"new_never,omitempty"`
	OldStop  string `json:"old_reason,omitempty"` // why no time is known, in the scheduler's own word
	NewStop  string `json:"new_reason,omitempty"`
}

// starts compares two plans, the largest delays first.
func (c *Comparison) starts(before, after Side) {
	if before.Plan == nil || after.Plan == nil {
		return
	}
	s := &c.Summary
	s.Planned = true
	x, y := startsOf(before), startsOf(after)
	compared, total := 0, int64(0)
	for job := range before.Result.Jobs.Rows {
		a, okA := x[int32(job)]
		b, okB := y[int32(job)]
		if !okA && !okB || !eval.Waits(before.Result, job) || !eval.Waits(after.Result, job) {
			continue
		}
		s.count(a, b, before.Result.Now, after.Result.Now)
		row := Start{OldBy: string(a.By), NewBy: string(b.By), OldNever: a.Never, NewNever: b.Never, OldStop: stop(a),
			NewStop: stop(b)}
		row.OldStart, row.OldWait = times(before.Result, job, a)
		row.NewStart, row.NewWait = times(after.Result, job, b)
		if starts(a) && starts(b) {
			later := b.Start - a.Start
			row.Later = &later
			total += later
			compared++
		}
		if changed(a, b) {
			row.Job = jobOf(before.Result, job)
			c.Starts = append(c.Starts, row)
		}
	}
	if compared > 0 {
		s.MeanDelaySeconds = float64(total) / float64(compared)
	}
	if s.Starts > 0 {
		s.StartsChanged = float64(len(c.Starts)) / float64(s.Starts)
	}
	slices.SortStableFunc(c.Starts, func(a, b Start) int { return -cmp.Compare(a.size(), b.size()) })
}

// count adds a job whose placement was a and is b, as of two moments.
func (s *Summary) count(a, b backfill.Placement, was, is int64) {
	for _, n := range []struct {
		in    *int
		holds bool
	}{
		{&s.Starts, true},
		{&s.OldNow, starts(a) && a.Start <= was}, {&s.NewNow, starts(b) && b.Start <= is},
		{&s.LostReservation, kept(a, b)}, {&s.FoundReservation, kept(b, a)},
		{&s.LostStart, starts(a) && !starts(b)}, {&s.FoundStart, starts(b) && !starts(a)},
		{&s.Later, starts(a) && starts(b) && b.Start > a.Start},
		{&s.Sooner, starts(a) && starts(b) && b.Start < a.Start},
	} {
		if n.holds {
			*n.in++
		}
	}
	if starts(a) && starts(b) {
		s.MaxDelaySeconds = max(s.MaxDelaySeconds, b.Start-a.Start)
	}
}

// kept reports a reservation that is only an estimate in the other plan.
func kept(a, b backfill.Placement) bool {
	return a.By == backfill.ByReservation && b.By == backfill.ByEstimate
}

// changed reports a job that starts at another time, or whose start is known, kept or possible on one side only.
func changed(a, b backfill.Placement) bool {
	switch {
	case starts(a) && starts(b):
		return a.Start != b.Start || kept(a, b) || kept(b, a)
	case !starts(a) && !starts(b):
		return (a.Never == "") != (b.Never == "")
	}
	return true
}

// stop is why no time is known.
func stop(p backfill.Placement) string {
	if starts(p) {
		return ""
	}
	return p.Reason
}

// Was is when the job started by the old policy, or why no time is known.
func (s *Start) Was() string { return startText(s.OldStart, s.OldBy, s.OldNever, s.OldStop) }

// Is is the same by the new one.
func (s *Start) Is() string { return startText(s.NewStart, s.NewBy, s.NewNever, s.NewStop) }

func (s *Start) size() int64 {
	if s.Later == nil {
		return 1 << 60
	}
	return abs(*s.Later)
}

// startsOf are the placements of jobs that have a row of their own; tasks that an array's record stands for are
// planned, too, and its first one is the record's.
func startsOf(side Side) map[int32]backfill.Placement {
	out := map[int32]backfill.Placement{}
	for _, p := range side.Plan.Placements {
		if int(p.Job) < side.Result.Jobs.Rows {
			out[p.Job] = p
		}
	}
	return out
}

// starts reports that a time is known. It may be 0: the clock of a trace begins there.
func starts(p backfill.Placement) bool { return p.By != backfill.ByNone }

func times(r *evaluation.Result, job int, p backfill.Placement) (at, wait *int64) {
	if !starts(p) {
		return nil, nil
	}
	start := p.Start
	if v := r.Jobs.Value("job.submit_time", job); v.Known() {
		w := start - v.Int
		wait = &w
	}
	return &start, wait
}
