package profile

import "slices"

// Nodes is what each of some nodes has free over time, in several dimensions: processors, memory,
// generic resources and whatever else is counted. It is for nodes that jobs share, where a count
// of nodes does not say whether a job fits.
//
// Nodes are numbered in the order in which they are preferred.
type Nodes struct {
	origin   int64
	capacity [][]int64
	lines    []line
	private  []bool // this node takes jobs of one user at a time
	grid     grid
	last     search // kept for what it has allocated
	rooms    []room // by node, of the searches before
	hints    []hint // by node
	search   int32  // so many searches there were
	version  int    // changes when something is given back, or the slots change
}

// Span is what one job takes of one node for a time.
type Span struct {
	From, To int64
	Amounts  []int64 // by dimension
	User     int32   // whose it is; 0: users do not matter
	Private  bool    // no other user may be on the node
}

// line is one node's time: steps as in Steps, with one free amount for each dimension.
type line struct {
	at    []int64
	free  []int64 // len(at) × dimensions
	users []users // by step; nil as long as no user's span has been added
	spans []Span  // those with users
}

// users says who is on a node: no one, one user, or several.
type users struct {
	one     int32
	several bool
	private bool // one of them wants no other user there
}

// NewNodes has every node's capacity free from origin on. Levels are, for each dimension, amounts
// to tell nodes apart by. Width is how much time the index looks at together, and with
// aligned all spans begin and end at multiples of it, or begin at origin or end never.
func NewNodes(origin int64, capacity [][]int64, private []bool, levels [][]int64, width int64, aligned bool) *Nodes {
	n := &Nodes{origin: origin, capacity: capacity, lines: make([]line, len(capacity)), private: private,
		rooms: make([]room, len(capacity)), hints: make([]hint, len(capacity))}
	for i := range n.lines {
		n.lines[i] = line{at: []int64{origin}, free: slices.Clone(capacity[i])}
	}
	n.grid = newGrid(n, levels, width, aligned)
	return n
}

// Add takes what the span says of a node. What was not free is taken all the same.
func (n *Nodes) Add(node int32, s Span) {
	s.From = max(s.From, n.origin)
	if s.From >= s.To {
		return
	}
	l := &n.lines[node]
	n.hints[node] = hint{}
	if s.User != 0 {
		l.spans = append(l.spans, s)
	}
	l.take(s)
	n.grid.change(n, node, s)
}

// Remove gives back what an Add of the same span took. It reports false if there was none, of a span with a user.
func (n *Nodes) Remove(node int32, s Span) bool {
	s.From = max(s.From, n.origin)
	l := &n.lines[node]
	if s.User != 0 {
		i := slices.IndexFunc(l.spans, func(o Span) bool {
			return o.From == s.From && o.To == s.To && o.User == s.User && o.Private == s.Private &&
				slices.Equal(o.Amounts, s.Amounts)
		})
		if i < 0 {
			return false
		}
		l.spans = slices.Delete(l.spans, i, i+1)
	}
	n.version++
	n.hints[node] = hint{}
	back := make([]int64, len(s.Amounts))
	for d, a := range s.Amounts {
		back[d] = -a
	}
	l.take(Span{From: s.From, To: s.To, Amounts: back})
	if l.users != nil { // who is left can only be known from the spans
		l.users = make([]users, len(l.at))
		for _, o := range l.spans {
			l.mark(o)
		}
	}
	n.grid.change(n, node, Span{From: s.From, To: s.To, Amounts: back})
	return true
}

// Spans are the spans on a node, in the order in which they were added.
func (n *Nodes) Spans(node int32) []Span { return n.lines[node].spans }

// Free is what a node has free at a time, by dimension.
func (n *Nodes) Free(node int32, time int64) []int64 {
	l := &n.lines[node]
	dims := len(l.free) / len(l.at)
	i := l.index(time)
	return slices.Clone(l.free[i*dims : (i+1)*dims])
}

func (l *line) index(time int64) int { return latest(l.at, time) }

func (l *line) take(s Span) {
	dims := len(s.Amounts)
	first, last := l.cut(s.From, dims), len(l.at)
	if s.To < Forever {
		last = l.cut(s.To, dims)
	}
	for i := first; i < last; i++ {
		for d, a := range s.Amounts {
			l.free[i*dims+d] -= a
		}
	}
	l.mark(s)
}

func (l *line) cut(time int64, dims int) int {
	i := l.index(time)
	if l.at[i] == time {
		return i
	}
	l.at = slices.Insert(l.at, i+1, time)
	l.free = slices.Insert(l.free, (i+1)*dims, l.free[i*dims:(i+1)*dims]...)
	if l.users != nil {
		l.users = slices.Insert(l.users, i+1, l.users[i])
	}
	return i + 1
}

// mark notes whose the span is. The steps begin and end where it does.
func (l *line) mark(s Span) {
	if s.User == 0 {
		return
	}
	if l.users == nil {
		l.users = make([]users, len(l.at))
	}
	for i := l.index(s.From); i < len(l.at) && l.at[i] < s.To; i++ {
		u := &l.users[i]
		u.several = u.several || u.one != 0 && u.one != s.User
		u.one = s.User
		u.private = u.private || s.Private
	}
}
