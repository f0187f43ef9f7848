package backfill

import (
	"cmp"
	"slices"
)

// want is how much a request needs of an option: so many nodes, or so many tasks on at least and
// at most so many nodes.
type want struct {
	nodes int64
	tasks int64 // 0 if nodes alone decide
	most  int64 // 0 is any number
	never bool  // more nodes than it accepts
}

// want of a request whose tasks find the same room on each node is nodes alone.
func (o *option) want(k *kind, a *ask) want {
	if k.fixed {
		return want{nodes: a.size}
	}
	if !o.uniform || o.room == 0 {
		return want{nodes: k.nodes, tasks: a.size, most: k.most}
	}
	room := min(o.room, a.size)
	n := max((a.size+room-1)/room, k.nodes)
	return want{nodes: n, never: k.most > 0 && n > k.most}
}

// enough reports that so many whole nodes of each cell are. With more of a cell it never says no where it
// answered yes.
func (o *option) enough(w want, free []int64) bool {
	total := int64(0)
	for i, n := range free {
		total += max(n, 0)
		if o.cells[i].all && n < o.cells[i].size {
			return false
		}
	}
	if w.never || total < w.nodes {
		return false
	}
	if len(o.counts) > 0 {
		if _, ok := o.spread(free); !ok {
			return false
		}
		needs := int64(0)
		for _, n := range o.choose(w, free) {
			needs += n
		}
		if needs > w.nodes { // nodes that it insists on are not those that have the features
			return false
		}
	}
	return w.tasks == 0 || o.roomiest(w, free, nil)
}

// roomiest takes the fewest nodes that have room for the tasks, those with most room first.
func (o *option) roomiest(w want, free, take []int64) bool {
	order := make([]int, len(o.cells))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(o.cells[b].room, o.cells[a].room) })
	nodes, tasks := int64(0), int64(0)
	for _, i := range order {
		room := min(o.cells[i].room, w.tasks)
		n := max((w.tasks-tasks+room-1)/room, w.nodes-nodes, 0)
		n = min(n, max(free[i], 0))
		if w.most > 0 {
			n = min(n, w.most-nodes)
		}
		if take != nil {
			take[i] = n
		}
		nodes, tasks = nodes+n, tasks+min(n*room, w.tasks)
	}
	return tasks >= w.tasks && nodes >= w.nodes
}

// choose says how many nodes of each cell a request gets of those that are free.
func (o *option) choose(w want, free []int64) []int64 {
	take := make([]int64, len(o.cells))
	if w.tasks > 0 {
		o.roomiest(w, free, take)
		return take
	}
	left := w.nodes
	for i := range o.cells {
		if o.cells[i].all {
			take[i] = o.cells[i].size
			left -= take[i]
		}
	}
	if len(o.counts) > 0 {
		spread, _ := o.spread(free)
		for i := range o.cells {
			n := int64(0)
			for _, of := range spread[i] {
				n += of
			}
			left -= max(n-take[i], 0)
			take[i] = max(n, take[i])
		}
	}
	for i := range o.cells {
		n := max(min(left, max(free[i], 0)-take[i]), 0)
		take[i] += n
		left -= n
	}
	return take
}
