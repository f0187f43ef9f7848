package profile

import (
	"cmp"
	"math/bits"
	"slices"
)

// search is one FirstFit of Nodes.
type search struct {
	n       *Nodes
	d       *Demand
	seconds int64
	need    int64   // the fewest nodes
	few     int64   // a node with room for fewer tasks is of no use
	full    int64   // no node has room for more, and
	enough  int64   // so many such nodes are enough; 0 if that is not known
	below   []int   // rows of levels at or below what a node must have free
	exact   bool    // the levels are just what is asked, and nothing else decides
	zero    []int32 // by word: no node of it has room for a start in a slot before
	known   []run   // the same, of all searches for so many seconds; nil if these are not remembered
	nodes   []int32
	tasks   []int64
	changes []change
	through [][]uint64
	some    [][]uint64
}

// FirstFit is the earliest start, from after on and before before, at which the job fits for so many
// seconds, and where.
func (n *Nodes) FirstFit(d *Demand, after, before, seconds int64) (int64, []Share, bool) {
	g := &n.grid
	if !g.built {
		g.build(n)
	}
	after = max(after, n.origin)
	if len(n.zero) < g.words {
		n.zero, n.rooms = make([]int32, g.words), make([]room, len(n.lines))
	}
	n.search++
	s := search{n: n, d: d, seconds: max(seconds, 1), need: max(d.Nodes, 1), zero: n.zero[:g.words]}
	if !s.bounds() {
		return 0, nil, false
	}
	s.recall(g.slot(n, after))
	s.exact = g.aligned && d.Fixed && d.Accept == nil && d.User == 0
	for i := range d.Base {
		if least := d.least(i, s.few); least > 0 {
			below, above := g.around(i, least)
			if below >= 0 {
				s.below = append(s.below, below)
			}
			s.exact = s.exact && below >= 0 && below == above
		}
	}
	s.through, s.some = make([][]uint64, len(s.below)), make([][]uint64, len(s.below))
	for slot := g.slot(n, after); slot < g.slots; {
		from := max(after, g.begin(n, slot))
		if from >= before {
			break
		}
		start, shares, next := s.slot(slot, from, min(before, g.begin(n, slot+1)))
		if shares != nil {
			return start, shares, true
		}
		slot = next
	}
	return 0, nil, false
}

// bounds finds what is known of the nodes that will do before any is looked at. It reports false if none ever will.
func (s *search) bounds() bool {
	d := s.d
	if d.Fixed {
		if s.few = d.Most; d.Accept == nil {
			s.full, s.enough = d.Most, s.need
		}
		return true
	}
	s.full = s.n.roomiest(d)
	if s.few = d.Fewest(s.full); s.full < s.few {
		return false
	}
	s.enough = max((d.Tasks+s.full-1)/s.full, s.need)
	return d.NodesMax == 0 || s.enough <= d.NodesMax
}

// slot is the earliest start in [from, until), which lies in one slot. If there is none it returns the
// first later slot for which that does not follow already.
func (s *search) slot(slot int, from, until int64) (int64, []Share, int) {
	g := &s.n.grid
	last := g.slot(s.n, End(from, s.seconds)-1)
	end, exact := End(from, s.seconds), s.exact && last < g.slots-1
	s.nodes, s.tasks = s.nodes[:0], s.tasks[:0]
	next, fits, full := int32(g.slots), int64(0), int64(0)
	for word := range s.zero {
		if int(s.zero[word]) > slot {
			next = min(next, s.zero[word])
			continue
		}
		able, zero := s.word(word, slot, last)
		s.zero[word] = zero
		if from > g.begin(s.n, slot) { // a start before it may be over before what is in the way
			s.note(word, slot+1, able, zero)
		} else {
			s.note(word, slot, able, zero)
		}
		next = min(next, max(zero, int32(slot+1)))
		for ; able != 0; able &= able - 1 {
			node := int32(word*64 + bits.TrailingZeros64(able))
			tasks := s.d.Most
			if !exact {
				tasks = s.during(node, from, end)
			}
			s.nodes, s.tasks = append(s.nodes, node), append(s.tasks, tasks)
			if tasks > 0 {
				fits++
			}
			if tasks == s.full { // no node after these is preferred to them
				if full++; full == s.enough {
					shares, _ := s.d.share(s.nodes, s.tasks)
					return from, shares, 0
				}
			}
		}
	}
	if int64(len(s.nodes)) < s.need || exact {
		return 0, nil, int(next)
	}
	if fits >= s.need {
		if shares, ok := s.d.share(s.nodes, s.tasks); ok {
			return from, shares, 0
		}
	}
	if start, shares, ok := s.sweep(from, until); ok {
		return start, shares, 0
	}
	return 0, nil, slot + 1
}

