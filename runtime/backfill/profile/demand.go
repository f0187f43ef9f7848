package profile

import (
	"cmp"
	"slices"
)

// Demand is what a job wants of nodes that it may share.
type Demand struct {
	Eligible []uint64 // a bit for each node: where it may run at all
	Base     []int64  // what it takes of each of its nodes whatever its tasks, by dimension
	Task     []int64  // what each task takes
	Most     int64    // so many tasks on one node at most, and
	Fixed    bool     // not fewer on any
	Nodes    int64    // so many nodes at least, and if fixed exactly
	NodesMax int64    // so many at most, if not fixed; 0 is any
	Tasks    int64    // so many tasks altogether, if not fixed
	User     int32    // whose it is, if users matter
	Private  bool     // no other user may be on its nodes

	// Accept picks from the nodes that have room, in order; nil takes the first. It picks from more
	// where it picks from less.
	Accept func(nodes []int32) (picked []int32, ok bool)

	memory *memory
}

// Share is how many tasks run on one node.
type Share struct {
	Node  int32
	Tasks int64
}

// fit is how many tasks a node has room for during one step.
func (d *Demand) fit(l *line, step int, private bool) int64 {
	if l.users != nil {
		if u := &l.users[step]; u.one != 0 && (u.several || u.one != d.User) && (u.private || d.Private || private) {
			return 0
		}
	}
	return d.room(l.free[step*len(d.Base) : (step+1)*len(d.Base)])
}

// room is how many tasks there is room for where so much is free.
func (d *Demand) room(free []int64) int64 {
	tasks := d.Most
	for i, base := range d.Base {
		if base == 0 && d.Task[i] == 0 {
			continue // what is not wanted may be overdrawn
		}
		rest := free[i] - base
		if rest < 0 {
			return 0
		}
		if d.Task[i] > 0 {
			tasks = min(tasks, rest/d.Task[i])
		}
	}
	if d.Fixed && tasks < d.Most {
		return 0
	}
	return tasks
}

// FreeUntil is until when the shares stay free from a time on.
func (n *Nodes) FreeUntil(d *Demand, shares []Share, from int64) int64 {
	until := Forever
	for _, s := range shares {
		l := &n.lines[s.Node]
		for i := l.index(from); i < len(l.at) && l.at[i] < until; i++ {
			if d.fit(l, i, n.private[s.Node]) < s.Tasks {
				until = max(l.at[i], from)
			}
		}
	}
	return until
}

// Fewest is the fewest tasks with which a node can be one of the job's: with fewer, the other nodes would have to take
// more than roomiest each, and no node has room for more than that.
func (d *Demand) Fewest(roomiest int64) int64 {
	switch {
	case d.Fixed:
		return d.Most
	case d.NodesMax == 0 || roomiest < 1 || d.NodesMax-1 > d.Tasks/roomiest:
		return 1
	}
	return max(1, d.Tasks-(d.NodesMax-1)*roomiest)
}

// Roomiest is how many tasks an empty node has room for at most, of those that are eligible.
func (d *Demand) Roomiest(capacity [][]int64) (most int64) {
	for node, of := range capacity {
		if d.Eligible[node/64]&(1<<(node%64)) == 0 {
			continue
		}
		most = max(most, d.room(of))
	}
	return most
}

// least is what a node must have free for so many tasks, by dimension.
func (d *Demand) least(dimension int, tasks int64) int64 {
	return d.Base[dimension] + tasks*d.Task[dimension]
}

// share spreads the job over nodes that have room for so many tasks each, if that is enough. What it has allocated for
// their order is kept.
func (d *Demand) share(nodes []int32, tasks []int64, kept *[]Share) ([]Share, bool) {
	if d.Fixed {
		return d.shareFixed(nodes, tasks)
	}
	// The roomiest nodes first: the fewest that will do.
	order := (*kept)[:0]
	for i, t := range tasks {
		if t > 0 {
			order = append(order, Share{nodes[i], t})
		}
	}
	*kept = order
	slices.SortFunc(order, func(a, b Share) int {
		if a.Tasks != b.Tasks {
			return cmp.Compare(b.Tasks, a.Tasks)
		}
		return cmp.Compare(a.Node, b.Node)
	})
	room, used := int64(0), int64(0)
	for used < int64(len(order)) && (room < d.Tasks || used < d.Nodes) && (d.NodesMax == 0 || used < d.NodesMax) {
		room += order[used].Tasks
		used++
	}
	if room < d.Tasks || used < d.Nodes {
		return nil, false
	}
	shares, left := slices.Clone(order[:used]), d.Tasks-used // one task on each, the rest fills up
	for i := range shares {
		more := max(min(left, shares[i].Tasks-1), 0)
		left -= more
		shares[i].Tasks = 1 + more
	}
	slices.SortFunc(shares, func(a, b Share) int { return cmp.Compare(a.Node, b.Node) })
	return shares, true
}

func (d *Demand) shareFixed(nodes []int32, tasks []int64) ([]Share, bool) {
	var able []int32
	for i, t := range tasks {
		if t >= d.Most {
			able = append(able, nodes[i])
			if d.Accept == nil && int64(len(able)) == d.Nodes {
				break
			}
		}
	}
	if int64(len(able)) < d.Nodes {
		return nil, false
	}
	if d.Accept != nil {
		var ok bool
		if able, ok = d.Accept(able); !ok {
			return nil, false
		}
	}
	shares := make([]Share, len(able))
	for i, node := range able {
		shares[i] = Share{Node: node, Tasks: d.Most}
	}
	return shares, true
}
