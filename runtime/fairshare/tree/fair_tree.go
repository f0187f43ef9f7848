package tree

import "math"

// HollowLevel is the level of an account with FairShare=parent: NO_VAL, a large number
// that it is ranked by. Nothing is ranked below it, as its children compete elsewhere.
const HollowLevel = 0xfffffffe

// FairTreeOptions choose between what the manual says and what is implemented.
type FairTreeOptions struct {
	// MergeTies puts the children of tied accounts into one level, as the page on Fair
	// Tree says. All versions up to 26.05 mean to, but their loop that counts tied
	// accounts stops at the first one (fair_tree.c: _count_tied_accounts): they
	// walk one account after the other.
	MergeTies bool
}

// FairTree ranks users by their accounts: at each level by shares over usage, so
// that all of a better account's users come before all of a worse one's. The zero value
// is ready; computing again re-uses its memory.
type FairTree struct {
	Factors
	LevelFS []float64 // shares over effective usage among the competitors; +Inf without usage
	Rank    []int32   // Users for the best user, down to 1; 0 for accounts

	options FairTreeOptions
	order   []entry // siblings by level, best first, at the places of Tree.below
	rank    int32   // the last one given
	untied  int32   // the next one to give to a user who is not tied
}

// Compute ranks all users by billing usage, which is by node and finite, not negative.
func (f *FairTree) Compute(t *Tree, usage []float64, options FairTreeOptions) {
	f.reset(t, usage)
	f.NormShares = t.levelNorm
	f.options = options
	f.LevelFS = resized(f.LevelFS, t.Len())
	f.Rank = resized(f.Rank, t.Len())
	f.order = resized(f.order, len(t.below))

	f.EffectiveUsage[0], f.LevelFS[0], f.Factor[0], f.Rank[0] = 1, 0, 0, 0
	for p := range t.Len() {
		if lo, hi := t.first[p], t.first[p+1]; lo < hi {
			f.levels(p, lo, hi)
			f.sort(f.order[lo:hi])
		}
	}
	f.rank, f.untied = int32(t.Users), int32(t.Users)
	f.walk(f.siblings(0), false)
}

// siblings are the competitors below an account, best first.
func (f *FairTree) siblings(account int32) []entry {
	return f.order[f.Tree.first[account]:f.Tree.first[account+1]]
}

// levels computes the level of each competitor below an account
// (fair_tree.c: _calc_assoc_fs).
func (f *FairTree) levels(account int, lo, hi int32) {
	t, all := f.Tree, f.Usage[account]
	for k := lo; k < hi; k++ {
		i := t.below[k]
		used := 0.0
		if all != 0 {
			used = f.Usage[i] / all
		}
		user := t.isUser[i]
		shares := t.levelNorm[i]
		level := 0.0 // without shares the worst, even without usage
		switch {
		case t.shares[i] == ParentShares && user:
			level = math.Inf(1)
		case t.shares[i] == ParentShares:
			level = HollowLevel
		case shares == 0:
		case used == 0:
			level = math.Inf(1)
		default:
			level = shares / used
		}
		f.EffectiveUsage[i], f.LevelFS[i], f.Factor[i], f.Rank[i] = used, level, 0, 0
		f.order[k] = newEntry(level, i, user)
	}
}

// walk hands out ranks from the best sibling to the worst (fair_tree.c:
// _calc_tree_fs). A user tied with the sibling before, user or account, gets the rank
// given last; tied says so of the first, which inherits it from the account. So
// the best user of an account that ties with a user shares that user's rank, and the
// best of the second of two tied accounts the rank of the worst of the first.
func (f *FairTree) walk(siblings []entry, tied bool) {
	users := float64(f.Tree.Users)
	for k := 0; k < len(siblings); k++ {
		e := siblings[k]
		if k > 0 {
			tied = f.tied(siblings[k-1], e)
		}
		if e.account {
			merged := f.siblings(e.node)
			if f.options.MergeTies {
				if end := f.tiedAccounts(siblings, k); end > k+1 {
					merged = f.merge(siblings[k:end])
					k = end - 1
				}
			}
			f.walk(merged, tied)
			continue
		}
		if !tied {
			f.rank = f.untied
		}
		f.untied--
		f.Rank[e.node], f.Factor[e.node] = f.rank, float64(f.rank)/users
	}
}

// tiedAccounts is the end of the run of tied accounts that begins at a place.
func (f *FairTree) tiedAccounts(siblings []entry, at int) int {
	end := at + 1
	for end < len(siblings) && siblings[end].account && f.tied(siblings[end-1], siblings[end]) {
		end++
	}
	return end
}

// merge makes one level of the children of tied accounts.
func (f *FairTree) merge(accounts []entry) []entry {
	var all []entry
	for _, a := range accounts {
		all = append(all, f.siblings(a.node)...)
	}
	f.sort(all)
	return all
}
