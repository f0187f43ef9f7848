package profile

import (
	"slices"
	"sort"
)

// grid is the index of Nodes: time is cut into slots, and for each slot and level of a
// dimension a bit for each node says whether it has so much free throughout the slot, and another one
// whether it has at some moment of it. Whatever lies between is looked up in the node's steps, so
// that the slots decide how fast an answer is, not which.
//
// The last slot has no end. Of it only the moments are kept.
type grid struct {
	width   int64
	slots   int
	words   int       // of one row of bits
	levels  [][]int64 // by dimension, ascending
	first   []int     // row of a dimension's first level
	rows    int
	through []uint64 // rows × slots × words
	some    []uint64 // the same slice if aligned: nothing changes within a slot
	aligned bool
	built   bool
}

const (
	mostLevels = 16      // per dimension
	mostWords  = 1 << 21 // of bits, as far as a few slots allow
	fewSlots   = 256
	manySlots  = 4096
)

func newGrid(n *Nodes, levels [][]int64, width int64, aligned bool) grid {
	g := grid{width: max(width, 1), words: (len(n.lines) + 63) / 64, aligned: aligned}
	for _, values := range levels {
		g.first = append(g.first, g.rows)
		g.levels = append(g.levels, lines(values, mostLevels))
		g.rows += len(g.levels[len(g.levels)-1])
	}
	g.slots = min(max(mostWords/max(g.rows*g.words, 1), fewSlots), manySlots)
	return g
}

func (g *grid) origin(n *Nodes) int64 {
	if g.aligned {
		return n.origin - n.origin%g.width
	}
	return n.origin
}

func (g *grid) slot(n *Nodes, time int64) int {
	return int(min(max(time-g.origin(n), 0)/g.width, int64(g.slots-1)))
}

func (g *grid) begin(n *Nodes, slot int) int64 {
	if slot >= g.slots {
		return Forever
	}
	return max(g.origin(n)+int64(slot)*g.width, n.origin)
}

// row are the bits of one level in one slot.
func (g *grid) row(of []uint64, row, slot int) []uint64 {
	at := (row*g.slots + slot) * g.words
	return of[at : at+g.words]
}

// around are the rows of the levels at or below and at or above an amount; -1 if there is none.
func (g *grid) around(dimension int, amount int64) (below, above int) {
	levels := g.levels[dimension]
	i := sort.Search(len(levels), func(i int) bool { return levels[i] >= amount })
	below, above = g.first[dimension]+i-1, g.first[dimension]+i
	if i == 0 {
		below = -1
	}
	if i == len(levels) {
		above = -1
	} else if levels[i] == amount {
		below = above
	}
	return below, above
}

// build makes the bits from the nodes' steps.
func (g *grid) build(n *Nodes) {
	for g.begin(n, g.slots-1) < g.lastEnd(n) {
		g.width *= 2
		g.aligned = false
	}
	size := g.rows * g.slots * g.words
	g.through = slices.Grow(g.through[:0], size)[:size]
	clear(g.through)
	g.some = g.through
	if !g.aligned {
		g.some = make([]uint64, size)
	}
	g.built = true
	for node := range n.lines {
		g.set(n, int32(node), 0, g.slots-1)
	}
}

// lastEnd is when the last span with an end does.
func (g *grid) lastEnd(n *Nodes) int64 {
	last := n.origin
	for i := range n.lines {
		at := n.lines[i].at
		last = max(last, at[len(at)-1])
	}
	return last
}

// changed brings the bits of one node up to date. A span that ends behind the slots, or not at
// the end of one where they should, has them all made anew at the next question.
func (g *grid) changed(n *Nodes, node int32, from, to int64) {
	if g.aligned && (from > n.origin && from%g.width != 0 || to < Forever && to%g.width != 0) {
		g.aligned, g.built = false, false
	}
	if !g.built {
		return
	}
	if to < Forever && to > g.begin(n, g.slots-1) {
		g.built = false
		return
	}
	g.set(n, node, g.slot(n, from), g.slot(n, to-1))
}

// set makes the bits of a node in some slots from its steps.
func (g *grid) set(n *Nodes, node int32, firstSlot, lastSlot int) {
	l := &n.lines[node]
	word, bit := int(node/64), uint64(1)<<(node%64)
	dims := len(l.free) / len(l.at)
	i := l.index(g.begin(n, firstSlot))
	for k := firstSlot; k <= lastSlot; k++ {
		for begin := g.begin(n, k); i+1 < len(l.at) && l.at[i+1] <= begin; i++ {
		}
		end := g.begin(n, k+1)
		for d := 0; d < dims; d++ {
			least := l.free[i*dims+d]
			most := least
			for j := i + 1; j < len(l.at) && l.at[j] < end; j++ {
				least, most = min(least, l.free[j*dims+d]), max(most, l.free[j*dims+d])
			}
			if k == g.slots-1 {
				least = most
			}
			for v, level := range g.levels[d] {
				at := ((g.first[d]+v)*g.slots+k)*g.words + word
				put(&g.through[at], bit, least >= level)
				if !g.aligned {
					put(&g.some[at], bit, most >= level)
				}
			}
		}
	}
}

func put(word *uint64, bit uint64, on bool) {
	if on {
		*word |= bit
	} else {
		*word &^= bit
	}
}
