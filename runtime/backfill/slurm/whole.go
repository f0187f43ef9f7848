package slurm

import (
	"math"
	"slices"
	"sort"
)

// A job that has nodes whole can have one once the last job there has ended. So what the will-run test comes to by
// letting jobs end one after the other is found for it by counting nodes in the order in which they come free.

// wholeTimes says of each node with which of the running jobs, in the order of their ends, the last one there ends.
type wholeTimes struct {
	jobs  int     // planner.epoch that it is made for
	last  []int32 // by node: index of that job; -1 if nothing runs there
	order []int32 // nodes by that
	some  []set   // the first stride nodes of the order, twice as many and so on
}

// whole are the times for the jobs that run now.
func (p *planner) whole() *wholeTimes {
	f, ends := &p.wholes, p.byEnd()
	if f.last != nil && f.jobs == p.epoch {
		return f
	}
	if f.last == nil {
		f.last, f.order = make([]int32, len(p.nodes)), make([]int32, len(p.nodes))
		for range len(p.nodes) / stride {
			f.some = append(f.some, newSet(len(p.nodes)))
		}
	}
	f.jobs = p.epoch
	for i := range f.last {
		f.last[i] = -1
	}
	for k, h := range ends {
		for _, s := range h.shares {
			f.last[s.node] = int32(k)
		}
	}
	f.order = f.order[:0]
	for i, last := range f.last {
		if last < 0 {
			f.order = append(f.order, int32(i))
		}
	}
	for k, h := range ends {
		for _, s := range h.shares {
			if f.last[s.node] == int32(k) {
				f.order = append(f.order, s.node)
			}
		}
	}
	for k, s := range f.some {
		if clear(s); k > 0 {
			copy(s, f.some[k-1])
		}
		for _, i := range f.order[k*stride : (k+1)*stride] {
			s.add(i)
		}
	}
	return f
}

// first is the place in the order of the nth node of a set; -1 if it has fewer.
func (f *wholeTimes) first(n int64, among set) int {
	block := sort.Search(len(f.some), func(k int) bool { return int64(f.some[k].common(among)) >= n })
	if block > 0 {
		n -= int64(f.some[block-1].common(among))
	}
	return f.nth(n, block*stride, among)
}

// nth is the place of the nth node of a set from a place on; -1 if it has fewer.
func (f *wholeTimes) nth(n int64, at int, among set) int {
	for ; at < len(f.order); at++ {
		if among.has(f.order[at]) {
			if n--; n <= 0 {
				return at
			}
		}
	}
	return -1
}

// upTo puts those nodes of a set into out that are free once the jobs up to last have ended, and counts them. It
// returns the place of the first node of the order that is not.
func (f *wholeTimes) upTo(last int32, among, out set) (n int64, end int) {
	end = sort.Search(len(f.order), func(k int) bool { return f.last[f.order[k]] > last })
	if whole := end / stride; whole == 0 {
		clear(out)
	} else {
		for k, w := range f.some[whole-1] {
			out[k] = w & among[k]
		}
	}
	for _, i := range f.order[end/stride*stride : end] {
		if among.has(i) {
			out.add(i)
		}
	}
	return int64(out.count()), end
}

// takesWhole reports a want that only nodes without jobs meet, and all of them alike.
func (p *planner) takesWhole(w *want) bool {
	return w.alone && !p.plain && !w.wantsGres() && w.switches == 0
}

// chooseWhole chooses among nodes on which nothing is left.
func (p *planner) chooseWhole(w *want, nodes set) []share { return p.choose(w, p.nothing(), nodes) }

// oneByOneWhole is oneByOne.
func (p *planner) oneByOneWhole(w *want, avail set) start {
	f, ends := p.whole(), p.byEnd()
	among, free := p.scratch(&p.among), p.scratch(&p.look)
	copy(among, avail)
	among.and(w.fit)
	for at := f.first(w.nodesMin, among); at >= 0; {
		last := f.last[f.order[at]]
		_, next := f.upTo(last, among, free)
		if last >= 0 { // with nothing ended it has been tried
			if nodes := p.chooseWhole(w, free); nodes != nil {
				return start{p.endOf(ends[last]), nodes}
			}
		}
		at = f.nth(1, next, among)
	}
	return start{}
}

// inWindowsWhole is inWindows.
func (p *planner) inWindowsWhole(w *want, avail set, from, until int64) start {
	f, ends := p.whole(), p.byEnd()
	among, free := p.scratch(&p.among), p.scratch(&p.look)
	copy(among, avail)
	among.and(w.fit)
	k, limit := 0, len(ends)
	if p.rules.fromStart && from > 0 {
		k = endedBy(ends, from)
		if n, _ := f.upTo(int32(k-1), among, free); n >= w.nodesMin {
			if nodes := p.chooseWhole(w, free); nodes != nil {
				return start{p.now, nodes}
			}
		}
	}
	if p.rules.fromStart && until > 0 {
		limit = max(k, endedBy(ends, until))
	}
	enough := f.first(w.nodesMin, among)
	if enough < 0 {
		return start{}
	}
	begin, first, window := k, k, int64(firstWindowSeconds)
	for first < limit && !ends[first].meets(avail) {
		first++
	}
	if first == limit {
		return start{}
	}
	since := ends[first].end + window - ends[first].end%window
	for k < limit {
		last := p.lastOf(ends[:limit], k, since+window, avail)
		if last < 0 {
			break
		}
		if int32(last) >= f.last[f.order[enough]] {
			f.upTo(int32(last), among, free)
			if nodes := p.chooseWhole(w, free); nodes != nil {
				return start{p.released(ends[begin:last+1], nodes), nodes}
			}
		}
		if k = last + 1; k < limit {
			window = p.wider(window, ends[k].end-since)
		}
	}
	return start{}
}

// lastOf is the last job that ends within a time window: of those that have some of the nodes the first from the last
// one within the window on, or if there is none, the last before; -1 if there is none of these either.
func (p *planner) lastOf(ends []*holding, k int, window int64, avail set) int {
	within := max(k, endedBy(ends, window)-1)
	for last := within; last < len(ends); last++ {
		if ends[last].meets(avail) {
			return last
		}
	}
	for last := within - 1; last >= k; last-- {
		if ends[last].meets(avail) {
			return last
		}
	}
	return -1
}

// endedBy counts the jobs that have ended by a time.
func endedBy(ends []*holding, t int64) int {
	return sort.Search(len(ends), func(k int) bool { return ends[k].end > t })
}

// soonestWhole is soonest.
func (p *planner) soonestWhole(w *want) int64 {
	f := p.whole()
	at := f.first(w.nodesMin, w.fit)
	switch {
	case at < 0:
		return math.MaxInt64
	case f.last[f.order[at]] < 0:
		return 0
	}
	return p.byEnd()[f.last[f.order[at]]].end
}

// insertEnd puts a job into the order of the ends.
func (p *planner) insertEnd(h *holding) {
	if p.ends != nil {
		at, _ := slices.BinarySearchFunc(p.ends, h, p.endsFirst)
		for at < len(p.ends) && p.endsFirst(p.ends[at], h) == 0 { // after the tasks of its array that started before
			at++
		}
		p.ends = slices.Insert(p.ends, at, h)
	}
}
