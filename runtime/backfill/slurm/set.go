package slurm

import "math/bits"

// set is a set of nodes, one bit each. Sets of one cluster have the same length.
type set []uint64

func newSet(n int) set { return make(set, (n+63)/64) }

func (s set) has(i int32) bool { return s[i>>6]&(1<<(i&63)) != 0 }
func (s set) add(i int32)      { s[i>>6] |= 1 << (i & 63) }
func (s set) remove(i int32)   { s[i>>6] &^= 1 << (i & 63) }

func (s set) and(o set) {
	for i := range s {
		s[i] &= o[i]
	}
}

func (s set) or(o set) {
	for i := range s {
		s[i] |= o[i]
	}
}

func (s set) without(o set) {
	for i := range s {
		s[i] &^= o[i]
	}
}

func (s set) clone() set {
	c := make(set, len(s))
	copy(c, s)
	return c
}

// bounds are the words that have members, from low to before high.
func (s set) bounds() (low, high int) {
	for high = len(s); high > 0 && s[high-1] == 0; high-- {
	}
	for low < high && s[low] == 0 {
		low++
	}
	return low, high
}

func (s set) count() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// within reports that all of s is in o.
func (s set) within(o set) bool {
	for i, w := range s {
		if w&^o[i] != 0 {
			return false
		}
	}
	return true
}

// commonWithin reports that all that s and o have in common is in a and in b.
func (s set) commonWithin(o, a, b set) bool {
	for i, w := range s {
		if w&o[i]&^(a[i]&b[i]) != 0 {
			return false
		}
	}
	return true
}

// common counts what s and o have in common.
func (s set) common(o set) int {
	n := 0
	for i, w := range s {
		n += bits.OnesCount64(w & o[i])
	}
	return n
}

// common3 counts what three sets have in common.
func common3(a, b, c set) int {
	n := 0
	for i, w := range a {
		n += bits.OnesCount64(w & b[i] & c[i])
	}
	return n
}

func (s set) meets(o set) bool {
	for i, w := range s {
		if w&o[i] != 0 {
			return true
		}
	}
	return false
}

func (s set) equal(o set) bool {
	for i, w := range s {
		if w != o[i] {
			return false
		}
	}
	return true
}

// next is the first member from i on; -1 if there is none.
func (s set) next(i int32) int32 {
	w := int(i >> 6)
	if w >= len(s) {
		return -1
	}
	word := s[w] >> (i & 63) << (i & 63)
	for word == 0 {
		if w++; w >= len(s) {
			return -1
		}
		word = s[w]
	}
	return int32(w<<6 + bits.TrailingZeros64(word))
}

// members lists s in order.
func (s set) members() []int32 {
	list := make([]int32, 0, s.count())
	for i := s.next(0); i >= 0; i = s.next(i + 1) {
		list = append(list, i)
	}
	return list
}

// fill puts all n nodes of the cluster into s.
func (s set) fill(n int) {
	for i := range s {
		s[i] = ^uint64(0)
	}
	if n&63 != 0 {
		s[len(s)-1] = 1<<(n&63) - 1
	}
}

// orRange adds those of o that are in the words of the members from first to before end.
func (s set) orRange(o set, first, end int32) {
	for i := first >> 6; first < end && i <= (end-1)>>6; i++ {
		s[i] |= o[i]
	}
}

// countRange counts the members from first to before end.
func (s set) countRange(first, end int32) (n int64) {
	for i := first >> 6; first < end && i <= (end-1)>>6; i++ {
		word := s[i]
		if i == first>>6 {
			word &= ^uint64(0) << (first & 63)
		}
		if i == (end-1)>>6 {
			word &= ^uint64(0) >> (63 - (end-1)&63)
		}
		n += int64(bits.OnesCount64(word))
	}
	return n
}

// addRange puts the members from first to before end into s.
func (s set) addRange(first, end int32) {
	for i := first; i < end; i++ {
		s.add(i)
	}
}
