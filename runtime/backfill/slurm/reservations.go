package slurm

import "github.com/fairway-sched/fairway/runtime/backfill"

// What advance reservations leave to a job is what job_test_resv says: a job without one gets no nodes that some
// reservation has at any time while it would run; a job of a reservation only that one's nodes, within its time. A
// reservation of all of a partition for maintenance moves the job after it. Of a reservation that comes again
// slurmctld knows the present or next time alone (observed with 22.05): overruns.go says what becomes of plans that
// run into a later one.

// outcome of asking the reservations.
type outcome uint8

const (
	open    outcome = iota // the nodes left are usable
	closed                 // all that the job may use is reserved; it cannot start at the time asked about
	unusual                // the reservation that it asked for cannot be used then
)

// unreserved takes out of nodes those that are reserved against a job that starts at a time. With move, the time is
// moved after reservations that leave nothing. overlaps tells that some reservation took nodes away.
func (p *planner) unreserved(e *Entry, w *want, at, seconds int64, move bool, nodes set) (from int64, overlaps bool,
	result outcome) {
	r := &p.in.Waiting[e.Request]
	clear(p.held)
	if r.Reservation != "" {
		return p.ownReservation(e, r, at, seconds, nodes)
	}
	const tries = 10
	for try := 0; ; try++ {
		overlaps = false
		blocked := int64(0)
		taken := p.scratch(&p.reserved)
		clear(taken)
		clear(p.held)
		for k := range p.in.Cluster.Reservations {
			v := &p.in.Cluster.Reservations[k]
			if v.Start >= at+seconds || v.End <= at || len(v.Nodes) == 0 || p.in.Cluster.Follows(k) {
				continue
			}
			all := p.reservedNodes(k)
			if v.Maintenance && p.partitions[e.Partition].within(all) || w.required != nil && w.required.meets(all) &&
				(w.alone || v.Amounts.Procs == 0) {
				blocked = v.End
				break
			}
			if v.Amounts.Procs == 0 || w.alone {
				taken.or(all)
			} else if p.partitions[e.Partition].meets(all) {
				p.holdProcs(v, false)
			}
			overlaps = overlaps || p.partitions[e.Partition].meets(all)
		}
		if blocked == 0 {
			nodes.without(taken)
			return at, overlaps, open
		}
		if !move || try == tries {
			return at, overlaps, closed
		}
		at = blocked
	}
}

// ownReservation is for a job that asked for one.
func (p *planner) ownReservation(e *Entry, r *backfill.Request, at, seconds int64, nodes set) (int64, bool, outcome) {
	own := int(p.in.Cluster.Current(r.Reservation, p.now))
	if own < 0 {
		return at, false, unusual
	}
	v := &p.in.Cluster.Reservations[own]
	switch {
	case v.Admits != nil && !v.Admits(r):
		return at, false, unusual
	case v.Flexible: // bound neither to its nodes nor to its time
	case at < v.Start, at > v.End:
		return at, false, unusual
	default:
		if nodes.and(p.reservedNodes(own)); v.Amounts.Procs > 0 {
			p.holdProcs(v, true)
		}
	}
	overlaps := false
	if !v.Maintenance {
		for k := range p.in.Cluster.Reservations {
			o := &p.in.Cluster.Reservations[k]
			if k == own || o.Start >= at+seconds || o.End <= at || o.Amounts.Procs != 0 || p.in.Cluster.Follows(k) {
				continue
			}
			if all := p.reservedNodes(k); nodes.meets(all) {
				overlaps = true
				nodes.without(all)
			}
		}
	}
	return at, overlaps, open
}

// holdProcs keeps processors of a reservation that has part of its nodes from a job, or all others if the job is one of
// its own. Those of its jobs that run are in use already.
func (p *planner) holdProcs(v *backfill.Reservation, own bool) {
	if p.held == nil {
		p.held = make([]int64, len(p.nodes))
	}
	mine := make([]int64, len(p.nodes))
	for _, h := range p.running {
		if p.requestOf(h).Reservation == v.Name {
			for _, s := range h.shares {
				mine[s.node] += s.procs
			}
		}
	}
	for _, i := range v.Nodes {
		if own {
			p.held[i] = max(0, p.nodes[i].Capacity.Procs-(p.use.procs[i]-mine[i])-v.Amounts.Procs)
		} else {
			p.held[i] += max(0, v.Amounts.Procs-mine[i])
		}
	}
}

// reservedNodes are the nodes of a reservation.
func (p *planner) reservedNodes(k int) set {
	if p.reservations == nil {
		p.reservations = make([]set, len(p.in.Cluster.Reservations))
	}
	if p.reservations[k] == nil {
		s := newSet(len(p.nodes))
		for _, i := range p.in.Cluster.Reservations[k].Nodes {
			s.add(i)
		}
		p.reservations[k] = s
	}
	return p.reservations[k]
}

// reservationEnd is the first end of a reservation from a time on, rounded up to a slot; 0 if there is none
// (find_resv_end).
func (p *planner) reservationEnd(at int64) int64 {
	end, resolution := int64(0), p.in.Settings.ResolutionSeconds
	for k := range p.in.Cluster.Reservations {
		if v := &p.in.Cluster.Reservations[k]; !p.in.Cluster.Follows(k) && at <= v.End && (end == 0 || v.End < end) {
			end = v.End
		}
	}
	return (end + resolution - 1) / resolution * resolution
}
