package backfill

import (
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill/profile"
)

// fit is where and when a request can start.
type fit struct {
	option *option
	start  int64
	free   []int64         // whole nodes of each cell
	shares []profile.Share // of a shared pool's nodes
}

// earliest is the earliest start of a request, from after on and before before, for so many seconds.
func (p *planner) earliest(i int, after, before, seconds int64) (best fit, ok bool) {
	a := &p.ask[i]
	k := p.kinds[a.kind]
	from, ruledOut := after, p.now
	if !p.linear {
		ruledOut = max(p.now, k.start(a.size, seconds))
		from = max(after, ruledOut)
	}
	limit := before
	for o := range k.options {
		if f, found := p.earliestIn(k, &k.options[o], a, from, limit, seconds); found {
			best, ok, limit = f, true, f.start
			if len(k.options) > 1 {
				best.free = slices.Clone(best.free)
			}
		}
	}
	if !p.linear && after <= ruledOut && limit > ruledOut { // it was looked for at all times since now
		k.noSooner(a.size, seconds, limit)
	}
	return best, ok
}

// earliestIn is the same in one option. Nodes and tokens are asked in turn until they agree.
func (p *planner) earliestIn(k *kind, o *option, a *ask, after, before, seconds int64) (fit, bool) {
	if o.down || o.lacking || o.pool < 0 || o.maxSeconds > 0 && seconds > o.maxSeconds {
		return fit{}, false
	}
	if o.inside == nil {
		return p.earliestWithin(k, o, a, after, before, seconds)
	}
	for _, r := range o.inside {
		from, to := p.own(r, after, before, seconds)
		if f, ok := p.earliestWithin(k, o, a, from, to, seconds); ok {
			return f, true
		}
	}
	return fit{}, false
}

// earliestWithin is the same in one of the times of the reservation that was asked for.
func (p *planner) earliestWithin(k *kind, o *option, a *ask, after, before, seconds int64) (fit, bool) {
	for after < before {
		f, ok := p.nodesFit(k, o, a, after, before, seconds)
		if !ok {
			return fit{}, false
		}
		f.option = o
		start, ok := tokensFit(k.tokens, f.start, before, seconds)
		if !ok || start == f.start {
			return f, ok
		}
		after = start
	}
	return fit{}, false
}

// nodesFit asks the pool.
func (p *planner) nodesFit(k *kind, o *option, a *ask, after, before, seconds int64) (fit, bool) {
	if p.pools[o.pool].shared {
		return p.sharedFit(k, o, a, after, before, seconds)
	}
	w := o.want(k, a)
	if w.never {
		return fit{}, false
	}
	if len(o.cells) == 1 && o.uniform {
		start, ok := p.stepsOf(&o.cells[0]).FirstFit(after, before, seconds, w.nodes)
		return fit{start: start}, ok
	}
	p.steps = p.steps[:0]
	for c := range o.cells {
		p.steps = append(p.steps, p.stepsOf(&o.cells[c]))
	}
	enough := func(free []int64) bool { return o.enough(w, free) }
	if o.uniform {
		enough = func([]int64) bool { return true }
	}
	start, ok := p.together.FirstFit(p.steps, after, before, max(seconds, 1), w.nodes, enough)
	return fit{start: start, free: p.together.Free}, ok
}

func (p *planner) stepsOf(c *cell) *profile.Steps { return p.classes[c.class].views[c.view].steps }

// sharedFit asks each node. What a request insists on is picked from those that have room.
func (p *planner) sharedFit(k *kind, o *option, a *ask, after, before, seconds int64) (fit, bool) {
	q := p.pools[o.pool]
	d := *o.demand
	if p.linear {
		d.Forget()
	}
	if k.fixed {
		d.Nodes = a.size
	} else {
		d.Nodes, d.NodesMax, d.Tasks = k.nodes, k.most, a.size
	}
	if len(o.counts) > 0 || len(k.like.Hosts) > 0 {
		d.Accept = func(nodes []int32) ([]int32, bool) { return p.accept(q, o, a, nodes) }
	}
	start, shares, ok := q.views[o.view].nodes.FirstFit(&d, after, before, seconds)
	return fit{start: start, shares: shares}, ok
}

