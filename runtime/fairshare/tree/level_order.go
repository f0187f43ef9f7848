package tree

import (
	"math"
	"math/bits"
	"slices"

	"github.com/fairway-sched/fairway/runtime/rank"
)

// infinite are the bits of the best level.
const infinite = 0x7ff << 52

// keyOf is how far a level is from the best one. Levels are not negative, so their bits
// order as they do; keys are below 1<<63.
func keyOf(level float64) uint64 { return infinite - math.Float64bits(level) }

const (
	shortLevel  = 64 // up to how many competitors a network sorts fastest
	shortBits   = 6  // what the place in a short level takes
	mediumLevel = 512
)

// tagged puts the place of a competitor into the last bits of its key, so that it is sorted as one word. The
// key is rounded up: only the best of all becomes 0.
func tagged(key uint64, place uint8) uint64 {
	return (key+1<<shortBits-1)&^(1<<shortBits-1) | uint64(place)
}

// nearBy is how far tagged keys must be apart to decide: keys may have lost what is in the place of the
// tag, and closeBits do not decide either.
func nearBy(tagBits int) uint64 { return (closeBits>>tagBits + 2) << tagBits }

// sorter has room for the keys of a level.
type sorter struct {
	long  []uint64
	rest  []uint64 // what is sorted
	spare []uint64
}

// room is for n keys, and for the padding that a network needs.
func (s *sorter) room(n int) []uint64 {
	if len(s.rest) < n {
		s.rest = make([]uint64, max(n, shortLevel+networkSize))
	}
	return s.rest
}

// tagLong tags keys anew, as the places in a long level need more bits.
func (s *sorter) tagLong(keys []uint64) (tagged []uint64, tagBits int) {
	tagBits = bits.Len(uint(len(keys) - 1))
	s.long = resized(s.long, len(keys))
	for k, key := range keys {
		key &^= 1<<shortBits - 1
		s.long[k] = (key+1<<tagBits-1)&^(1<<tagBits-1) | uint64(k)
	}
	return s.long, tagBits
}

// sort sorts the first n keys in the room, no two of which are the same.
func (s *sorter) sort(n, tagBits int) []uint64 {
	switch {
	case n <= shortLevel:
		sortShort((*[shortLevel + networkSize]uint64)(s.rest), n)
	case n <= mediumLevel:
		slices.Sort(s.rest[:n])
	default:
		s.rest, s.spare = rank.Words(s.rest[:n], resized(s.spare, len(s.rest))[:n], tagBits, 63)
	}
	return s.rest[:n]
}
