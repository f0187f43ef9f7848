// Package rank orders rows by priority: what comes in is a priority per row, what
// goes out the rows from the highest to the lowest. runtime/evaluation/order calls it once
// for each key that a scheduler orders its queue by.
package rank

import (
	"cmp"
	"math/bits"
	"slices"
	"sync"
)

// smallRows is up to how many rows comparing is faster than counting.
const smallRows = 512

// Descending returns the rows in order of falling priority. Rows of equal priority
// keep their order, as both schedulers keep that of their job lists.
func Descending(priorities []int64) []int32 {
	if len(priorities) > smallRows {
		if rows, ok := counted(priorities); ok {
			return rows
		}
	}
	return compared(priorities)
}

// compared is the obvious way, and the twin of the fast one.
func compared(priorities []int64) []int32 {
	rows := make([]int32, len(priorities))
	for i := range rows {
		rows[i] = int32(i)
	}
	slices.SortStableFunc(rows, func(a, b int32) int { return cmp.Compare(priorities[b], priorities[a]) })
	return rows
}

const (
	digitBits = 11
	digits    = 1 << digitBits
)

// counted is a radix sort from the last digit. A key is how far the priority lies
// below the highest, with the row beside it in one word; a queue's priorities span few
// digits, so few passes. It declines when key and row do not fit together.
func counted(priorities []int64) (rows []int32, ok bool) {
	high, low := slices.Max(priorities), slices.Min(priorities)
	rowBits := bits.Len(uint(len(priorities) - 1))
	keyBits := bits.Len64(uint64(high) - uint64(low)) // modulo 2^64 the difference is right even across the sign
	if keyBits+rowBits > 64 {
		return nil, false
	}
	spare := spares.Get().(*[]uint64)
	defer spares.Put(spare)
	*spare = slices.Grow((*spare)[:0], 2*len(priorities))[:2*len(priorities)]
	from, to := (*spare)[:len(priorities)], (*spare)[len(priorities):]
	for i, p := range priorities {
		from[i] = (uint64(high)-uint64(p))<<rowBits | uint64(i)
	}
	from, _ = Words(from, to, rowBits, rowBits+keyBits)
	rows = make([]int32, len(priorities))
	mask := uint64(1)<<rowBits - 1
	for i, k := range from {
		rows[i] = int32(k & mask)
	}
	return rows, true
}

// spares are the words of earlier sorts: a queue is sorted by one key after the other.
var spares = sync.Pool{New: func() any { return new([]uint64) }}

// Words sorts by the bits from low to high, above which all are the same; of words that are alike there the
// order stays. It needs a spare slice as long, and returns the one with the words in order and the other.
func Words(words, spare []uint64, low, high int) (sorted, rest []uint64) {
	for shift := low; shift < high && len(words) > 0; shift += digitBits {
		if scatter(spare, words, shift) {
			words, spare = spare, words
		}
	}
	return words, spare
}

// scatter sorts by one digit, keeping the order of equal ones. It reports false and does
// nothing if all have the same.
func scatter(to, from []uint64, shift int) bool {
	var at [digits]uint32
	for _, k := range from {
		at[k>>shift%digits]++
	}
	if int(at[from[0]>>shift%digits]) == len(from) {
		return false
	}
	sum := uint32(0)
	for d, n := range at {
		at[d] = sum
		sum += n
	}
	for _, k := range from {
		d := k >> shift % digits
		to[at[d]] = k
		at[d]++
	}
	return true
}

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
