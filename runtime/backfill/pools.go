package backfill

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/fairway-sched/fairway/runtime/backfill/profile"
)

// pool are classes that some request can use together. What happens in one pool does not matter
// to another. A pool in which every job has its nodes alone is counted by class; in one
// where jobs share nodes, each node is looked at.
type pool struct {
	classes []int32
	shared  bool

	nodes      []int32 // of a shared pool, in order
	dimensions []int   // that matter in it
	capacity   [][]int64
	private    []bool
	views      []*nodeView
}

// view is what a class has for requests that the same reservations do not admit.
type view struct {
	key   string
	steps *profile.Steps
}

// nodeView is the same for the nodes of a shared pool.
type nodeView struct {
	key    string
	nodes  profile.Shares
	claims map[int32][]*claim // by node
}

// makePools finds the pools and what of them is taken already.
func (p *planner) makePools() {
	parent := make([]int32, len(p.classes))
	for i := range parent {
		parent[i] = int32(i)
	}
	root := func(c int32) int32 {
		for parent[c] != c {
			parent[c] = parent[parent[c]]
			c = parent[c]
		}
		return c
	}
	shared := p.sharedClasses()
	for _, k := range p.kinds {
		for _, o := range k.options {
			for _, c := range o.cells {
				parent[root(c.class)] = root(o.cells[0].class)
			}
		}
	}
	at := map[int32]int32{}
	for c := range p.classes {
		r := root(int32(c))
		n, ok := at[r]
		if !ok {
			n = int32(len(p.pools))
			at[r] = n
			p.pools = append(p.pools, &pool{})
		}
		p.classes[c].pool = n
		p.pools[n].classes = append(p.pools[n].classes, int32(c))
		p.pools[n].shared = p.pools[n].shared || shared[c] || p.byNode
	}
	p.local = make([]int32, len(p.Nodes))
	for _, q := range p.pools {
		if q.shared {
			p.prepare(q)
		}
	}
	p.held = p.heldNodes()
	for _, k := range p.kinds {
		for o := range k.options {
			p.connect(k, &k.options[o])
		}
	}
	for _, q := range p.pools {
		for _, v := range q.views {
			p.load(q, v)
		}
	}
}

// connect finds the views through which an option looks.
func (p *planner) connect(k *kind, o *option) {
	if len(o.cells) == 0 {
		return
	}
	o.pool = p.classes[o.cells[0].class].pool
	if q := p.pools[o.pool]; q.shared {
		o.view = p.nodeView(q, k, o)
		o.demand = p.demand(q, k, o)
		o.demand.Remember(k.seconds)
		return
	}
	for i := range o.cells {
		o.cells[i].view = p.classView(o.cells[i].class, k.admits)
	}
}

// classView is what a class has for requests with these admissions. A reservation keeps the
// nodes of the class whole; where jobs that run now overlap it both count, and below 0 is as good as 0.
func (p *planner) classView(class int32, admits []bool) int32 {
	c := &p.classes[class]
	var key []byte
	for _, r := range c.reservations {
		if !admits[r] && !p.Follows(int(r)) {
			key = append(key, strconv.Itoa(int(r))+" "...)
		}
	}
	for i := range c.views {
		if c.views[i].key == string(key) {
			return int32(i)
		}
	}
	var ends []int64
	capacity := int64(0)
	if c.up {
		capacity = int64(len(c.nodes))
		for _, n := range c.nodes {
			if p.held[n] > p.now {
				ends = append(ends, p.held[n])
			}
		}
	}
	v := view{key: string(key), steps: profile.NewStepsHeld(p.now, capacity, ends)}
	for _, r := range c.reservations {
		if !admits[r] {
			v.steps.Add(p.floor(p.Reservations[r].Start), p.ceil(p.closed(r)), int64(len(c.nodes)))
		}
	}
	c.views = append(c.views, v)
	return int32(len(c.views) - 1)
}

// heldNodes says until when each node is not empty, or not up: by jobs, or, where the resource manager
// says that more is in use than the jobs have, by unknown jobs.
func (p *planner) heldNodes() []int64 {
	held := make([]int64, len(p.Nodes))
	used := make([]int64, len(p.Nodes))
	for i := range p.requests {
		r := &p.requests[i]
		if !r.runs() {
			break
		}
		for _, s := range r.Allocated {
			if s.Node >= 0 && int(s.Node) < len(held) {
				held[s.Node] = max(held[s.Node], p.ends[i])
				used[s.Node]++
			}
		}
	}
	for i := range p.Nodes {
		n := &p.Nodes[i]
		if n.Used.Procs > 0 && used[i] == 0 {
			held[i] = Forever
		}
		if !n.Up && n.UpTime > 0 {
			held[i] = max(held[i], p.ceil(n.UpTime))
		}
	}
	return held
}

// prepare makes a pool of shared nodes ready.
func (p *planner) prepare(q *pool) {
	matter := make([]bool, p.dims.count)
	matter[dimProcs] = true
	for _, k := range p.kinds {
		for o := range k.options {
			for _, c := range k.options[o].cells {
				matter[p.dims.jobs()] = matter[p.dims.jobs()] || k.options[o].alone || p.node(c.class).Sharing == SingleJob
			}
		}
		for i := range matter[:p.dims.jobs()] {
			matter[i] = matter[i] || k.base != nil && k.base[i]+k.task[i] > 0
		}
	}
	for i, m := range matter {
		if m {
			q.dimensions = append(q.dimensions, i)
		}
	}
	for _, c := range q.classes {
		if p.classes[c].up {
			q.nodes = append(q.nodes, p.classes[c].nodes...)
		}
	}
	slices.SortFunc(q.nodes, func(a, b int32) int { return cmp.Compare(p.rank[a], p.rank[b]) })
	for at, n := range q.nodes {
		p.local[n] = int32(at)
		q.capacity = append(q.capacity, q.project(p.dims.capacity(&p.Nodes[n])))
		q.private = append(q.private, p.Nodes[n].Sharing == SingleUser)
	}
}

// project leaves the dimensions that matter.
func (q *pool) project(v []int64) []int64 {
	out := make([]int64, len(q.dimensions))
	for i, d := range q.dimensions {
		out[i] = v[d]
	}
	return out
}
