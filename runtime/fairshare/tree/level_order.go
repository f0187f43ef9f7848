package tree

import (
	"math"
	"slices"
)

// entry is a competitor on its way through a sort.
type entry struct {
	key     uint64 // the bits of its level, inverted: the best is the smallest
	node    int32
	account bool
}

// newEntry: levels are not negative, so their bits order as they do.
func newEntry(level float64, node int32, user bool) entry {
	return entry{^math.Float64bits(level), node, !user}
}

// closeBits is how far float64 levels can be apart, in units of the last bit, while
// the same quotients of more bits are equal or even in the other order: two
// roundings each move a level by at most two.
const closeBits = 8

// shortLevel is up to how many siblings moving them one by one is fastest.
const shortLevel = 24

// sort puts the best first (fair_tree.c: _cmp_level_fs): by level, of equal ones
// users before accounts, else as they stand in the tree.
func (f *FairTree) sort(siblings []entry) {
	if len(siblings) > shortLevel {
		slices.SortFunc(siblings, f.compare)
		return
	}
	for i := 1; i < len(siblings); i++ {
		e, k := siblings[i], i
		for ; k > 0 && f.compare(siblings[k-1], e) > 0; k-- {
			siblings[k] = siblings[k-1]
		}
		siblings[k] = e
	}
}

func (f *FairTree) compare(a, b entry) int {
	switch d := int64(a.key - b.key); { // all keys have their top bit set
	case d < -closeBits:
		return -1
	case d > closeBits:
		return 1
	}
	return f.compareClose(a, b)
}

// compareClose orders levels that look alike.
func (f *FairTree) compareClose(a, b entry) int {
	if c := f.compareExtended(a, b); c != 0 {
		return c
	}
	if a.account != b.account {
		if b.account {
			return -1
		}
		return 1
	}
	return int(a.node) - int(b.node)
}

// tied: ties need equality to the last bit.
func (f *FairTree) tied(a, b entry) bool {
	d := int64(a.key - b.key)
	return -closeBits <= d && d <= closeBits && f.compareExtended(a, b) == 0
}

// compareExtended compares the levels as slurmctld has them: shares rounded to double,
// usage over usage and shares over that to long double. So 40/170 over 20/110
// does not tie with 50/170 over 25/110 (unit test of Fair Tree).
func (f *FairTree) compareExtended(a, b entry) int {
	if a.key == b.key && (!f.quotient(a.node) || f.sameInput(a.node, b.node)) {
		return 0
	}
	return f.extendedLevel(b).cmp(f.extendedLevel(a)) // the best first
}

// quotient reports whether a level comes from a division: not infinite, zero, hollow.
func (f *FairTree) quotient(node int32) bool {
	return f.NormShares[node] > 0 && f.EffectiveUsage[node] > 0 && f.Tree.shares[node] != ParentShares
}

func (f *FairTree) sameInput(a, b int32) bool {
	t := f.Tree
	return f.NormShares[a] == f.NormShares[b] && f.Usage[a] == f.Usage[b] &&
		f.Usage[t.FairshareParent[a]] == f.Usage[t.FairshareParent[b]]
}

func (f *FairTree) extendedLevel(e entry) extended {
	if !f.quotient(e.node) {
		level := math.Float64frombits(^e.key)
		if math.IsInf(level, 1) {
			return extended{1 << 63, math.MaxInt32, false}
		}
		return extend(level)
	}
	used := extend(f.Usage[e.node]).div(extend(f.Usage[f.Tree.FairshareParent[e.node]]))
	return extend(f.NormShares[e.node]).div(used)
}
