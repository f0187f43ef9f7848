package rank

import (
	"cmp"
	"math/bits"
	"slices"
)

// Falling sorts by falling key, in place; equal keys keep their order.
func Falling(order []int32, key func(job int) int64) []int32 {
	if len(order) == 0 {
		return order
	}
	spare := spares.Get().(*[]uint64)
	defer spares.Put(spare)
	*spare = slices.Grow((*spare)[:0], 2*len(order))[:2*len(order)]
	words, rest := (*spare)[:len(order)], (*spare)[len(order):]
	before := key(int(order[0]))
	high, low, highest, sorted := before, before, order[0], true
	for k, i := range order {
		v := key(int(i))
		words[k] = uint64(v)
		high, low, highest = max(high, v), min(low, v), max(highest, i)
		sorted = sorted && v <= before
		before = v
	}
	if sorted {
		return order
	}
	jobBits := bits.Len32(uint32(highest))
	keyBits := bits.Len64(uint64(high) - uint64(low)) // modulo 2^64 the difference is right even across the sign
	if len(order) <= smallRows || keyBits+jobBits > 64 {
		slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(key(int(b)), key(int(a))) })
		return order
	}
	for k, i := range order {
		words[k] = (uint64(high)-words[k])<<jobBits | uint64(i)
	}
	words, _ = Words(words, rest, jobBits, jobBits+keyBits)
	mask := uint64(1)<<jobBits - 1
	for k, w := range words {
		order[k] = int32(w & mask)
	}
	return order
}
