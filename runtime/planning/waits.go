package planning

import (
	"cmp"
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// occupant is who has a node until when: a request, or a reservation of the cluster.
type occupant struct {
	until       int64
	request     int // −1 for a reservation
	reservation int
}

// FillWaits says what jobs wait for where the planner has not: who has their nodes last before they
// start. Estimates hold nothing, so nobody waits for them, but other estimates where they fit together.
func FillWaits(s *backfill.Schedule) {
	var late []int
	for i := range s.Placements {
		if p := &s.Placements[i]; p.By != backfill.ByNone && p.By != backfill.ByRunning && p.Start > s.Now &&
			!slices.ContainsFunc(p.WaitsFor, binding) {
			late = append(late, i)
		}
	}
	if late == nil {
		return
	}
	nodes := occupants(s)
	for _, i := range late {
		p := &s.Placements[i]
		held := map[occupant][]int32{}
		for _, share := range p.Nodes {
			last := occupant{until: s.Now}
			for _, o := range nodes[share.Node] {
				if o.until <= p.Start && o.until > last.until && o.request != i && (o.request < 0 || stands(s, o.request, i)) {
					last = o
				}
			}
			if last.until > s.Now {
				held[last] = append(held[last], share.Node)
			}
		}
		for o, list := range held {
			slices.Sort(list)
			w := backfill.Wait{Kind: backfill.WaitReservation, Job: -1, Nodes: slices.Compact(list), Until: o.until}
			switch {
			case o.request < 0:
				w.Name = s.Cluster.Reservations[o.reservation].Name
			case s.Placements[o.request].Start <= s.Now:
				w.Kind, w.Job = backfill.WaitRunning, s.Requests[o.request].Job
			default:
				w.Kind, w.Job = backfill.WaitReserved, s.Requests[o.request].Job
			}
			p.WaitsFor = append(p.WaitsFor, w)
		}
		slices.SortFunc(p.WaitsFor, func(a, b backfill.Wait) int {
			return cmp.Or(cmp.Compare(b.Until, a.Until), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Job, b.Job),
				cmp.Compare(a.Name, b.Name), slices.Compare(a.Nodes, b.Nodes))
		})
	}
}

// binding reports what puts a start off; a setting alone says why nothing is kept for the job, and a reservation that
// it would run into comes after it.
func binding(w backfill.Wait) bool {
	return w.Kind != backfill.WaitSetting && w.Kind != backfill.WaitOverrun
}

// stands reports a request that has its nodes before another one: an estimate has them before estimates that were
// considered after it.
func stands(s *backfill.Schedule, request, other int) bool {
	return s.Placements[request].By != backfill.ByEstimate || s.Placements[other].By == backfill.ByEstimate &&
		request < other
}

// occupants lists who has each node: what runs, starts now or is reserved, estimates that fit together, and
// reservations.
func occupants(s *backfill.Schedule) [][]occupant {
	nodes := make([][]occupant, len(s.Cluster.Nodes))
	for i := range s.Placements {
		p := &s.Placements[i]
		if p.By == backfill.ByNone || p.By == backfill.ByEstimate && s.Alone == nil && s.Told == nil {
			continue
		}
		for _, share := range p.Nodes {
			nodes[share.Node] = append(nodes[share.Node], occupant{p.End, i, 0})
		}
	}
	for k := range s.Cluster.Reservations {
		v := &s.Cluster.Reservations[k]
		for _, node := range v.Nodes {
			nodes[node] = append(nodes[node], occupant{v.End, -1, k})
		}
	}
	return nodes
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
