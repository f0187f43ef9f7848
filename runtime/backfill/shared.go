package backfill

import (
	"strconv"

	"github.com/fairway-sched/fairway/runtime/backfill/profile"
)

// nodeView is the view of a pool for a kind: without what reservations keep that do not admit it, and
// within a reservation that keeps parts of nodes, without the rest of them.
func (p *planner) nodeView(q *pool, k *kind, o *option) int32 {
	var key []byte
	var blocks []int32
	done := map[int32]bool{}
	for _, c := range q.classes {
		for _, r := range p.classes[c].reservations {
			if !done[r] && !k.admits[r] {
				blocks = append(blocks, r)
				if done[r] = true; p.Follows(int(r)) {
					continue
				}
				key = append(key, strconv.Itoa(int(r))+" "...)
			}
			done[r] = true
		}
	}
	inside := o.inside
	if inside != nil && (!done[inside[0]] || p.Reservations[inside[0]].Amounts.Procs <= 0) {
		inside = nil
	}
	if inside != nil {
		key = append(key, "in "+strconv.Itoa(int(inside[0]))...)
	}
	for i, v := range q.views {
		if v.key == string(key) {
			return int32(i)
		}
	}
	view := &nodeView{key: string(key), claims: map[int32][]*claim{}}
	for _, r := range blocks {
		p.claimNodes(q, view, r, false)
	}
	for _, r := range inside {
		p.claimNodes(q, view, r, true)
	}
	q.views = append(q.views, view)
	return int32(len(q.views) - 1)
}

// claimNodes enters what a reservation keeps, or what it leaves, of each of its nodes.
func (p *planner) claimNodes(q *pool, view *nodeView, r int32, complement bool) {
	v := &p.Reservations[r]
	part, until := p.dims.vector(&v.Amounts), p.ceil(p.closed(r))
	for _, n := range v.Nodes {
		if n < 0 || int(n) >= len(p.Nodes) || p.classes[p.classOf[n]].pool != p.poolOf(q) || !p.classes[p.classOf[n]].up {
			continue
		}
		local := p.local[n]
		amounts := append([]int64(nil), q.capacity[local]...)
		if v.Amounts.Procs > 0 && p.Nodes[n].Sharing != SingleJob {
			for i, d := range q.dimensions {
				switch {
				case d == p.dims.jobs() && !complement:
					amounts[i] = 1 // who wants a node alone cannot have it beside this
				case d == p.dims.jobs() || d >= dimGres+p.dims.gres:
					amounts[i] = 0
				case complement:
					amounts[i] = max(amounts[i]-part[d], 0)
				default:
					amounts[i] = min(amounts[i], part[d])
				}
			}
		}
		view.claims[local] = append(view.claims[local], &claim{reservation: r, complement: complement,
			from: max(p.floor(v.Start), p.now), to: until, amounts: amounts})
	}
}

func (p *planner) poolOf(q *pool) int32 { return p.classes[q.classes[0]].pool }

// load makes a view's profile: claims, nodes that come up later, and the jobs that run.
func (p *planner) load(q *pool, view *nodeView) {
	levels, longest := p.levelsOf(q)
	width, aligned := p.resolution, p.resolution > 1
	if !aligned {
		// The slots begin as long as the longest job needs a good many of, and double as the plan grows.
		width = max(longest/64, 1)
	}
	if len(q.nodes) == 1 && !p.users {
		view.nodes = profile.NewOne(p.now, q.capacity[0])
	} else {
		view.nodes = profile.NewNodes(p.now, q.capacity, q.private, levels, width, aligned)
	}
	for local, claims := range view.claims {
		for _, c := range claims {
			view.nodes.Add(local, profile.Span{From: c.from, To: c.to, Amounts: c.amounts})
		}
	}
	for local, n := range q.nodes {
		if node := &p.Nodes[n]; !node.Up {
			view.nodes.Add(int32(local), profile.Span{From: p.now, To: p.ceil(node.UpTime), Amounts: q.capacity[local]})
		}
	}
	known := make([][]int64, len(q.nodes)) // what jobs have of the nodes
	last := make([]int64, len(q.nodes))
	for i := range p.requests {
		if !p.requests[i].runs() {
			break
		}
		p.loadJob(q, view, i, known, last)
	}
	p.unknownUse(q, view, known, last)
}

