package tree

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// entry is a competitor on its way through a sort.
type entry struct {
	key     uint64 // the bits of its level, inverted: the best is the smallest
	node    int32
	account bool
}

// unusedKey is of the best level, infinity.
const unusedKey = ^uint64(0x7ff << 52)

// keyOf: levels are not negative, so their bits order as they do.
func keyOf(level float64) uint64 { return ^math.Float64bits(level) }

// closeBits is how far float64 levels can be apart, in units of the last bit, while
// the same quotients of more bits are equal or even in the other order: two
// roundings each move a level by at most two.
const closeBits = 8

// shortLevel is up to how many siblings comparing all with all is fastest.
const shortLevel = 24

// place says where keys belong: after all smaller ones, and after those before them
// that are the same. It asks nothing that a processor would have to guess, as the
// order of levels is anybody's guess.
func place(keys, at []uint64) {
	for i, key := range keys {
		after, before := uint64(i), at[:i]
		for j, other := range keys[:len(before)] {
			_, smaller := bits.Sub64(key, other, 0)
			before[j] += smaller
			after -= smaller
		}
		at[i] = after
	}
}

func sortByKey(siblings []entry) {
	slices.SortFunc(siblings, func(a, b entry) int { return cmp.Compare(a.key, b.key) })
}

// settle orders those that have the same key, or almost, after the rest is in order.
func (f *FairTree) settle(siblings []entry) {
	idle := 0 // users without usage, who are many, are all the same unless an account is among them
	for idle < len(siblings) && siblings[idle].key == unusedKey && !siblings[idle].account {
		idle++
	}
	if idle == len(siblings) || siblings[idle].key != unusedKey {
		siblings = siblings[idle:]
	}
	for k := 1; k < len(siblings); k++ {
		if siblings[k].key-siblings[k-1].key > closeBits {
			continue
		}
		from := k - 1
		for k < len(siblings) && siblings[k].key-siblings[k-1].key <= closeBits {
			k++
		}
		slices.SortFunc(siblings[from:k], f.compareClose)
	}
}

// compare puts the better first (fair_tree.c: _cmp_level_fs): by level, of equal ones
// users before accounts, else as they stand in the tree.
func (f *FairTree) compare(a, b entry) int {
	if alike(a, b) {
		return f.compareClose(a, b)
	}
	return cmp.Compare(a.key, b.key)
}

// tied: ties need equality to the last bit.
func (f *FairTree) tied(a, b entry) bool {
	return alike(a, b) && f.compareExtended(a, b) == 0
}

func alike(a, b entry) bool {
	return max(a.key, b.key)-min(a.key, b.key) <= closeBits
}

// compareClose orders levels that look alike, or that lie between two that do.
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
	return cmp.Compare(a.node, b.node)
}

// compareExtended compares the levels as slurmctld has them: shares rounded to double,
// usage over usage and shares over that to long double. So 40/170 over 20/110
// does not tie with 50/170 over 25/110 (unit test of Fair Tree).
func (f *FairTree) compareExtended(a, b entry) int {
	if a.key == b.key && (a.key == unusedKey || !f.quotient(a.node) || f.sameInput(a.node, b.node)) {
		return 0
	}
	return f.extendedLevel(b).cmp(f.extendedLevel(a)) // the best first
}

// quotient reports whether a level comes from a division: not infinite, zero, hollow.
func (f *FairTree) quotient(node int32) bool {
	level := f.LevelFS[node]
	return level > 0 && !math.IsInf(level, 1) && f.Tree.shares[node] != ParentShares
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
