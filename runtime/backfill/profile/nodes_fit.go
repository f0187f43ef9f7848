package profile

import (
	"cmp"
	"slices"
)

// search is one FirstFit of Nodes.
type search struct {
	n       *Nodes
	d       *Demand
	seconds int64
	need    int64 // nodes without which it is not worth to look closer
	below   []int // rows of levels at or below what a node must have free
	exact   bool  // the levels are just what is asked, and nothing else decides
	able    []uint64
	nodes   []int32
	tasks   []int64
}

// FirstFit is the earliest start, from after on and before before, at which the job fits for so many
// seconds, and where.
func (n *Nodes) FirstFit(d *Demand, after, before, seconds int64) (int64, []Share, bool) {
	g := &n.grid
	if !g.built {
		g.build(n)
	}
	after = max(after, n.origin)
	s := search{n: n, d: d, seconds: max(seconds, 1), need: max(d.Nodes, 1), able: make([]uint64, g.words)}
	s.exact = g.aligned && d.Fixed && d.Accept == nil && d.User == 0
	for i := range d.Base {
		if least := d.least(i); least > 0 {
			below, above := g.around(i, least)
			if below >= 0 {
				s.below = append(s.below, below)
			}
			s.exact = s.exact && below >= 0 && below == above
		}
	}
	for slot := g.slot(n, after); slot < g.slots; {
		from := max(after, g.begin(n, slot))
		if from >= before {
			break
		}
		next, last := s.slot(slot, from)
		if next == slot {
			until := min(before, g.begin(n, slot+1))
			if start, shares, ok := s.within(from, until, s.exact && last < g.slots-1); ok {
				return start, shares, true
			}
			next++
		}
		slot = next
	}
	return 0, nil, false
}

// slot leaves in able the nodes that may have room for a start in a slot, from from on. If too
// few have, it returns the first later slot for which that does not follow already: looked at from the
// end backward, the slot in which the nodes get too few stops every start before it.
// Last is the slot in which the earliest run ends.
func (s *search) slot(slot int, from int64) (next, last int) {
	g := &s.n.grid
	copy(s.able, s.d.Eligible)
	last = g.slot(s.n, End(from, s.seconds)-1)
	for k := last; k >= slot; k-- {
		of := g.through
		if k == last || k == slot {
			of = g.some
		}
		for _, row := range s.below {
			for i, w := range g.row(of, row, k) {
				s.able[i] &= w
			}
		}
		if (k == slot || (last-k)%4 == 0 || s.need == 1) && count(s.able) < s.need {
			return max(k, slot+1), last
		}
	}
	return slot, last
}

// within is the earliest start in [from, until) on the nodes left in able.
func (s *search) within(from, until int64, exact bool) (int64, []Share, bool) {
	if exact {
		shares := make([]Share, 0, s.need)
		s.nodes = each(s.nodes[:0], s.able)
		for _, node := range s.nodes[:s.need] {
			shares = append(shares, Share{Node: node, Tasks: s.d.Most})
		}
		return from, shares, true
	}
	s.nodes, s.tasks = each(s.nodes[:0], s.able), s.tasks[:0]
	fits := int64(0)
	for i, node := range s.nodes {
		tasks := s.n.during(s.d, node, from, End(from, s.seconds))
		s.tasks = append(s.tasks, tasks)
		if tasks > 0 {
			fits++
		}
		if fits == s.need && s.d.Fixed && s.d.Accept == nil {
			s.nodes = s.nodes[:i+1]
			break
		}
	}
	if shares, ok := s.d.share(s.nodes, s.tasks); ok {
		return from, shares, true
	}
	return s.sweep(from, until)
}

// change is a node's room from a time on.
type change struct {
	time  int64
	index int32 // into search.nodes
	tasks int64
}

// sweep goes through the moments after from at which the room of some node changes.
func (s *search) sweep(from, until int64) (int64, []Share, bool) {
	var changes []change
	var moments []int64
	for i, node := range s.nodes {
		l := &s.n.lines[node]
		moments = moments[:0]
		for k := l.index(from) + 1; k < len(l.at); k++ {
			if at := l.at[k]; at < until {
				moments = append(moments, at)
			} else if at-s.seconds+1 >= until {
				break
			}
			if at := l.at[k] - s.seconds + 1; at > from && at < until { // from then on the run reaches into this step
				moments = append(moments, at)
			}
		}
		slices.Sort(moments)
		tasks := s.tasks[i]
		for _, at := range moments {
			if now := s.n.during(s.d, node, at, End(at, s.seconds)); now != tasks {
				tasks = now
				changes = append(changes, change{at, int32(i), now})
			}
		}
	}
	slices.SortFunc(changes, func(a, b change) int { return cmp.Compare(a.time, b.time) })
	fits, room := int64(0), int64(0)
	for _, tasks := range s.tasks {
		room += tasks
		fits += min(tasks, 1)
	}
	for i := 0; i < len(changes); {
		at, better := changes[i].time, false
		for ; i < len(changes) && changes[i].time == at; i++ {
			c := changes[i]
			before := s.tasks[c.index]
			better = better || c.tasks > before
			room += c.tasks - before
			fits += min(c.tasks, 1) - min(before, 1)
			s.tasks[c.index] = c.tasks
		}
		if better && fits >= s.need && (s.d.Fixed || room >= s.d.Tasks) {
			if shares, ok := s.d.share(s.nodes, s.tasks); ok {
				return at, shares, true
			}
		}
	}
	return 0, nil, false
}
