package profile

import (
	"container/heap"
	"math/bits"
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
	ladder  []rung  // from the roomiest nodes down; empty where any node is as good as another
	rows    []int   // of the rungs
	zero    []int32 // by word: no node of it has room for a start in a slot before
	known   []run   // the same, of all searches for so many seconds; nil if these are not remembered
	changes changes
	order   []Share
	through [][]uint64
	some    [][]uint64

	// of the slot that is looked at
	first, last int      // that a run from its begin reaches
	from, end   int64    // the run
	able        []uint64 // by word: nodes that may have room for a start in it
	count       int64    // of them
	most        int64    // tasks that they may have room for
	seen        []uint64 // those that have been looked at, which are
	nodes       []int32
	tasks       []int64 // and for how many tasks they have room
	firsts      int64   // to which none that is still to be looked at is preferred, and
	firstRoom   int64   // tasks that these have room for
	low         int64   // of those that have room for as many tasks and more
	fits, room  int64   // number, and tasks
	pending     []int64 // the tasks of others
}

// rung are nodes that may have room for as many tasks as high, and for fewer than the rung above; those of the rungs
// below have no room for low.
type rung struct {
	low, high   int64
	first, past int  // into search.rows: levels at or below what such a node must have free
	exact       bool // the levels are just that, and nothing else decides
}

// FirstFit is the earliest start, from after on and before before, at which the job fits for so many
// seconds, and where.
func (n *Nodes) FirstFit(d *Demand, after, before, seconds int64) (int64, []Share, bool) {
	g := &n.grid
	if !g.built {
		g.build(n)
	}
	after = max(after, n.origin)
	s := n.begin(d, seconds)
	if !s.bounds() {
		return 0, nil, false
	}
	s.recall(g.slot(after))
	s.levels()
	for slot := g.slot(after); slot < g.slots; {
		from := max(after, g.begin(slot))
		if from >= before {
			break
		}
		start, shares, next := s.slot(slot, from, min(before, g.begin(slot+1)))
		if shares != nil {
			return start, shares, true
		}
		slot = next
	}
	return 0, nil, false
}

// begin makes a search of what the last one has left.
func (n *Nodes) begin(d *Demand, seconds int64) *search {
	g, s := &n.grid, &n.last
	if len(s.zero) < g.words {
		s.zero, s.able, s.seen = make([]int32, g.words), make([]uint64, g.words), make([]uint64, g.words)
	}
	n.search++
	*s = search{n: n, d: d, seconds: max(seconds, 1), need: max(d.Nodes, 1), zero: s.zero, able: s.able, seen: s.seen,
		below: s.below[:0], ladder: s.ladder[:0], rows: s.rows[:0], nodes: s.nodes[:0], tasks: s.tasks[:0],
		pending: s.pending[:0], changes: s.changes[:0], order: s.order, through: s.through[:0], some: s.some[:0]}
	return s
}

