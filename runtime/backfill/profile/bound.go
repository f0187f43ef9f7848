package profile

import (
	"slices"
	"sort"
)

// Bound says before when a request cannot start, from what was found of others. While a pass only
// adds to a profile, holes only shrink: who asks for as much and as long as another, or
// more, cannot start before the time that was found for that other. This makes the difference
// between a scan of the whole plan for each job and one of a few steps.
//
// The starts stand in a Fenwick tree of maxima over size and duration. Its lines are values that
// are asked; with more values than lines, a start is entered at the next line above and
// looked up at the next line below, which is safe.
type Bound struct {
	sizes, seconds []int64 // the lines, ascending
	latest         []int64 // Fenwick tree: len(sizes) × len(seconds)
}

// So many lines cost a quarter of a megabyte and bound 100,000 requests that
// all differ to a few hundred steps.
const (
	mostSizes   = 128
	mostSeconds = 256
)

// NewBound is for requests of these sizes and durations; others may be asked too, and gain less.
func NewBound(sizes, seconds []int64) *Bound {
	b := &Bound{sizes: lines(sizes, mostSizes), seconds: lines(seconds, mostSeconds)}
	b.latest = make([]int64, len(b.sizes)*len(b.seconds))
	return b
}

// lines are at most so many of the values, evenly spread over them as often as they occur, so that
// values that are often asked have their own. Of very many a sample will do.
func lines(values []int64, most int) []int64 {
	step := 1 + len(values)/(32*most)
	sorted := make([]int64, 0, len(values)/step+1)
	for i := 0; i < len(values); i += step {
		sorted = append(sorted, values[i])
	}
	slices.Sort(sorted)
	distinct := slices.Compact(slices.Clone(sorted))
	if len(distinct) <= most {
		return distinct
	}
	chosen := make([]int64, most)
	for i := range chosen {
		chosen[i] = sorted[i*(len(sorted)-1)/(most-1)]
	}
	return slices.Compact(chosen)
}

// Start is the earliest start that is not ruled out; 0 if none is.
func (b *Bound) Start(size, seconds int64) int64 {
	best := int64(0)
	row := sort.Search(len(b.sizes), func(i int) bool { return b.sizes[i] > size }) // 1 + the line at or below
	column := sort.Search(len(b.seconds), func(i int) bool { return b.seconds[i] > seconds })
	for i := row; i > 0; i &= i - 1 {
		line := b.latest[(i-1)*len(b.seconds):]
		for j := column; j > 0; j &= j - 1 {
			best = max(best, line[j-1])
		}
	}
	return best
}

// Raise says that a request of this shape, and any larger one, cannot start before start.
func (b *Bound) Raise(size, seconds, start int64) {
	row := sort.Search(len(b.sizes), func(i int) bool { return b.sizes[i] >= size }) + 1 // the line at or above
	column := sort.Search(len(b.seconds), func(i int) bool { return b.seconds[i] >= seconds }) + 1
	for i := row; i <= len(b.sizes); i += i & -i {
		line := b.latest[(i-1)*len(b.seconds):]
		for j := column; j <= len(b.seconds); j += j & -j {
			line[j-1] = max(line[j-1], start)
		}
	}
}

// Reset forgets everything: something was given back.
func (b *Bound) Reset() { clear(b.latest) }
