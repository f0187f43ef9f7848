package profile

import (
	"math"
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
	through []uint64 // rows × words × slots
	eights  []uint64 // of through: throughout eight slots
	some    []uint64 // the same slice if aligned: nothing changes within a slot
	aligned bool
	built   bool
}

const (
	mostLevels = 16      // per dimension, of what is asked
	evenLevels = 16      // and of what nodes have
	mostWords  = 1 << 22 // of bits, as far as a few slots allow
	fewSlots   = 256
	manySlots  = 1536
	widest     = int64(1) << 40 // of a slot, so that the last one begins before the end of time
)

func newGrid(n *Nodes, levels [][]int64, width int64, aligned bool) grid {
	g := grid{width: min(max(width, 1), widest), words: (len(n.lines) + 63) / 64, aligned: aligned && width <= widest}
	for _, values := range levels {
		g.first = append(g.first, g.rows)
		g.levels = append(g.levels, slices.Compact(slices.Sorted(slices.Values(values))))
		g.rows += len(g.levels[len(g.levels)-1])
	}
	g.slots = min(max(mostWords/max(g.rows*g.words, 1), fewSlots), manySlots)
	return g
}

// Levels are amounts to tell nodes apart by: those that are asked of one, and parts of what the largest has, by which
// the roomiest are found.
func Levels(asked []int64, largest int64) []int64 {
	levels := lines(asked, mostLevels)
	for part := range int64(evenLevels) {
		if level := (largest*(part+1) + evenLevels - 1) / evenLevels; level > 0 {
			levels = append(levels, level)
		}
	}
	return levels
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

// eight is how many slots the index looks at together where a run is long.
const eight = 8

// blocks is how many eights there are.
func (g *grid) blocks() int { return (g.slots + eight - 1) / eight }

// block are the bits of one level for one word of nodes, by eight slots.
func (g *grid) block(row, word int) []uint64 {
	n := g.blocks()
	at := (row*g.words + word) * n
	return g.eights[at : at+n]
}

// together brings the eights of some slots up to date.
func (g *grid) together(row, word, from, to int) {
	through, eights := g.row(g.through, row, word), g.block(row, word)
	for b := from / eight; b*eight < to; b++ {
		all := ^uint64(0)
		for _, w := range through[b*eight : min(b*eight+eight, len(through))] {
			all &= w
		}
		eights[b] = all
	}
}

// row are the bits of one level for one word of nodes, by slot.
func (g *grid) row(of []uint64, row, word int) []uint64 {
	at := (row*g.words + word) * g.slots
	return of[at : at+g.slots]
}

// during are those of some nodes of a word that have a level throughout the slots from one on and before another.
func (g *grid) during(row, word, from, to int, able uint64) uint64 {
	through, eights := g.row(g.through, row, word), g.block(row, word)
	k := from
	for ; k < to && k%eight != 0; k++ {
		able &= through[k]
	}
	for ; k+eight <= to && able != 0; k += eight {
		able &= eights[k/eight]
	}
	for ; k < to; k++ {
		able &= through[k]
	}
	return able
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
	g.eights = make([]uint64, g.rows*g.blocks()*g.words)
	g.some = g.through
	if !g.aligned {
		g.some = make([]uint64, size)
	}
	g.built = true
	n.version++
	for d, levels := range g.levels {
		for v, level := range levels {
			g.fill(n, d, g.first[d]+v, level)
		}
	}
	for node := range n.lines {
		if l := &n.lines[node]; len(l.at) > 1 {
			g.set(n, int32(node), 0, g.slot(n, l.at[len(l.at)-1]), nil)
		}
	}
}

// fill makes the bits of a level for all slots, as they are at the end of time.
func (g *grid) fill(n *Nodes, dimension, row int, level int64) {
	for word := range g.words {
		w := uint64(0)
		for node := word * 64; node < min(word*64+64, len(n.lines)); node++ {
			free := n.lines[node].free
			if free[len(free)-len(g.levels)+dimension] >= level {
				w |= 1 << (node % 64)
			}
		}
		if w == 0 {
			continue
		}
		for _, of := range [][]uint64{g.through, g.some} {
			slots := g.row(of, row, word)
			for k := range slots {
				slots[k] = w
			}
		}
		g.together(row, word, 0, g.slots)
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

// changed brings the bits of one node up to date. A span that ends after the slots, or not at
// the end of one where they should, has them all made anew at the next question.
func (g *grid) changed(n *Nodes, node int32, s Span) {
	if g.aligned && (s.From > n.origin && s.From%g.width != 0 || s.To < Forever && s.To%g.width != 0) {
		g.aligned, g.built = false, false
	}
	if !g.built {
		return
	}
	if s.To < Forever && s.To > g.begin(n, g.slots-1) {
		g.built = false
		return
	}
	l := &n.lines[node]
	slot, last := g.slot(n, s.From), g.slot(n, s.To-1)
	for i := l.index(s.From); slot <= last; i++ {
		end := s.To
		if i+1 < len(l.at) {
			end = min(end, l.at[i+1])
		}
		// The slots that lie in this step as a whole: only the levels that were crossed change.
		for slot <= last && g.begin(n, slot) < max(l.at[i], s.From) {
			g.set(n, node, slot, slot, s.Amounts)
			slot++
		}
		if run := min(g.slot(n, end), last+1); run > slot {
			g.cross(l.free[i*len(s.Amounts):], s.Amounts, node, slot, run)
			slot = run
		}
		if i+1 == len(l.at) || l.at[i+1] >= s.To { // the rest is part of a slot, or the last one
			for ; slot <= last; slot++ {
				g.set(n, node, slot, slot, s.Amounts)
			}
		}
	}
}

// cross makes the bits of a node in slots of a step in which amounts have been taken, or, negative,
// given back.
func (g *grid) cross(free, amounts []int64, node int32, slot, end int) {
	word, bit := int(node/64), uint64(1)<<(node%64)
	for d, a := range amounts {
		for v, level := range g.levels[d] {
			if (free[d] >= level) == (free[d]+a >= level) {
				continue
			}
			for _, of := range [][]uint64{g.through, g.some} {
				slots := g.row(of, g.first[d]+v, word)[slot:end]
				for k := range slots {
					put(&slots[k], bit, free[d] >= level)
				}
			}
			g.together(g.first[d]+v, word, slot, end)
		}
	}
}

// set makes the bits of a node in some slots from its steps. With amounts, only these have been taken since they were
// made, or, negative, given back: of most levels nothing has changed.
func (g *grid) set(n *Nodes, node int32, firstSlot, lastSlot int, amounts []int64) {
	l := &n.lines[node]
	dims := len(l.free) / len(l.at)
	i := l.index(g.begin(n, firstSlot))
	for k := firstSlot; k <= lastSlot; k++ {
		for begin := g.begin(n, k); i+1 < len(l.at) && l.at[i+1] <= begin; i++ {
		}
		end := g.begin(n, k+1)
		for d := range dims {
			least := l.free[i*dims+d]
			most := least
			for j := i + 1; j < len(l.at) && l.at[j] < end; j++ {
				least, most = min(least, l.free[j*dims+d]), max(most, l.free[j*dims+d])
			}
			if k == g.slots-1 {
				least = most
			}
			low, high := int64(math.MinInt64), int64(math.MaxInt64)
			if amounts != nil {
				low, high = min(least, least+amounts[d]), max(most, most+amounts[d])
			}
			g.setLevels(d, k, node, least, most, low, high)
		}
	}
}

// setLevels makes the bits of a slot for the levels of a dimension above low and up to high.
func (g *grid) setLevels(d, k int, node int32, least, most, low, high int64) {
	word, bit := int(node/64), uint64(1)<<(node%64)
	for v, level := range g.levels[d] {
		if level <= low || level > high {
			continue
		}
		row := g.first[d] + v
		at := (row*g.words+word)*g.slots + k
		put(&g.through[at], bit, least >= level)
		if !g.aligned {
			put(&g.some[at], bit, most >= level)
		}
		b := &g.block(row, word)[k/eight]
		if least < level {
			*b &^= bit
		} else if *b&bit == 0 {
			g.together(row, word, k, k+1)
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
