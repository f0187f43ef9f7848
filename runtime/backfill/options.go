package backfill

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
)

// options finds the nodes that a kind can use. What is in its way at any time is given in
// never, or found out later from the tests that nodes failed.
func (p *planner) options(k *kind) {
	r := k.like
	inside := p.series(k)
	switch {
	case len(inside) > 0:
	case len(p.Named(r.Reservation)) == 0:
		k.never = fmt.Sprintf("there is no reservation %s", r.Reservation)
		return
	default:
		k.never = fmt.Sprintf("reservation %s does not admit it", r.Reservation)
		return
	}
	for _, list := range [...][]int32{r.Hosts, r.Excluded} {
		for _, h := range list {
			if h < 0 || int(h) >= len(p.Nodes) {
				k.never = "it names a node which there is not"
				return
			}
		}
	}
	if p.users {
		k.user = p.user(r.User)
	}
	if len(r.Partitions) == 0 {
		p.partitionOptions(k, -1, inside)
		return
	}
	for _, name := range r.Partitions {
		at := slices.IndexFunc(p.partitions, func(v Partition) bool { return v.Name == name })
		if at < 0 {
			if k.never == "" {
				k.never = fmt.Sprintf("there is no partition %s", name)
			}
			continue
		}
		p.partitionOptions(k, int32(at), inside)
	}
	if len(k.options) > 0 {
		k.never = ""
	}
}

// partitionOptions adds the ways to place a kind in one partition.
func (p *planner) partitionOptions(k *kind, partition int32, inside [][]int32) {
	ways := k.like.Features.Ways()
	for _, times := range inside {
		for _, features := range ways {
			p.option(k, partition, times, features)
		}
	}
}

// option adds one way to place a kind. Classes are put through the tests one after the other, so that the
// first test which leaves too few nodes is what is in the way.
func (p *planner) option(k *kind, partition int32, inside []int32, features Features) {
	r := k.like
	o := option{partition: partition, inside: inside, pool: -1}
	where, sharing := "the cluster", r.Sharing
	if partition >= 0 {
		part := &p.partitions[partition]
		o.down, o.maxSeconds = !part.Up, max(part.MaxTimeSeconds, 0)
		where, sharing = "partition "+part.Name, max(sharing, part.Sharing)
	}
	for _, a := range features.Alternatives {
		if a.Count > 0 {
			o.counts = append(o.counts, a.Count)
		}
	}
	minimum := p.dims.vector(&r.Minimum)
	base, task := p.dims.wants(r, false)
	k.base, k.task = base, task
	cells := make([]cell, 0, len(p.classes))
	for c := range p.classes {
		cells = append(cells, cell{class: int32(c)})
	}
	keep := func(words string, test func(c *cell, n *Node) bool) {
		cells = slices.DeleteFunc(cells, func(c cell) bool { return !test(&c, p.node(c.class)) })
		o.sieve = append(o.sieve, Stage{words, p.nodesIn(cells)})
	}
	keep("are in "+where, func(c *cell, _ *Node) bool {
		return partition < 0 || slices.Contains(p.classes[c.class].partitions, partition)
	})
	if len(r.Excluded) > 0 {
		keep("are not excluded by it",
			func(c *cell, _ *Node) bool { return !slices.Contains(r.Excluded, p.classes[c.class].nodes[0]) })
	}
	if inside != nil {
		keep("are in reservation "+p.Reservations[inside[0]].Name, func(c *cell, _ *Node) bool {
			return slices.Contains(p.classes[c.class].reservations, inside[0])
		})
	}
	if len(o.counts) < len(features.Alternatives) {
		keep("have "+features.Words(), func(_ *cell, n *Node) bool { return features.Suit(n.Features) })
	}
	keep(p.sizeWords(k, minimum), func(_ *cell, n *Node) bool {
		capacity := p.dims.capacity(n)
		for i, v := range minimum {
			if capacity[i] < v {
				return false
			}
		}
		return p.room(k, capacity) > 0
	})
	for i := range cells {
		c := &cells[i]
		n := p.node(c.class)
		c.size = int64(len(p.classes[c.class].nodes))
		c.room = p.room(k, p.dims.capacity(n))
		c.all = len(r.Hosts) > 0 && slices.Contains(r.Hosts, p.classes[c.class].nodes[0])
		at := 0
		for _, a := range features.Alternatives {
			if a.Count > 0 && at < 64 {
				if a.In(n.Features) {
					c.features |= 1 << at
				}
				at++
			}
		}
	}
	slices.SortFunc(cells, func(a, b cell) int {
		if a.all != b.all { // what is taken anyway first
			return map[bool]int{true: -1, false: 1}[a.all]
		}
		return cmp.Compare(p.classes[a.class].preferred, p.classes[b.class].preferred)
	})
	o.alone, o.private = sharing == SingleJob, sharing == SingleUser
	o.total = p.nodesIn(cells)
	o.lacking = slices.ContainsFunc(r.Hosts, func(h int32) bool {
		return !slices.ContainsFunc(cells, func(c cell) bool { return c.class == p.classOf[h] })
	})
	o.cells = cells
	o.uniform = len(o.counts) == 0
	for i, c := range cells {
		o.uniform = o.uniform && !c.all && c.room == cells[0].room
		o.room = cells[i].room
	}
	k.options = append(k.options, o)
}

func (p *planner) nodesIn(cells []cell) (n int64) {
	for _, c := range cells {
		n += int64(len(p.classes[c.class].nodes))
	}
	return n
}

// room is how many tasks of a kind an empty node takes.
func (p *planner) room(k *kind, capacity []int64) int64 {
	most := k.like.TasksPerNode
	if most <= 0 {
		most = wholeNode
	}
	if k.fixed {
		most = k.each
	}
	n := fits(capacity, k.base, k.task, most)
	if k.fixed && n < k.each {
		return 0
	}
	return n
}

// spread assigns nodes to features that are asked so many times, where a node may have several of
// them: how many nodes of each cell go to each feature. Free is how many each cell has.
func (o *option) spread(free []int64) (take [][]int64, ok bool) {
	take = make([][]int64, len(o.cells))
	left := slices.Clone(free)
	for c := range take {
		take[c] = make([]int64, len(o.counts))
	}
	for f, want := range o.counts {
		for want > 0 {
			seen := make([]bool, len(o.cells))
			if o.augment(f, left, take, seen) == 0 {
				return nil, false
			}
			want--
		}
	}
	return take, true
}

// augment finds one more node for a feature, moving others' nodes to where they will do too.
func (o *option) augment(feature int, left []int64, take [][]int64, seen []bool) int64 {
	for c := range o.cells {
		if o.cells[c].features&(1<<feature) == 0 || seen[c] {
			continue
		}
		if left[c] > 0 {
			left[c]--
			take[c][feature]++
			return 1
		}
	}
	for c := range o.cells {
		if o.cells[c].features&(1<<feature) == 0 || seen[c] {
			continue
		}
		seen[c] = true
		for rest := o.cells[c].features; rest != 0; rest &= rest - 1 {
			other := bits.TrailingZeros64(rest)
			if other != feature && other < len(o.counts) && take[c][other] > 0 && o.augment(other, left, take, seen) > 0 {
				take[c][other]--
				take[c][feature]++
				return 1
			}
		}
	}
	return 0
}
