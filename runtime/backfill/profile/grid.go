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
// Slots begin where many nodes change, so that few change within one: they are short where much happens, and long
// where little does. The last slot has no end, and nothing changes in it.
type grid struct {
	width   int64 // of the slots where they are even, else a time for which some are left at least
	even    bool  // all slots are as wide as long as they reach far enough: everything begins and ends with one
	most    int   // slots
	slots   int
	begins  []int64   // by slot
	words   int       // of one row of bits
	levels  [][]int64 // by dimension, ascending
	first   []int     // row of a dimension's first level
	rows    int
	through []uint64 // rows × words × slots
	eights  []uint64 // of through: throughout eight slots
	some    []uint64
	built   bool
	within  []int32 // by slot: times within it at which a node changes
	changed int     // and of all slots, since they were made
	bearing int     // so many of these make new slots worth while
}

const (
	mostLevels = 16      // per dimension, of what is asked
	evenLevels = 16      // and of what nodes have
	mostWords  = 1 << 22 // of bits, as far as a few slots allow
	fewSlots   = 256
	manySlots  = 1536
	evenPart   = 4  // one slot in so many is for a time at which nothing happens yet
	samples    = 16 // of the times at which something happens, by slot
	fewWithin  = 2048
)

func newGrid(n *Nodes, levels [][]int64, width int64, aligned bool) grid {
	g := grid{width: min(max(width, 1), Forever/manySlots), words: (len(n.lines) + 63) / 64, even: aligned}
	for _, values := range levels {
		g.first = append(g.first, g.rows)
		g.levels = append(g.levels, slices.Compact(slices.Sorted(slices.Values(values))))
		g.rows += len(g.levels[len(g.levels)-1])
	}
	g.most = min(max(mostWords/max(g.rows*g.words, 1), fewSlots), manySlots)
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

// slot is the one in which a time lies.
func (g *grid) slot(time int64) int { return latest(g.begins, time) }

func (g *grid) begin(slot int) int64 {
	if slot >= g.slots {
		return Forever
	}
	return g.begins[slot]
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

// build makes the slots, and the bits from the nodes' steps.
func (g *grid) build(n *Nodes) {
	g.cut(n)
	g.changed, g.within = 0, slices.Grow(g.within[:0], g.slots)[:g.slots]
	clear(g.within)
	if most := g.rows * g.most * g.words; cap(g.through) < most { // once, for more slots come with more jobs
		g.through, g.some, g.eights = make([]uint64, most), make([]uint64, most), make([]uint64, most/eight+g.rows*g.words)
	}
	size := g.rows * g.slots * g.words
	g.through, g.some, g.eights = g.through[:size], g.some[:size], g.eights[:g.rows*g.blocks()*g.words]
	clear(g.through)
	clear(g.some)
	g.built = true
	n.version++
	for node := range n.lines {
		g.changes(&n.lines[node], node)
	}
	for d, levels := range g.levels {
		for v, level := range levels {
			for word := range g.words {
				g.fill(n, d, g.first[d]+v, word, level)
			}
		}
	}
}

// changes notes in which slots a node's bits become others: within some, and with through before through.
func (g *grid) changes(l *line, node int) {
	word, bit, dims := node/64, uint64(1)<<(node%64), len(g.levels)
	slot := 0
	for i := 1; i < len(l.at); i++ {
		for slot+1 < g.slots && g.begins[slot+1] <= l.at[i] {
			slot++
		}
		within := g.begins[slot] != l.at[i]
		if within {
			g.within[slot]++
		}
		for d, levels := range g.levels {
			low, high := l.free[(i-1)*dims+d], l.free[i*dims+d]
			if low > high {
				low, high = high, low
			}
			for v, level := range levels {
				if level <= low || level > high {
					continue
				}
				at := ((g.first[d]+v)*g.words+word)*g.slots + slot
				if within {
					g.some[at] |= bit
					at++
				}
				g.through[at] ^= bit
			}
		}
	}
}

// fill makes the bits of a level for a word of nodes, from what they are in the beginning and their changes.
func (g *grid) fill(n *Nodes, dimension, row, word int, level int64) {
	now := uint64(0)
	for node := word * 64; node < min(word*64+64, len(n.lines)); node++ {
		if n.lines[node].free[dimension] >= level {
			now |= 1 << (node % 64)
		}
	}
	through, some := g.row(g.through, row, word), g.row(g.some, row, word)
	for k, change := range through {
		now ^= change
		within := some[k]
		through[k], some[k] = now&^within, now|within
	}
	g.together(row, word, 0, g.slots)
}

// cut makes the slots. The last one begins when the last span with an end is over, or later.
func (g *grid) cut(n *Nodes) {
	last, count := g.lastEnd(n), 0
	begin := n.origin - n.origin%g.width
	if g.even = g.even && last <= begin+g.width*int64(g.most-1); g.even {
		g.begins = slices.Grow(g.begins[:0], g.most)[:g.most]
		for k := range g.begins {
			g.begins[k] = max(begin+g.width*int64(k), n.origin)
		}
		g.slots = g.most
		return
	}
	for i := range n.lines {
		count += len(n.lines[i].at) - 1
	}
	even := max(g.most/evenPart, 2)
	far := min(max(2*(last-n.origin), g.width*int64(even)), Forever-1-n.origin)
	g.begins = append(g.begins[:0], n.origin)
	for k, parts := int64(1), int64(even-1); k <= parts; k++ {
		g.begins = append(g.begins, n.origin+far/parts*k+far%parts*k/parts)
	}
	g.begins = append(g.begins, n.busiest(g.most-even, 1+count/(samples*g.most))...)
	slices.Sort(g.begins)
	g.begins = slices.Compact(g.begins)
	g.slots = len(g.begins)
	g.bearing = fewWithin + count/2
}

// busiest are at most so many times at which nodes change: all of them, or such that about as much happens between any
// two. One in some times is looked at.
func (n *Nodes) busiest(most, each int) []int64 {
	var times []int64
	skip := 0
	for i := range n.lines {
		for _, at := range n.lines[i].at[1:] {
			if skip++; skip == each {
				skip = 0
				times = append(times, at)
			}
		}
	}
	slices.Sort(times)
	distinct := slices.Compact(slices.Clone(times))
	if len(distinct) <= most {
		return distinct
	}
	chosen, left, since := distinct[:0], len(times), 0
	for i, at := range times {
		if since++; i+1 < len(times) && times[i+1] == at || len(chosen) == most || since*(most-len(chosen)) < left {
			continue
		}
		chosen = append(chosen, at)
		left, since = left-since, 0
	}
	return chosen
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

// change brings the bits of one node up to date. A span that ends after the slots, or not with one where they should,
// has them all made anew at the next question, as have many within slots.
func (g *grid) change(n *Nodes, node int32, s Span) {
	if !g.built {
		return
	}
	if last := g.begins[g.slots-1]; s.From > last || s.To < Forever && s.To > last {
		g.built = false
		return
	}
	for _, at := range [...]int64{s.From, s.To} {
		if slot := g.slot(at); at < Forever && g.begins[slot] != at {
			g.within[slot]++
			g.changed++
		}
	}
	if g.changed > 0 && (g.even || g.changed > g.bearing) {
		g.even, g.built = false, false
		return
	}
	l := &n.lines[node]
	slot, last := g.slot(s.From), g.slot(s.To-1)
	for i := l.index(s.From); slot <= last; i++ {
		end := s.To
		if i+1 < len(l.at) {
			end = min(end, l.at[i+1])
		}
		// The slots that lie in this step as a whole: only the levels that were crossed change.
		for slot <= last && g.begin(slot) < max(l.at[i], s.From) {
			g.set(n, node, slot, slot, s.Amounts)
			slot++
		}
		if run := min(g.slot(end), last+1); run > slot {
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
	i := l.index(g.begin(firstSlot))
	for k := firstSlot; k <= lastSlot; k++ {
		for begin := g.begin(k); i+1 < len(l.at) && l.at[i+1] <= begin; i++ {
		}
		end := g.begin(k + 1)
		for d := range dims {
			least := l.free[i*dims+d]
			most := least
			for j := i + 1; j < len(l.at) && l.at[j] < end; j++ {
				least, most = min(least, l.free[j*dims+d]), max(most, l.free[j*dims+d])
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
		put(&g.some[at], bit, most >= level)
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
