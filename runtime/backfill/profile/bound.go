package profile

import (
	"math"
	"slices"
)

// Bound says before when a request cannot start, from what was found of others. While a pass only
// adds to a profile, holes only shrink: who asks for as much and as long as another, or
// more, cannot start before the time that was found for that other. This makes the difference
// between a scan of the whole plan for each job and one of a few steps.
//
// The starts are in a Fenwick tree of maxima over all that a request can have more of: size and duration, and
// amounts if it is for requests that differ in these. Its lines are values that are asked; with
// more values than lines, a start is entered at the next line above and looked up at the next
// line below, which is safe.
type Bound struct {
	lines  [][]int64 // by dimension, ascending
	latest []int64   // the product of their numbers
	at     []int     // of the request last asked, by dimension
}

// Half a megabyte bounds 100,000 requests that all differ in two dimensions to a few hundred steps. Of
// fewer requests less is learnt.
const (
	mostCells       = 1 << 16
	cellsForRequest = 16
)

// NewBound is for requests with these values, by dimension; others may be asked too,
// and gain less.
func NewBound(values ...[]int64) *Bound {
	cells := float64(min(cellsForRequest*len(values[0]), mostCells))
	most := max(int(math.Pow(cells, 1/float64(len(values)))), 2)
	b, size := &Bound{at: make([]int, len(values))}, 1
	for _, list := range values {
		b.lines = append(b.lines, lines(list, most))
		size *= len(b.lines[len(b.lines)-1])
	}
	b.latest = make([]int64, size)
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
func (b *Bound) Start(point ...int64) int64 {
	for d, lines := range b.lines {
		b.at[d] = upTo(lines, point[d]) // 1 + the line at or below
	}
	return b.start(0, 0)
}

func (b *Bound) start(dimension, row int) (latest int64) {
	row *= len(b.lines[dimension])
	for i := b.at[dimension]; i > 0; i &= i - 1 {
		if dimension == len(b.lines)-1 {
			latest = max(latest, b.latest[row+i-1])
		} else {
			latest = max(latest, b.start(dimension+1, row+i-1))
		}
	}
	return latest
}

// Raise says that this request, and any that asks for more, cannot start before start.
func (b *Bound) Raise(start int64, point ...int64) {
	for d, lines := range b.lines {
		b.at[d] = upTo(lines, point[d]-1) + 1 // 1 + the line at or above
	}
	b.raise(0, 0, start)
}

func (b *Bound) raise(dimension, row int, start int64) {
	lines := len(b.lines[dimension])
	row *= lines
	for i := b.at[dimension]; i <= lines; i += i & -i {
		if dimension == len(b.lines)-1 {
			b.latest[row+i-1] = max(b.latest[row+i-1], start)
		} else {
			b.raise(dimension+1, row+i-1, start)
		}
	}
}

// Reset forgets everything: something was given back.
func (b *Bound) Reset() { clear(b.latest) }
