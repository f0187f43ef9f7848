package backfill

import (
	"cmp"
	"container/heap"
	"slices"
)

// Detail says of a schedule made by Plan on which nodes each job runs, and what it waits for. A plan counts nodes;
// names are given here, to the jobs in the order of their starts: at each start as many nodes are free as the plan
// says, and since a job keeps its nodes to its end, any of them will do (the colouring of an interval graph). It can
// be much more than the plan itself: every node of every job. Called again it does nothing.
func (s *Schedule) Detail() {
	p := s.plan
	if p == nil {
		return
	}
	s.plan = nil
	n := newNaming(p)
	n.runningHolders()
	order := make([]int, 0, len(p.requests))
	for i := range s.Placements {
		if by := s.Placements[i].By; by != ByNone && by != ByRunning {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(s.Placements[a].Start, s.Placements[b].Start)
	})
	for _, i := range order {
		n.name(i)
		if s.Placements[i].Start > p.now {
			p.waits(i, n)
		}
		n.occupy(i)
	}
}

// nowNodes names the nodes of the jobs that start now.
func (s *Schedule) nowNodes(p *planner) {
	n := newNaming(p)
	for i := range s.Placements {
		if by := s.Placements[i].By; by != ByNone && by != ByRunning && s.Placements[i].Start == p.now || by == ByRunning &&
			p.spots[i].takes != nil {
			n.name(i)
		}
	}
}

// naming gives names to the nodes of a plan, in the order of time.
type naming struct {
	*planner
	classes []namedClass
	holders [][]holder // by node: who has it, the one that has it longest last
}

// namedClass are the nodes of a class: those that are free, the one to be taken next last, and the
// others by when they will be.
type namedClass struct {
	free []int32
	busy releases
}

type release struct {
	until int64
	node  int32
	rank  int32
}

type holder struct {
	request int32 // -1: not a job
	until   int64
}

func newNaming(p *planner) *naming {
	n := &naming{planner: p, classes: make([]namedClass, len(p.machine.classes))}
	for c := range n.classes {
		nodes := p.machine.classes[c].nodes
		n.classes[c].free = make([]int32, 0, len(nodes))
		for k := len(nodes) - 1; k >= 0; k-- {
			if node := nodes[k]; p.held[node] <= p.now {
				n.classes[c].free = append(n.classes[c].free, node)
			} else if p.held[node] < Forever {
				n.classes[c].busy = append(n.classes[c].busy, release{p.held[node], node, p.rank[node]})
			}
		}
		heap.Init(&n.classes[c].busy)
	}
	for i := range p.ends { // a running job whose place the plan has chosen
		if p.spots[i].takes != nil && len(p.schedule.Placements[i].Nodes) > 0 {
			for _, s := range p.schedule.Placements[i].Nodes {
				c := &n.classes[p.classOf[s.Node]]
				if at := slices.Index(c.free, s.Node); at >= 0 {
					c.free = slices.Delete(c.free, at, at+1)
					heap.Push(&c.busy, release{p.ends[i], s.Node, p.rank[s.Node]})
				}
			}
		}
	}
	return n
}

// runningHolders notes who has nodes now.
func (n *naming) runningHolders() {
	n.holders = make([][]holder, len(n.Nodes))
	for node := range n.Nodes {
		if at := &n.Nodes[node]; !at.Up && at.UpTime > n.now {
			n.hold(int32(node), holder{-1, n.ceil(at.UpTime)})
		}
	}
	for i := range n.ends {
		for _, s := range n.schedule.Placements[i].Nodes {
			if s.Node >= 0 && int(s.Node) < len(n.Nodes) {
				n.hold(s.Node, holder{int32(i), n.ends[i]})
			}
		}
	}
}

// name gives a job its nodes: of those that are free those that became so last, which are
// those that it waited for; now, the first in order.
func (n *naming) name(i int) {
	spot, pl := &n.spots[i], &n.schedule.Placements[i]
	if len(spot.takes) == 0 {
		return
	}
	start := max(pl.Start, n.now)
	pl.Nodes = nil
	for _, t := range spot.takes {
		c := &n.classes[t.class]
		for len(c.busy) > 0 && c.busy[0].until <= start {
			c.free = append(c.free, heap.Pop(&c.busy).(release).node)
		}
		count := min(int(t.count), len(c.free)) // INVARIANT: the plan took no more than are free
		pl.Nodes = slices.Grow(pl.Nodes, count)
		for k := 0; k < count; k++ {
			last := len(c.free) - 1
			node := c.free[last]
			c.free = c.free[:last]
			heap.Push(&c.busy, release{spot.until, node, n.rank[node]})
			pl.Nodes = append(pl.Nodes, Share{Node: node})
		}
	}
	n.spreadTasks(i, pl)
	pl.Nodes = n.asked(i, pl.Nodes)
	slices.SortFunc(pl.Nodes, func(a, b Share) int { return cmp.Compare(n.rank[a.Node], n.rank[b.Node]) })
}