// bounds finds what is known of the nodes that will do before any is looked at. It reports false if none ever will.
func (s *search) bounds() bool {
	d := s.d
	if d.Fixed {
		if s.few, s.full = d.Most, d.Most; d.Accept == nil {
			s.enough = s.need
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

// levels finds the rows of bits to look at, and the rungs where the roomiest nodes are taken first.
func (s *search) levels() {
	g, d := &s.n.grid, s.d
	for i := range d.Base {
		if least := d.least(i, s.few); least > 0 {
			if below, _ := g.around(i, least); below >= 0 {
				s.below = append(s.below, below)
			}
		}
	}
	for range s.below {
		s.through, s.some = append(s.through, nil), append(s.some, nil)
	}
	for high := s.full; high >= s.few; {
		r := s.rung(high)
		s.ladder = append(s.ladder, r)
		high = r.low - 1
	}
}

// rung finds the rows for nodes with room for so many tasks.
func (s *search) rung(high int64) rung {
	g, d := &s.n.grid, s.d
	r := rung{low: s.few, high: high, first: len(s.rows), exact: d.User == 0}
	for i := range d.Base {
		least := d.least(i, high)
		if least <= 0 {
			continue
		}
		below, above := g.around(i, least)
		r.exact = r.exact && below >= 0 && below == above
		if below < 0 {
			continue
		}
		s.rows = append(s.rows, below)
		if level := g.levels[i][below-g.first[i]]; d.Task[i] > 0 && level > d.Base[i] {
			r.low = max(r.low, (level-d.Base[i]+d.Task[i]-1)/d.Task[i])
		}
	}
	r.past = len(s.rows)
	r.exact = r.exact && r.low == high
	return r
}

// slot is the earliest start in [from, until), which lies in one slot. If there is none it returns the
// first later slot for which that does not follow already.
func (s *search) slot(slot int, from, until int64) (int64, []Share, int) {
	g := &s.n.grid
	s.first, s.last = slot, g.slot(End(from, s.seconds)-1)
	s.from, s.end = from, End(from, s.seconds)
	s.nodes, s.tasks, s.pending = s.nodes[:0], s.tasks[:0], s.pending[:0]
	s.fits, s.room, s.firsts, s.firstRoom, s.most, s.low = 0, 0, 0, 0, 0, s.full
	clear(s.seen)
	if len(s.ladder) > 1 && s.d.likely() <= 1 {
		if shares := s.fullest(); shares != nil {
			s.d.ended(0)
			return from, shares, 0
		}
	}
	shares, next := s.ables()
	switch {
	case shares != nil:
		return from, shares, 0
	case s.count < s.need || !s.d.Fixed && s.count <= (s.d.Tasks-1)/s.full:
		return 0, nil, next
	}
	if shares := s.climbDown(); shares != nil {
		return from, shares, 0
	}
	if g.within[slot] > 0 && (s.d.Fixed || s.most >= s.d.Tasks) {
		if start, shares, ok := s.sweep(from, until); ok {
			return start, shares, 0
		}
	}
	return 0, nil, slot + 1
}

// fullest looks for enough nodes that have as much room as any, without a look at the others.
func (s *search) fullest() []Share {
	top := &s.ladder[0]
	if top.low < top.high {
		return nil
	}
	count, next := int64(0), 0
	for word := range s.able {
		s.able[word] = s.throughout(top, word, s.d.Eligible[word])
		if count += int64(bits.OnesCount64(s.able[word])); count < s.enough {
			continue
		}
		for ; next <= word; next++ {
			if shares := s.look(top, next, s.able[next]); shares != nil {
				return shares
			}
		}
	}
	return nil
}

// throughout are those of some nodes of a word that may have what a rung asks, during a run that starts in the slot.
func (s *search) throughout(r *rung, word int, able uint64) uint64 {
	g := &s.n.grid
	for _, row := range s.rows[r.first:r.past] {
		some := g.row(g.some, row, word)
		able &= some[s.first] & some[s.last]
	}
	for _, row := range s.rows[r.first:r.past] {
		if able == 0 {
			return 0
		}
		able = g.during(row, word, s.first+1, s.last, able)
	}
	return able
}

// sure are those of some nodes of a word that have what a rung asks from the begin of the first slot to the end of the
// last one, and have room for no more.
func (s *search) sure(r *rung, word int, able uint64) uint64 {
	if !r.exact {
		return 0
	}
	for _, row := range s.rows[r.first:r.past] {
		through := s.n.grid.row(s.n.grid.through, row, word)
		able &= through[s.first] & through[s.last]
	}
	return able
}

// look asks some nodes of a word for how many tasks they have room, of a rung: others, where the bits do not say it.
// Once the job fits on those to which none after them is preferred, it is settled who gets it.
func (s *search) look(r *rung, word int, nodes uint64) []Share {
	nodes &^= s.seen[word]
	if nodes == 0 {
		return nil
	}
	s.seen[word] |= nodes
	s.most += r.high * int64(bits.OnesCount64(nodes))
	sure := s.sure(r, word, nodes)
	for ; nodes != 0; nodes &= nodes - 1 {
		node, tasks := int32(word*64+bits.TrailingZeros64(nodes)), int64(0)
		if sure&nodes&-nodes != 0 {
			tasks = r.high
		} else if !s.busy(node) {
			tasks = s.during(node, s.from, s.end)
		}
		s.nodes, s.tasks = append(s.nodes, node), append(s.tasks, tasks)
		s.counted(tasks)
		if tasks >= r.high && s.settles(tasks) {
			if shares, ok := s.d.share(s.nodes, s.tasks, &s.order); ok {
				return shares
			}
		}
	}
	return nil
}

// settles counts a node to which none that is still to be looked at is preferred, and reports the one with which these
// have room for the job.
func (s *search) settles(tasks int64) bool {
	if s.enough == 0 || s.firstRoom >= s.d.Tasks && s.firsts >= s.need {
		return false
	}
	s.firsts++
	if s.firstRoom += tasks; s.d.Fixed {
		return s.firsts == s.need
	}
	return s.firstRoom >= s.d.Tasks && s.firsts >= s.need
}

// ahead counts the nodes that have more room than any of a rung. Others of an earlier one that have as much may come
// after what this one has.
func (s *search) ahead(r *rung) {
	s.firsts, s.firstRoom = 0, 0
	for _, tasks := range s.tasks {
		if tasks > r.high {
			s.firsts++
			s.firstRoom += tasks
		}
	}
}

// counted enters the room of a node.
func (s *search) counted(tasks int64) {
	switch {
	case tasks >= s.low && tasks > 0:
		s.fits++
		s.room += tasks
	case tasks > 0:
		s.pending = append(s.pending, tasks)
	}
}

// lower has nodes with room for fewer tasks count too.
func (s *search) lower(low int64) {
	s.low = low
	list := s.pending
	s.pending = s.pending[:0]
	for _, tasks := range list {
		s.counted(tasks)
	}
}

// ables finds the nodes that may have room for a start in the slot. Where any node is as good as another, they are
// looked at as soon as there may be enough of them.
func (s *search) ables() (shares []Share, next int) {
	g, looked := &s.n.grid, 0
	first := int32(g.slots)
	s.count = 0
	var only *rung
	if len(s.ladder) == 1 {
		only = &s.ladder[0]
	}
	for word := range s.zero {
		s.able[word] = 0
		if int(s.zero[word]) > s.first {
			first = min(first, s.zero[word])
			continue
		}
		able, zero := s.word(word, s.first, s.last)
		s.zero[word] = zero
		if s.from > g.begin(s.first) { // a start before it may be over before what is in the way
			s.note(word, s.first+1, able, zero)
		} else {
			s.note(word, s.first, able, zero)
		}
		first = min(first, max(zero, int32(s.first+1)))
		s.able[word] = able
		s.count += int64(bits.OnesCount64(able))
		if len(s.ladder) > 1 || s.enough == 0 || s.count < s.enough {
			continue
		}
		for ; looked <= word; looked++ {
			if shares := s.look(only, looked, s.able[looked]); shares != nil {
				return shares, 0
			}
		}
	}
	return nil, int(first)
}

// climbDown looks at the nodes that may have room, the roomiest first, until the others do not matter. It begins a rung
// above that where the last search has ended: on a crowded machine those further up are empty.
func (s *search) climbDown() []Share {
	first := max(0, min(s.d.likely(), len(s.ladder))-1)
	for k := first; k < len(s.ladder); k++ {
		r := s.ladder[k]
		if k == first && k > 0 {
			r.high, r.exact = s.full, false
		}
		if k > 0 {
			s.ahead(&r)
		}
		if shares := s.onRung(&r, k == len(s.ladder)-1); shares != nil {
			s.d.ended(k)
			return shares
		}
	}
	if s.lower(1); s.fits >= s.need {
		if shares, ok := s.d.share(s.nodes, s.tasks, &s.order); ok {
			return shares
		}
	}
	return nil
}

// onRung looks at the nodes of one rung. They and those of the rungs above will do if the job fits on nodes with room
// for as many tasks as the rung's lowest: what nodes below have room for comes after.
func (s *search) onRung(r *rung, lowest bool) []Share {
	for word, able := range s.able {
		if able &^= s.seen[word]; able == 0 {
			continue
		}
		if !lowest {
			able = s.throughout(r, word, able)
		}
		if shares := s.look(r, word, able); shares != nil {
			return shares
		}
	}
	if s.lower(r.low); s.fits >= s.need && s.room >= s.d.Tasks {
		if shares, ok := s.d.share(s.nodes, s.tasks, &s.order); ok {
			return shares
		}
	}
	return nil
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
	k := last - 1
	for k > slot && able != 0 {
		if back := k - eight; k%eight == eight-1 && back >= slot { // eight at a time, if they leave some
			all := able
			for _, row := range s.below {
				all &= g.block(row, word)[k/eight]
			}
			if all != 0 {
				able, k = all, back
				continue
			}
		}
		for i := range s.through {
			able &= s.through[i][k]
		}
		k--
	}
	if able == 0 {
		return 0, int32(max(k+1, slot+1))
	}
	for i := range s.some {
		able &= s.some[i][slot]
	}
	return able, int32(slot + 1)
}

// hint is the step of a node at a time that was asked for: searches come back to it.
type hint struct {
	from, to int64
	free     int64 // of the first dimension
	step     int32
}

// at is the step of a node at a time.
func (n *Nodes) at(node int32, time int64) *hint {
	h := &n.hints[node]
	if h.from <= time && time < h.to {
		return h
	}
	l := &n.lines[node]
	step := l.index(time)
	*h = hint{l.at[step], Forever + 1, l.free[step*(len(l.free)/len(l.at))], int32(step)}
	if step+1 < len(l.at) {
		h.to = l.at[step+1]
	}
	return h
}

// busy reports a node that has too little of the first dimension when the run begins.
func (s *search) busy(node int32) bool {
	least := s.d.least(0, s.few)
	return least > 0 && s.n.at(node, s.from).free < least
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
		begin = int(s.n.at(node, from).step)
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

// change is a node whose room may be another from a time on.
type change struct {
	time  int64
	index int32 // into search.nodes
}

// changes is a heap, the first to come first.
type changes []change

func (c changes) Len() int           { return len(c) }
func (c changes) Less(i, k int) bool { return c[i].time < c[k].time }
func (c changes) Swap(i, k int)      { c[i], c[k] = c[k], c[i] }
func (c *changes) Push(x any)        { *c = append(*c, x.(change)) }
func (c *changes) Pop() any {
	last := (*c)[len(*c)-1]
	*c = (*c)[:len(*c)-1]
	return last
}

// drop takes the first away.
func (c *changes) drop() {
	last := len(*c) - 1
	(*c)[0] = (*c)[last]
	if *c = (*c)[:last]; last > 0 {
		heap.Fix(c, 0)
	}
}

// sweep goes through the moments after from at which the room of some node may change.
func (s *search) sweep(from, until int64) (int64, []Share, bool) {
	s.changes = s.changes[:0]
	for i, node := range s.nodes {
		at := Forever
		if s.tasks[i] > 0 || s.n.rooms[node].search == s.n.search {
			s.during(node, s.from, s.end) // the bits, or a busy begin of the run, may have answered without it
			at = s.mayChange(node)
		} else { // it is busy until its step ends
			at = s.n.at(node, from).to
		}
		if at < until {
			s.changes = append(s.changes, change{at, int32(i)})
		}
	}
	heap.Init(&s.changes)
	fits, room := int64(0), int64(0)
	for _, tasks := range s.tasks {
		room += tasks
		fits += min(tasks, 1)
	}
	for len(s.changes) > 0 {
		at, better := s.changes[0].time, false
		for len(s.changes) > 0 && s.changes[0].time == at {
			i := s.changes[0].index
			before, now := s.tasks[i], s.during(s.nodes[i], at, End(at, s.seconds))
			better = better || now > before
			room += now - before
			fits += min(now, 1) - min(before, 1)
			s.tasks[i] = now
			if next := s.mayChange(s.nodes[i]); next < until {
				s.changes[0].time = next
				heap.Fix(&s.changes, 0)
			} else {
				s.changes.drop()
			}
		}
		if better && fits >= s.need && (s.d.Fixed || room >= s.d.Tasks) {
			if shares, ok := s.d.share(s.nodes, s.tasks, &s.order); ok {
				return at, shares, true
			}
		}
	}
	return 0, nil, false
}
