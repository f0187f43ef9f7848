package maui

import "slices"

// Twice is a node with more given away at a time than it has, or than a standing reservation leaves of it.
type Twice struct {
	Node     int32
	At       int64
	Jobs     []int32 // who have it then, in the order in which they were given it
	Standing string  // the reservation; "" if the jobs alone have too much
}

// Twice lists the first such time of each node. Maui itself plans so: a node on which room shrinks within a job's time
// is as good to it as one on which it does not, as long as something is left (recorded: b04-respolicy-highest, b09).
// What runs already is no plan and not reported.
func (p *Planner) Twice() (list []Twice) {
	for i := range p.nodes {
		if t, ok := p.twice(&p.nodes[i]); ok {
			list = append(list, t)
		}
	}
	return list
}

func (p *Planner) twice(n *node) (Twice, bool) {
	if len(n.holds) == 0 {
		return Twice{}, false
	}
	for _, at := range slices.Clone(p.moments(n, p.now)) {
		var jobs []int32
		planned := false
		for _, h := range n.holds {
			if at >= h.start && at < h.end {
				jobs = append(jobs, h.job)
				planned = planned || h.start >= p.now
			}
		}
		free := &n.profile[n.profile.at(at)].free
		switch {
		case !planned:
		case free.overdrawn():
			return Twice{Node: n.index, At: at, Jobs: jobs}, true
		default:
			for _, s := range n.standing {
				if others := p.outside(n, s, at); at >= s.start && at < s.end && len(others) > 0 && !s.whole {
					left := free.clone()
					if p.keepOut(n, s, &p.jobs[others[0]], at, at, &left); left.overdrawn() {
						return Twice{Node: n.index, At: at, Jobs: others, Standing: s.name}, true
					}
				}
			}
		}
	}
	return Twice{}, false
}

// outside are those that this iteration puts on a node at a time and that a reservation does not admit.
func (p *Planner) outside(n *node, s *piece, at int64) (jobs []int32) {
	for _, h := range n.holds {
		if h.start < p.now || at < h.start || at >= h.end {
			continue
		}
		if _, ok := s.serves(&p.jobs[h.job], h.start); !ok {
			jobs = append(jobs, h.job)
		}
	}
	return jobs
}

// overdrawn reports amounts that are taken beyond what there is. Slots of classes are no resource: starts do not count
// them.
func (a *amounts) overdrawn() bool {
	return a.procs < 0 || a.mem < 0 || a.swap < 0 || a.disk < 0 ||
		slices.ContainsFunc(a.gres, func(n int64) bool { return n < 0 })
}