// accept picks nodes of each cell as from whole ones.
func (p *planner) accept(q *pool, o *option, a *ask, nodes []int32) ([]int32, bool) {
	cellOf := map[int32]int{}
	for i, c := range o.cells {
		cellOf[c.class] = i
	}
	free := make([]int64, len(o.cells))
	for _, n := range nodes {
		free[cellOf[p.classOf[q.nodes[n]]]]++
	}
	w := want{nodes: a.size}
	if !o.enough(w, free) {
		return nil, false
	}
	take := o.choose(w, free)
	var picked []int32
	for _, n := range nodes {
		if c := cellOf[p.classOf[q.nodes[n]]]; take[c] > 0 {
			take[c]--
			picked = append(picked, n)
		}
	}
	return picked, true
}

// put places a request until a time: its resources are taken in every view.
func (p *planner) put(i int, f fit, until int64) {
	a := &p.ask[i]
	k := p.kinds[a.kind]
	o := f.option
	s := &p.spots[i]
	s.option, s.until = o, p.ceil(until)
	p.useTokens(k.tokens, k.admits, f.start, s.until)
	pl := &p.schedule.Placements[i]
	if o.partition >= 0 {
		pl.Partition = p.partitions[o.partition].Name
	}
	if q := p.pools[o.pool]; q.shared {
		pl.Nodes = p.asked(i, p.putShares(q, k, o, f, s.until))
		return
	}
	w := o.want(k, a)
	if len(o.cells) == 1 && o.uniform {
		s.takes = p.takes(1)
		s.takes[0] = take{o.cells[0].class, w.nodes}
	} else {
		n := o.choose(w, f.free)
		s.takes = p.takes(len(n))[:0]
		for c, count := range n {
			if count > 0 {
				s.takes = append(s.takes, take{o.cells[c].class, count})
			}
		}
	}
	p.count(s.takes, f.start, s.until, 1)
	if p.trial {
		takes, until := s.takes, s.until
		p.undo = append(p.undo, func() { p.count(takes, f.start, until, -1) })
	}
}

// count takes nodes of classes, or with -1 gives them back.
func (p *planner) count(takes []take, from, to, sign int64) {
	for _, t := range takes {
		for v := range p.classes[t.class].views {
			p.classes[t.class].views[v].steps.Add(from, to, sign*t.count)
		}
	}
}

// takes are cut from a larger piece: there is one list for each job of the plan.
func (p *planner) takes(n int) []take {
	if len(p.arena) < n {
		p.arena = make([]take, max(4096, n))
	}
	list := p.arena[:n:n]
	p.arena = p.arena[n:]
	return list
}

func (p *planner) putShares(q *pool, k *kind, o *option, f fit, until int64) []Share {
	nodes := make([]Share, len(f.shares))
	for i, s := range f.shares {
		global := q.nodes[s.Node]
		nodes[i] = Share{Node: global, Tasks: s.Tasks}
		span := profile.Span{From: f.start, To: until, Amounts: p.amounts(q, o, s), User: k.user, Private: o.private}
		for _, view := range q.views {
			p.span(view, s.Node, k.admits, span)
		}
	}
	return nodes
}

// amounts are what a share takes of its node. On a node for one job at a time it takes all room for jobs.
func (p *planner) amounts(q *pool, o *option, s profile.Share) []int64 {
	v := taken(o.demand.Base, o.demand.Task, s.Tasks)
	if last := len(v) - 1; q.dimensions[last] == p.dims.jobs() && p.Nodes[q.nodes[s.Node]].Sharing == SingleJob {
		v[last] = wholeNode
	}
	return v
}

// freeUntil is until when what a request would get at a start stays free.
func (p *planner) freeUntil(i int, f fit) int64 {
	a := &p.ask[i]
	k := p.kinds[a.kind]
	o, until := f.option, Forever
	for _, t := range k.tokens {
		until = min(until, t.of.views[t.view].steps.FreeUntil(f.start, t.count))
	}
	if q := p.pools[o.pool]; q.shared {
		d := *o.demand
		return min(until, q.views[o.view].nodes.FreeUntil(&d, f.shares, f.start))
	}
	w := o.want(k, a)
	take := []int64{w.nodes}
	if len(o.cells) > 1 || !o.uniform {
		take = o.choose(w, f.free)
	}
	for c, n := range take {
		if n > 0 {
			until = min(until, p.stepsOf(&o.cells[c]).FreeUntil(f.start, n))
		}
	}
	return until
}