// word are the nodes of a word that may have room for a start in a slot whose run ends in last or
// after it. Looked at from the end backward, the slot in which none is left stops every start before it,
// for they all run through it: zero is that slot.
func (s *search) word(word, slot, last int) (able uint64, zero int32) {
	g := &s.n.grid
	if able = s.d.Eligible[word]; able == 0 {
		return 0, int32(g.slots)
	}
	for i, row := range s.below {
		s.through[i], s.some[i] = g.row(g.through, row, word), g.row(g.some, row, word)
		able &= s.some[i][last]
	}
	k := last
	switch {
	case len(s.below) == 1:
		only := s.through[0]
		for k--; k > slot && able != 0; k-- {
			able &= only[k]
		}
	case len(s.below) == 2:
		one, two := s.through[0], s.through[1]
		for k--; k > slot && able != 0; k-- {
			able &= one[k] & two[k]
		}
	default:
		for k--; k > slot && able != 0; k-- {
			for i := range s.through {
				able &= s.through[i][k]
			}
		}
	}
	if able == 0 {
		return 0, int32(max(k+1, slot+1))
	}
	for i := range s.some {
		able &= s.some[i][slot]
	}
	return able, int32(slot + 1)
}

// room is how many tasks a node has room for during the run last looked at.
type room struct {
	search int32
	next   int32 // the first step after the run
	least  int32 // the last step that has no more room than that
	tasks  int64
}

// during is how many tasks a node has room for at every moment of a span. A search asks for later and later
// spans of equal length: as long as the least step is in it, only what is new is looked at.
func (s *search) during(node int32, from, to int64) int64 {
	l, r := &s.n.lines[node], &s.n.rooms[node]
	begin := -1
	if r.search != s.n.search {
		begin = l.index(from)
	} else if gone := int(r.least) + 1; gone < len(l.at) && l.at[gone] <= from {
		for begin = gone; begin+1 < len(l.at) && l.at[begin+1] <= from; begin++ {
		}
	}
	if begin >= 0 {
		*r = room{search: s.n.search, next: int32(begin), least: int32(begin), tasks: s.d.Most}
	}
	private := s.n.private[node]
	for ; r.tasks > 0 && int(r.next) < len(l.at) && l.at[r.next] < to; r.next++ {
		tasks := s.d.fit(l, int(r.next), private)
		if tasks < s.few {
			tasks = 0
		}
		if tasks <= r.tasks {
			r.tasks, r.least = tasks, r.next
		}
	}
	return r.tasks
}

// mayChange is when a run that starts later than the one last looked at may find other room on a node: when the
// least step is over, or when the run reaches into a later step.
func (s *search) mayChange(node int32) int64 {
	l, r, at := &s.n.lines[node], &s.n.rooms[node], Forever
	if gone := int(r.least) + 1; gone < len(l.at) {
		at = l.at[gone]
	}
	if r.tasks > 0 && int(r.next) < len(l.at) {
		at = min(at, l.at[r.next]-s.seconds+1)
	}
	return at
}

// change is a node's room from a time on.
type change struct {
	time  int64
	index int32 // into search.nodes
	tasks int64
}

// sweep goes through the moments after from at which the room of some node changes.
func (s *search) sweep(from, until int64) (int64, []Share, bool) {
	changes := s.changes[:0]
	for i, node := range s.nodes {
		tasks := s.tasks[i]
		for at := s.mayChange(node); at < until; at = s.mayChange(node) {
			if now := s.during(node, at, End(at, s.seconds)); now != tasks {
				tasks = now
				changes = append(changes, change{at, int32(i), now})
			}
		}
	}
	s.changes = changes
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
