package planning

import (
	"cmp"
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// FillWaits says what jobs wait for where the planner has not: who has their nodes last before they
// start. Estimates hold nothing, so no job waits for them, but other estimates where they fit together: those that were
// considered before. So the estimates come first, from the last to the first, and leave their nodes on the way.
func FillWaits(s *backfill.Schedule) {
	late := func(i int) bool {
		p := &s.Placements[i]
		return p.By != backfill.ByNone && p.By != backfill.ByRunning && p.Start > s.Now &&
			!slices.ContainsFunc(p.WaitsFor, binding)
	}
	var estimates, others []int
	for i := range s.Placements {
		switch {
		case s.Placements[i].By == backfill.ByEstimate:
			estimates = append(estimates, i)
		case late(i):
			others = append(others, i)
		}
	}
	if others == nil && !slices.ContainsFunc(estimates, late) {
		return
	}
	holders := backfill.HoldersOf(occupants(s), len(s.Cluster.Nodes))
	for _, i := range slices.Backward(estimates) {
		if holders.Leave(i); late(i) {
			fillWaits(s, i, holders)
		}
	}
	for _, i := range others {
		fillWaits(s, i, holders)
	}
}

// fillWaits says it of one job.
func fillWaits(s *backfill.Schedule, i int, holders *backfill.Holders) {
	p := &s.Placements[i]
	last := map[int32]int32{} // by share: of those that leave its node at once, the first
	for _, l := range holders.Before(p, s.Now, p.Start) {
		if at, ok := last[l.Share]; !ok || l.At < at {
			last[l.Share] = l.At
		}
	}
	held := map[int32][]int32{}
	for share, at := range last {
		held[at] = append(held[at], p.Nodes[share].Node)
	}
	for at, list := range held {
		slices.Sort(list)
		w := backfill.Wait{Kind: backfill.WaitReservation, Job: -1, Nodes: slices.Compact(list)}
		if k := int(at) - len(s.Placements); k >= 0 {
			w.Name, w.Until = s.Cluster.Reservations[k].Name, s.Cluster.Reservations[k].End
		} else {
			w.Kind, w.Job, w.Until = backfill.WaitReserved, s.Requests[at].Job, s.Placements[at].End
			if s.Placements[at].Start <= s.Now {
				w.Kind = backfill.WaitRunning
			}
		}
		p.WaitsFor = append(p.WaitsFor, w)
	}
	slices.SortFunc(p.WaitsFor, func(a, b backfill.Wait) int {
		return cmp.Or(cmp.Compare(b.Until, a.Until), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Job, b.Job),
			cmp.Compare(a.Name, b.Name), slices.Compare(a.Nodes, b.Nodes))
	})
}

// binding reports what puts a start off; a setting alone says why nothing is kept for the job, and a reservation that
// it would run into comes after it.
func binding(w backfill.Wait) bool {
	return w.Kind != backfill.WaitSetting && w.Kind != backfill.WaitOverrun
}

// occupants are who has nodes: what runs, starts now or is reserved, estimates that fit together, and reservations,
// which come after the placements of the schedule.
func occupants(s *backfill.Schedule) []backfill.Placement {
	list := slices.Clone(s.Placements)
	for i := range list {
		if list[i].By == backfill.ByEstimate && s.Alone == nil && s.Told == nil {
			list[i].By = backfill.ByNone
		}
	}
	for k := range s.Cluster.Reservations {
		v := &s.Cluster.Reservations[k]
		nodes := make([]backfill.Share, len(v.Nodes))
		for i, node := range v.Nodes {
			nodes[i].Node = node
		}
		list = append(list, backfill.Placement{By: backfill.ByReservation, Start: v.Start, End: v.End, Nodes: nodes})
	}
	return list
}

// GapFillers takes out of what a job with a reservation waits for the jobs that were considered after it: they have
// its nodes before it does only because it cannot have them yet.
func GapFillers(s *backfill.Schedule) {
	at := make(map[int32]int, len(s.Requests))
	for i := range s.Requests {
		at[s.Requests[i].Job] = i
	}
	for i := range s.Placements {
		p := &s.Placements[i]
		if p.By != backfill.ByReservation {
			continue
		}
		p.WaitsFor = slices.DeleteFunc(p.WaitsFor, func(w backfill.Wait) bool {
			other, ok := at[w.Job]
			return w.Kind == backfill.WaitReserved && ok && other > i
		})
	}
}

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
