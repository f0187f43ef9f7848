package backfill

import (
	"slices"

	"github.com/fairway-sched/fairway/runtime/program"
)

// Project gives times to requests that a scheduler's own passes leave without one: as if these went on, each starts at
// the first time at which it fits beside all that runs, starts now, is reserved or was placed before it, on nodes of
// its own. They are the last requests of s, those beyond its placements. The placements
// that are returned are theirs; the requests are no longer the caller's. Where the scheduler has no backfill (ordered), no job starts before those that come
// before it and may use the same nodes. Limits know what runs, and are notified of what was placed. A job for which
// there is no time says why.
func Project(s *Schedule, ordered bool, limits Limits, watch func(done, total int) error) ([]Placement, error) {
	fixed := len(s.Placements)
	s.Placements = slices.Concat(s.Placements, make([]Placement, len(s.Requests)-fixed))
	t, err := s.newSettled(&program.NativePlan{Algorithm: "firstfit"}, forProjection)
	if err != nil {
		return nil, err
	}
	p := t.planner
	p.ordered, p.limits, p.watch, p.passed = ordered, limits, watch, true
	p.expect()
	for i := range fixed {
		if pl := &s.Placements[i]; limits != nil && pl.By != ByNone && pl.By != ByRunning {
			limits.Add(&s.Requests[i], pl.Partition, pl.Start, pl.End)
		}
		if at := t.place[i]; at >= 0 {
			p.schedule.Placements[at] = s.Placements[i] // others may wait for its end
		}
	}
	for k := fixed; k < len(s.Requests); k++ {
		i := t.place[k]
		pl := &p.schedule.Placements[i]
		pl.Job = s.Requests[k].Job
		if pl.Never = p.never(i); pl.Never != "" {
			pl.Reason = ReasonNever
			continue
		}
		p.waiting = append(p.waiting, i)
	}
	if p.estimate(); p.stopped != nil {
		return nil, p.stopped
	}
	for k := fixed; k < len(s.Requests); k++ {
		s.Placements[k] = p.schedule.Placements[t.place[k]]
	}
	return s.Placements[fixed:], nil
}

// Never says of requests, each as if it were alone, what no time can give it; "" if it may run some day. watch is
// asked from time to time, and ends it with the error that it returns.
func Never(c *Cluster, list []Request, now int64, watch func(done, total int) error) ([]string, error) {
	p, err := newPlanner(c, list, &program.NativePlan{Algorithm: "firstfit"}, nil, now)
	if err != nil {
		return nil, err
	}
	out := make([]string, len(list))
	for i := range list {
		if i%64 == 0 {
			if err := watch(i, len(list)); err != nil {
				return nil, err
			}
		}
		out[i] = p.never(i)
	}
	return out, nil
}
