package backfill

import (
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill/profile"
)

// family are kinds that differ only in how much of a node they take. Where jobs say their memory to the megabyte
// nearly each is a kind of its own, and learns nothing from its kind; but one that takes as much of
// everything as another, or more, cannot start before it.
type family struct {
	kinds []*kind
	bound *profile.Bound // nil if nothing can be learnt
}

// In more dimensions a bound has too few lines in each to say much.
const mostDimensions = 8

// amounts are what a kind takes of each node and for each task.
func (k *kind) amounts() []int64 { return slices.Concat(k.base, k.task) }

// compare finds in what the kinds of a family differ, and makes its bound. Nodes that are asked for by name, or for
// a counted feature, are chosen among others too, so that of these nothing is known.
func (f *family) compare() {
	first := f.kinds[0]
	if len(f.kinds) == 1 || len(first.options) == 0 || len(first.like.Hosts) > 0 || first.like.Features.Counted() {
		return
	}
	asked := make([][]int64, 2) // sizes, durations, and amounts that differ
	for _, k := range f.kinds {
		asked[0], asked[1] = append(asked[0], k.sizes...), append(asked[1], k.seconds...)
		k.point = make([]int64, 2)
	}
	for a, v := range first.amounts() {
		list := make([]int64, 0, len(f.kinds))
		for _, k := range f.kinds {
			list = append(list, k.amounts()[a])
		}
		if slices.Min(list) == v && slices.Max(list) == v {
			continue
		}
		asked = append(asked, list)
		for i, k := range f.kinds {
			k.point = append(k.point, list[i])
		}
	}
	if len(asked) <= mostDimensions {
		f.bound = profile.NewBound(asked...)
	}
}

// start is the earliest start that is not ruled out.
func (k *kind) start(size, seconds int64) int64 {
	start := k.bound.Start(size, seconds)
	if k.family.bound != nil {
		k.point[0], k.point[1] = size, seconds
		start = max(start, k.family.bound.Start(k.point...))
	}
	return start
}

// noSooner notes that none of the kind of such a size starts before start.
func (k *kind) noSooner(size, seconds, start int64) {
	k.bound.Raise(start, size, seconds)
	if k.family.bound != nil {
		k.point[0], k.point[1] = size, seconds
		k.family.bound.Raise(start, k.point...)
	}
}
