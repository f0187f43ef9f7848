package tree

import (
	"cmp"
	"math"
	"slices"
)

// entry is a competitor whose place among the others takes more than its key.
type entry struct {
	key     uint64 // see keyOf
	node    int32
	account bool
}

// entry says exactly what a node is to be ordered by.
func (f *FairTree) entry(node int32) entry {
	return entry{keyOf(f.LevelFS[node]), node, !f.Tree.isUser[node]}
}

// closeBits is how far float64 levels can be apart, in units of the last bit, while
// the same quotients of more bits are equal or even in the other order: two
// roundings each move a level by at most two.
const closeBits = 8

// joined is the place of an account below which no account competes any more, as its level has joined that of an
// account with which it ties.
const joined = math.MaxUint32

// rankExactly puts a level into the queue whose keys do not decide.
func (f *FairTree) rankExactly(level []competitor, next, tied uint32) {
	f.entries = f.entries[:0]
	for _, c := range level {
		f.entries = append(f.entries, f.entry(c.node()))
	}
	f.settle(f.entries)
	for k := 0; k < len(f.entries); {
		if k > 0 {
			tied = 0
			if f.tied(f.entries[k-1], f.entries[k]) {
				tied = 1
			}
		}
		end := f.tiedAccounts(f.entries, k)
		next = f.queueTied(f.entries[k:end], next, tied)
		k = end
	}
}

// tiedAccounts is the end of the run of tied accounts that begins at a place, if they
// are to be one.
func (f *FairTree) tiedAccounts(siblings []entry, at int) int {
	end := at + 1
	for f.options.MergeTies && siblings[at].account && end < len(siblings) && siblings[end].account &&
		f.tied(siblings[end-1], siblings[end]) {
		end++
	}
	return end
}

// queueTied puts one competitor into the queue, or accounts that are one: the first with the places
// below all of them, the others right after it.
func (f *FairTree) queueTied(siblings []entry, next, tied uint32) (after uint32) {
	below := &f.Tree.below
	after = next
	for k, e := range siblings {
		slot := below.slot[e.node]
		c := &below.all[slot]
		f.queue[next+uint32(k)] = c.tag | tied
		f.place[slot] = next<<1 | tied
		if k > 0 {
			f.place[slot] = joined
			f.joins[siblings[0].node] = append(f.joins[siblings[0].node], e.node)
		}
		after += c.size
	}
	return after
}

// rankMerged puts into the queue as one level what is below an account and below those that joined it.
func (f *FairTree) rankMerged(account int32, next, tied uint32) {
	others := f.joins[account]
	level := slices.Clone(f.Tree.below.of(account))
	for _, other := range others {
		level = append(level, f.Tree.below.of(other)...)
	}
	f.rankExactly(level, next+uint32(len(others)), tied)
}

// settle puts siblings in order: by their keys, and those that have the same or almost by more bits.
func (f *FairTree) settle(siblings []entry) {
	slices.SortFunc(siblings, func(a, b entry) int { return cmp.Compare(a.key, b.key) })
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
	if a.key == b.key && (a.key == 0 || !f.quotient(a.node) || f.sameInput(a.node, b.node)) {
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
		level := f.LevelFS[e.node]
		if math.IsInf(level, 1) {
			return extended{1 << 63, math.MaxInt32, false}
		}
		return extend(level)
	}
	used := extend(f.Usage[e.node]).div(extend(f.Usage[f.Tree.FairshareParent[e.node]]))
	return extend(f.NormShares[e.node]).div(used)
}