// spreadTasks says how many tasks run on each node.
func (n *naming) spreadTasks(i int, pl *Placement) {
	k, r := n.kinds[n.ask[i].kind], &n.requests[i]
	tasks, nodes := max(r.Tasks, int64(len(pl.Nodes))), int64(len(pl.Nodes))
	if k.fixed { // evenly
		for at := range pl.Nodes {
			share := (tasks + nodes - int64(at) - 1) / (nodes - int64(at))
			pl.Nodes[at].Tasks = share
			tasks -= share
		}
		return
	}
	left := tasks - nodes
	for at := range pl.Nodes {
		room := int64(1)
		for _, c := range n.spots[i].option.cells {
			if c.class == n.classOf[pl.Nodes[at].Node] {
				room = c.room
			}
		}
		more := min(left, room-1)
		pl.Nodes[at].Tasks = 1 + more
		left -= more
	}
}

// occupy notes who has the nodes.
func (n *naming) occupy(i int) {
	for _, s := range n.schedule.Placements[i].Nodes {
		n.hold(s.Node, holder{int32(i), n.spots[i].until})
	}
}

// hold notes that somebody has a node. Of those that have it equally long the last one comes last.
func (n *naming) hold(node int32, h holder) {
	list := append(n.holders[node], h)
	for k := len(list) - 1; k > 0 && list[k-1].until > h.until; k-- {
		list[k-1], list[k] = list[k], list[k-1]
	}
	n.holders[node] = list
}

// releases is a heap of nodes by when they are free again; of those freed together the first in
// order comes last, to be taken first.
type releases []release

func (h releases) Len() int { return len(h) }
func (h releases) Less(a, b int) bool {
	return h[a].until < h[b].until || h[a].until == h[b].until && h[a].rank > h[b].rank
}
func (h releases) Swap(a, b int) { h[a], h[b] = h[b], h[a] }
func (h *releases) Push(x any)   { *h = append(*h, x.(release)) }
func (h *releases) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// waits notes what had the nodes of a job before it, and which reservations kept nodes from it.
func (p *planner) waits(i int, n *naming) {
	pl := &p.schedule.Placements[i]
	at := map[int32]int{}
	nodes := pl.Nodes
	if p.byLimit[i] {
		nodes = nil // who had them before does not matter
	}
	for _, s := range nodes {
		last := holder{until: p.now}
		for _, h := range slices.Backward(n.holders[s.Node]) {
			if h.until <= pl.Start && p.holdsUp(h, i) {
				last = h
				break
			}
		}
		if last.until <= p.now || last.request >= 0 && pl.After(p.requests[last.request].Job) {
			continue
		}
		k, ok := at[last.request]
		if !ok {
			k = len(pl.WaitsFor)
			at[last.request] = k
			w := Wait{Kind: WaitNodeState, Job: -1, Until: last.until}
			if last.request >= 0 {
				w.Kind, w.Job = WaitReserved, p.requests[last.request].Job
				if p.schedule.Placements[last.request].By == ByRunning {
					w.Kind = WaitRunning
				}
			}
			pl.WaitsFor = append(pl.WaitsFor, w)
		}
		pl.WaitsFor[k].Nodes = append(pl.WaitsFor[k].Nodes, s.Node)
		pl.WaitsFor[k].Until = max(pl.WaitsFor[k].Until, last.until)
	}
	p.reservationWaits(i, pl)
	p.ownReservationWait(i, pl)
	slices.SortStableFunc(pl.WaitsFor, func(a, b Wait) int { return cmp.Compare(b.Until, a.Until) })
}

// After reports a placement that waits for a job anyhow, whoever has its nodes.
func (pl *Placement) After(job int32) bool {
	return slices.ContainsFunc(pl.WaitsFor, func(w Wait) bool {
		return (w.Kind == WaitDependency || w.Kind == WaitLimit) && w.Job == job
	})
}

// holdsUp reports that a node's holder can be why a request starts no sooner. What was considered after it only fills
// gaps; but estimates are made around all that starts now or is reserved.
func (p *planner) holdsUp(h holder, i int) bool {
	placements := p.schedule.Placements
	return h.request < int32(i) || placements[i].By == ByEstimate && placements[h.request].By != ByEstimate
}

// reservationWaits notes reservations that are over before a job starts and that it would have
// run into had it started now, or once its nodes were free.
func (p *planner) reservationWaits(i int, pl *Placement) {
	k := p.kinds[p.ask[i].kind]
	seen := map[int32]bool{}
	held := pl.WaitsFor // by other jobs, so far
	for _, o := range k.options {
		for _, c := range o.cells {
			for _, r := range p.machine.classes[c.class].reservations {
				v := &p.Reservations[r]
				if seen[r] || k.admits[r] || v.End <= p.now || p.ceil(v.End) > pl.Start ||
					v.Start-p.freeBefore(held, v) >= p.ask[i].least {
					continue
				}
				seen[r] = true
				pl.WaitsFor = append(pl.WaitsFor,
					Wait{Kind: WaitReservation, Job: -1, Name: v.Name, Nodes: slices.Clone(v.Nodes), Until: v.End})
			}
		}
	}
}

// freeBefore is when a job could have had its nodes before a reservation begins: now, or when the last of those who
// hold them is done, where that is before.
func (p *planner) freeBefore(held []Wait, v *Reservation) int64 {
	from := p.now
	for k := range held {
		switch w := &held[k]; {
		case w.Kind != WaitRunning && w.Kind != WaitReserved:
		case w.Until > v.Start:
			return p.now // who is no sooner done for it
		default:
			from = max(from, w.Until)
		}
	}
	return from
}
