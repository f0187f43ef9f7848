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

	options FairTreeOptions
	scratch []entry // siblings of the accounts one is in, the innermost last
	top     int     // how much of scratch is in use
	keys    [shortLevel]uint64
	places  [shortLevel]uint64
	rank    int // the last one given
	untied  int // the next one to give to a user who is not tied
}

// Compute ranks all users by billing usage, which is by node and finite, not negative.
func (f *FairTree) Compute(t *Tree, usage []float64, options FairTreeOptions) {
	f.reset(t, usage)
	f.NormShares = t.levelNorm
	f.options = options
	f.LevelFS = resized(f.LevelFS, t.Len())
	f.scratch = resized(f.scratch, len(t.below))
	f.LevelFS[0], f.Factor[0] = 0, 0
	f.top, f.rank, f.untied = 0, t.Users, t.Users
	f.below(0, false)
}

// Rank is a user's place counted from the worst: Tree.Users for the best, down to 1.
// Accounts have none, which is 0.
func (f *FairTree) Rank(node int) int {
	return int(math.Round(f.Factor[node] * float64(f.Tree.Users)))
}

// EffectiveUsage is a node's part of what its competitors have used; 1 for the root.
func (f *FairTree) EffectiveUsage(node int) float64 {
	if node == 0 {
		return 1
	}
	above := f.Usage[f.Tree.FairshareParent[node]]
	if above == 0 {
		return 0
	}
	return f.Usage[node] / above
}

// below ranks those who compete below an account.
func (f *FairTree) below(account int32, tied bool) {
	siblings := f.take(account)
	f.settle(siblings)
	f.walk(siblings, tied)
	f.top -= len(siblings)
}

// take computes the level of each competitor below an account (fair_tree.c:
// _calc_assoc_fs) and puts them on top of the scratch, the best first, as far as
// their keys say.
func (f *FairTree) take(account int32) []entry {
	t, usage, levels := f.Tree, f.Usage, f.LevelFS
	rivals := t.below[t.first[account]:t.first[account+1]]
	order := f.scratch[f.top : f.top+len(rivals)]
	f.top += len(rivals)
	all := usage[account]
	if all == 0 {
		all = math.Inf(1) // nobody has a part of nothing
	}
	if len(rivals) > shortLevel {
		for k := range rivals {
			r := &rivals[k]
			levels[r.node] = r.level(usage, all)
			order[k] = entry{keyOf(levels[r.node]), r.node, r.account}
		}
		sortByKey(order)
		return order
	}
	keys, places := f.keys[:len(rivals)], f.places[:len(rivals)]
	for k := range rivals {
		r := &rivals[k]
		level := r.level(usage, all)
		levels[r.node] = level
		keys[k] = keyOf(level)
	}
	place(keys, places)
	for k, at := range places {
		order[at] = entry{keys[k], rivals[k].node, rivals[k].account}
	}
	return order
}

func (r *rival) level(usage []float64, all float64) float64 {
	if r.fixed {
		return r.norm
	}
	return r.norm / (usage[r.node] / all)
}

// walk hands out ranks from the best sibling to the worst (fair_tree.c:
// _calc_tree_fs). A user tied with the sibling before, user or account, gets the rank
// given last; tied says so of the first, which inherits it from the account. So
// the best user of an account that ties with a user shares that user's rank, and the
// best of the second of two tied accounts the rank of the worst of the first.
func (f *FairTree) walk(siblings []entry, tied bool) {
	users := float64(f.Tree.Users)
	factor := float64(f.rank) / users
	for k := 0; k < len(siblings); k++ {
		e := &siblings[k]
		if k > 0 {
			tied = f.tied(siblings[k-1], *e)
		}
		if e.account {
			f.Factor[e.node] = 0
			if end := f.tiedAccounts(siblings, k); end > k+1 {
				f.merged(siblings[k:end], tied)
				k = end - 1
			} else {
				f.below(e.node, tied)
			}
			factor = float64(f.rank) / users
			continue
		}
		if !tied {
			f.rank = f.untied
			factor = float64(f.rank) / users
		}
		f.untied--
		f.Factor[e.node] = factor
	}
}

// tiedAccounts is the end of the run of tied accounts that begins at a place, if they
// are to be one.
func (f *FairTree) tiedAccounts(siblings []entry, at int) int {
	end := at + 1
	for f.options.MergeTies && end < len(siblings) && siblings[end].account && f.tied(siblings[end-1], siblings[end]) {
		end++
	}
	return end
}

// merged ranks those who compete below tied accounts as one level.
func (f *FairTree) merged(accounts []entry, tied bool) {
	from := f.top
	for _, a := range accounts {
		f.Factor[a.node] = 0
		f.take(a.node)
	}
	all := f.scratch[from:f.top]
	sortByKey(all)
	f.settle(all)
	f.walk(all, tied)
	f.top = from
}
