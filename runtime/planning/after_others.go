package planning

import (
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// afterOthers is when the dependencies of a request are met by the plan, as the planner has it (sbatch, --dependency).
func afterOthers(s *backfill.Schedule, at int) (met int64, known bool) {
	r, own := &s.Requests[at], &s.Placements[at]
	if len(r.After)+len(r.AfterStart) == 0 {
		return 0, !slices.ContainsFunc(own.WaitsFor, func(w backfill.Wait) bool { return w.Kind == backfill.WaitDependency })
	}
	places := make(map[int32]*backfill.Placement, len(s.Requests))
	for i := range s.Requests {
		places[s.Requests[i].Job] = &s.Placements[i]
	}
	var times []int64
	add := func(job int32, end bool, delay int64) {
		time := backfill.Forever
		if p := places[job]; p != nil && p.By != backfill.ByNone {
			if time = p.Start + delay; end {
				time = p.End
			}
		}
		times = append(times, time)
	}
	for _, job := range r.After {
		add(job, true, 0)
	}
	for k, job := range r.AfterStart {
		add(job, false, r.AfterStartSeconds[k])
	}
	unknown := func(w backfill.Wait) bool { return w.Kind == backfill.WaitDependency && w.Job < 0 }
	if met = slices.Max(times); r.AfterAny {
		met = slices.Min(times)
	} else if slices.ContainsFunc(own.WaitsFor, unknown) {
		return 0, false
	}
	return met, met < backfill.Forever
}
