package slurm

import "slices"

// blocks parts the slots of the map into runs of neighbours and knows of each run which nodes are free in all of its
// slots, so that a long job need not look at every slot.
type blocks struct {
	start []int // the first slot of each
	all   []set // free in all its slots
}

// blockSize is how many slots a block has, up to twice as many.
const blockSize = 24

// of is the block of a slot.
func (b *blocks) of(slot int) int {
	k, found := slices.BinarySearch(b.start, slot)
	if !found {
		k--
	}
	return k
}

// whole is the slot after the block that begins with a slot, and what is free all through it; nil if none begins there
// or each slot counts for itself.
func (m *slotMap) whole(slot int) (end int, all set) {
	b := &m.blocks
	k, found := slices.BinarySearch(b.start, slot)
	switch {
	case !found || m.licenses != nil || m.plain:
		return 0, nil
	case k+1 < len(b.start):
		return b.start[k+1], b.all[k]
	}
	return len(m.begin), b.all[k]
}

// inserted: a slot that equals the one before it came in.
func (m *slotMap) inserted(slot int) {
	b := &m.blocks
	k := b.of(slot - 1)
	for i := k + 1; i < len(b.start); i++ {
		b.start[i]++
	}
	end := len(m.begin)
	if k+1 < len(b.start) {
		end = b.start[k+1]
	}
	if end-b.start[k] <= 2*blockSize {
		return
	}
	b.start, b.all = slices.Insert(b.start, k+1, b.start[k]+blockSize), slices.Insert(b.all, k+1, b.all[k].clone())
	m.measure(k)
	m.measure(k + 1)
}

// deleted: a slot that equals the one before it went.
func (m *slotMap) deleted(slot int) {
	b := &m.blocks
	k := b.of(slot)
	first := b.start[k] == slot
	for i := k + 1; i < len(b.start); i++ {
		b.start[i]--
	}
	switch {
	case !first:
	case slot == len(m.begin) || k+1 < len(b.start) && b.start[k+1] == slot:
		b.start, b.all = slices.Delete(b.start, k, k+1), slices.Delete(b.all, k, k+1)
	default:
		m.measure(k)
	}
}

// measure finds what is free all through a block.
func (m *slotMap) measure(k int) {
	end, all := m.whole(m.blocks.start[k])
	if all == nil {
		return
	}
	copy(all, m.free[m.blocks.start[k]])
	for slot := m.blocks.start[k] + 1; slot < end; slot++ {
		all.and(m.free[slot])
	}
}

// kept: nodes are no longer free in the slots from first to last.
func (b *blocks) kept(first, last int, nodes set) {
	for k := b.of(first); k < len(b.start) && b.start[k] <= last; k++ {
		b.all[k].without(nodes)
	}
}
