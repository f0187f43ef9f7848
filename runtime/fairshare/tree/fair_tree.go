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
//
// slurmctld walks the tree as the ranks go. Here its accounts are taken in tree order: as it is known how
// many nodes each has below it, its competitors can have their places in the queue of all at
// once. What is read and written then lies together.
type FairTree struct {
	Factors
	LevelFS []float64 // shares over effective usage among the competitors; +Inf without usage

	options FairTreeOptions
	keys    []uint64 // by slot: what the competitor is sorted by, see tagged
	place   []uint32 // by slot: where in the queue it is, twice; one more if it is tied with the sibling before
	queue   []uint32 // all nodes as they are walked: the tag of competitor; one more if tied
	sorter  sorter
	entries []entry
	joins   map[int32][]int32 // by account: those it is one with, as they tie
}

// Compute ranks all users by billing usage, which is by node and finite, not negative.
func (f *FairTree) Compute(t *Tree, usage []float64, options FairTreeOptions) {
	f.reset(t, usage)
	f.NormShares = t.levelNorm
	f.options = options
	f.LevelFS = resized(f.LevelFS, t.Len())
	f.keys = resized(f.keys, t.Len())
	f.place = resized(f.place, t.Len())
	f.queue = resized(f.queue, t.Len())
	f.joins = map[int32][]int32{}
	f.computeLevels()
	f.place[t.below.slot[0]], f.queue[0] = 0, competitorTag(0, true)
	for _, account := range t.accounts {
		f.rankBelow(account)
	}
	f.handOut()
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

// computeLevels computes the level of every competitor (fair_tree.c: _calc_assoc_fs).
func (f *FairTree) computeLevels() {
	t, used, keys := f.Tree, f.Usage, f.keys
	f.LevelFS[0] = 0
	parent := t.FairshareParent[1:]
	n := len(parent)
	levels, usage, norm, slot, place := f.LevelFS[1:][:n], used[1:][:n], t.levelNorm[1:][:n], t.below.slot[1:][:n],
		t.below.place[1:][:n]
	for i, p := range parent {
		all := used[p]
		if all == 0 {
			all = math.Inf(1) // no one has a part of nothing
		}
		level := norm[i] / (usage[i] / all)
		levels[i] = level
		keys[slot[i]] = tagged(keyOf(level), place[i])
	}
	for _, i := range t.below.fixed {
		f.LevelFS[i] = t.fixedLevel(i)
		keys[t.below.slot[i]] = tagged(keyOf(f.LevelFS[i]), t.below.place[i])
	}
}

// rankBelow puts those who compete below an account into the queue.
func (f *FairTree) rankBelow(account int32) {
	below := &f.Tree.below
	from, to := below.start[account], below.start[account+1]
	own := f.place[below.slot[account]]
	next, tied := own>>1+1, own&1
	switch {
	case own == joined:
		return
	case f.options.MergeTies:
		f.rankMerged(account, next, tied)
		return
	case from == to:
		return
	}
	level := below.all[from:to]
	keys, tagBits := f.keys[from:to], shortBits
	if len(level) > shortLevel {
		keys, tagBits = f.sorter.tagLong(keys)
	}
	if !f.rankByKeys(level, f.place[from:to], keys, tagBits, next, tied) {
		f.rankExactly(level, next, tied)
	}
}

// rankByKeys puts a level into the queue from a place on; tied says that the best of it is. The result is
// false when keys cannot tell all of them apart: then the places mean nothing.
func (f *FairTree) rankByKeys(level []competitor, places []uint32, keys []uint64, tagBits int, next, tied uint32) bool {
	n, after, ties := f.queueBest(level, places, keys, tagBits, next, tied)
	if n == 0 {
		return true
	}
	order := f.sorter.sort(n, tagBits)
	before := uint64(0)
	if n == len(level) {
		before = order[0] - nearBy(tagBits)
	} else {
		ties = 0
	}
	return f.queueRest(level, places, order, tagBits, before, after, ties)
}

// queueBest puts those of the best level of all into the queue: users without usage, who are many and who all
// tie. It leaves n others to be sorted, and says where they go on.
//
// It does not ask who is the best, which a processor would have to guess: it puts everybody there, and
// goes on after the best only. All others come to their own places later.
func (f *FairTree) queueBest(level []competitor, places []uint32, keys []uint64, tagBits int, next, tied uint32) (n int,
	after, ties uint32) {
	queue, rest := f.queue, f.sorter.room(len(level))
	places, keys = places[:len(level)], keys[:len(level)]
	best := uint64(1)<<tagBits - 1
	for k, key := range keys {
		c := &level[k]
		queue[next] = c.tag | tied
		places[k] = next<<1 | tied
		rest[n] = key
		worse := (best - key) >> 63
		n += int(worse)
		next += c.size & uint32(worse-1)
		tied |= uint32(worse ^ 1)
	}
	return n, next, tied
}

// queueRest puts competitors into the queue who do not tie, as long as each key is not near the one before.
func (f *FairTree) queueRest(level []competitor, places []uint32, order []uint64, tagBits int, before uint64, next,
	tied uint32) bool {
	tag, apart := uint64(1)<<tagBits-1, nearBy(tagBits)
	queue, start := f.queue, next
	places = places[:len(level)]
	undecided := uint64(0)
	for _, key := range order {
		undecided |= key - before - apart
		before = key
		k := key & tag
		queue[next] = level[k].tag
		places[k] = next << 1
		next += level[k].size
	}
	queue[start] |= tied
	places[order[0]&tag] |= tied
	return undecided>>63 == 0
}

// handOut gives ranks to the users in the queue (fair_tree.c: _calc_tree_fs). Who is tied with the sibling
// before, user or account, gets the rank given last; the best below an account inherits that from the
// account. So the best user of an account that ties with a user shares that user's rank, and the
// best of the second of two tied accounts the rank of the worst of the first.
func (f *FairTree) handOut() {
	users := float64(max(f.Tree.Users, 1)) // accounts have 0
	next := f.Tree.Users
	rank := next
	for _, tag := range f.queue {
		user := int(tag>>1&1) - 1 // every bit of it
		untied := int(tag&1) - 1
		rank += (next - rank) & untied & user
		next += user
		f.Factor[tag>>2] = float64(rank&user) / users
	}
}