// levelsOf are the amounts to tell a pool's nodes apart by, by dimension, and how long the longest job with an end
// runs.
func (p *planner) levelsOf(q *pool) (levels [][]int64, longest int64) {
	levels = make([][]int64, len(q.dimensions))
	for _, k := range p.kinds {
		for o := range k.options {
			if d := k.options[o].demand; d != nil && p.pools[k.options[o].pool] == q {
				for _, tasks := range fewest(k, d, q.capacity) {
					for i := range levels {
						if least := d.Base[i] + d.Task[i]*tasks; least > 0 {
							levels[i] = append(levels[i], least)
						}
					}
				}
			}
		}
		for _, s := range k.seconds {
			if s < Forever {
				longest = max(longest, s)
			}
		}
	}
	for i, d := range q.dimensions {
		largest := int64(0)
		for _, capacity := range q.capacity {
			largest = max(largest, capacity[i])
		}
		if d == p.dims.jobs() || len(levels[i]) == 0 {
			largest = 0 // a job takes one or all
		}
		levels[i] = profile.Levels(levels[i], largest)
	}
	return levels, longest
}

// loadJob enters a running job, and adds to what is known of its nodes: what jobs have of each, and until when.
func (p *planner) loadJob(q *pool, view *nodeView, i int, known [][]int64, last []int64) {
	r := &p.requests[i]
	whole := p.alone(r)
	base, task := p.dims.wants(r, whole)
	for _, s := range r.Allocated {
		if s.Node < 0 || int(s.Node) >= len(p.Nodes) || p.classes[p.classOf[s.Node]].pool != p.poolOf(q) ||
			!p.classes[p.classOf[s.Node]].up {
			continue
		}
		local := p.local[s.Node]
		amounts := q.project(p.dims.has(base, task, s))
		if whole || p.Nodes[s.Node].Sharing == SingleJob {
			amounts = append([]int64(nil), q.capacity[local]...)
		}
		if known[local] == nil {
			known[local] = make([]int64, len(q.dimensions))
		}
		for d, a := range amounts {
			known[local][d] += a
		}
		last[local] = max(last[local], p.ends[i])
		p.span(view, local, p.admits[i],
			profile.Span{From: p.now, To: p.ends[i], Amounts: amounts, User: p.userOf(r), Private: p.sharing(r) == SingleUser})
	}
}

// unknownUse takes what is in use beyond what the jobs have: as long as there are jobs on the node, it
// will be theirs; without, until an unknown time.
func (p *planner) unknownUse(q *pool, view *nodeView, known [][]int64, last []int64) {
	for local, n := range q.nodes {
		used := q.project(p.dims.vector(&p.Nodes[n].Used))
		more := false
		for d := range used {
			if known[local] != nil {
				used[d] = max(used[d]-known[local][d], 0)
			}
			used[d] = min(used[d], q.capacity[local][d])
			more = more || used[d] > 0
		}
		until := last[local]
		if known[local] == nil {
			until = Forever
		}
		if more {
			view.nodes.Add(int32(local), profile.Span{From: p.now, To: until, Amounts: used})
		}
	}
}

// span enters what a job takes of a node into one view.
func (p *planner) span(view *nodeView, local int32, admits []bool, s profile.Span) {
	p.remember(view.claims[local])
	withClaims(view.claims[local], admits, s, func(s profile.Span) {
		view.nodes.Add(local, s)
		if p.trial {
			p.undo = append(p.undo, func() { view.nodes.Remove(local, s) })
		}
	})
}

// alone reports a job that has its nodes to itself.
func (p *planner) alone(r *Request) bool { return p.sharing(r) == SingleJob }

// sharing is who may be on the nodes of a job that has them: that is for it to say, and for its partition.
func (p *planner) sharing(r *Request) Sharing {
	if len(r.Partitions) != 1 {
		return r.Sharing
	}
	for i := range p.partitions {
		if p.partitions[i].Name == r.Partitions[0] {
			return max(r.Sharing, p.partitions[i].Sharing)
		}
	}
	return r.Sharing
}

// fewest are with how many tasks a node can be one of a job's, for each of a kind.
func fewest(k *kind, d *profile.Demand, capacity [][]int64) []int64 {
	if d.Fixed {
		return []int64{max(d.Most, 1)}
	}
	list, of, roomiest := make([]int64, len(k.sizes)), *d, d.Roomiest(capacity)
	for i, size := range k.sizes {
		of.NodesMax, of.Tasks = k.most, size
		list[i] = of.Fewest(roomiest)
	}
	return list
}

// demand is what a kind wants of a shared pool. Nodes and tasks are set for each request.
func (p *planner) demand(q *pool, k *kind, o *option) *profile.Demand {
	base, task := p.dims.wants(k.like, o.alone)
	d := &profile.Demand{Eligible: make([]uint64, (len(q.nodes)+63)/64), Base: q.project(base), Task: q.project(task),
		Fixed: k.fixed, Most: k.each, User: k.user, Private: o.private}
	if !k.fixed {
		d.Most = k.like.TasksPerNode
		if d.Most <= 0 {
			d.Most = wholeNode
		}
	}
	for _, c := range o.cells {
		if p.classes[c.class].up {
			for _, n := range p.classes[c.class].nodes {
				d.Eligible[p.local[n]/64] |= 1 << (p.local[n] % 64)
			}
		}
	}
	return d
}
