package tree

import "math"

// levels are the competitors below every account, side by side. Each has a slot: the
// users come before the accounts, either in tree order, as they are ranked when they tie.
type levels struct {
	start []int32      // by account: its first competitor's slot, which is where those of the account before end
	all   []competitor // by slot
	slot  []int32      // by node; the root, which competes with none, has the last
	place []uint8      // by node: which of its level it is, as long as that is short
	fixed []int32      // the nodes whose level does not depend on usage
}

// competitor is what the queue takes of a node.
type competitor struct {
	tag  uint32 // see competitorTag
	size uint32 // how many nodes are in the queue through it, itself included
}

// competitorTag is a node, and whether it is an account; the last bit is free to say that it ties.
func competitorTag(node int32, account bool) uint32 {
	if account {
		return uint32(node)<<2 | 2
	}
	return uint32(node) << 2
}

func (c competitor) node() int32 { return int32(c.tag >> 2) }

// of are the competitors below an account.
func (l *levels) of(account int32) []competitor {
	return l.all[l.start[account]:l.start[account+1]]
}

// lineUp gives out the slots by counting.
func (t *Tree) lineUp() levels {
	n := t.Len()
	l := levels{start: make([]int32, n+1), all: make([]competitor, n), slot: make([]int32, n), place: make([]uint8, n)}
	kind := func(i int) int32 {
		if t.isUser[i] {
			return 2 * t.FairshareParent[i]
		}
		return 2*t.FairshareParent[i] + 1
	}
	next := make([]int32, 2*n+1) // by kind: the next slot
	for i := 1; i < n; i++ {
		next[kind(i)+1]++
	}
	for k := range 2 * n {
		next[k+1] += next[k]
	}
	for p := range l.start {
		l.start[p] = next[2*p]
	}
	l.slot[0] = int32(n) - 1
	for i := 1; i < n; i++ {
		slot := next[kind(i)]
		next[kind(i)]++
		l.slot[i] = slot
		l.place[i] = uint8((slot - l.start[t.FairshareParent[i]]) % shortLevel)
		l.all[slot].tag = competitorTag(int32(i), !t.isUser[i])
		if t.shares[i] == ParentShares || t.shares[i] == 0 {
			l.fixed = append(l.fixed, int32(i))
		}
	}
	for i := n - 1; i > 0; i-- { // what is below a node is counted before
		c := &l.all[l.slot[i]]
		c.size++
		l.all[l.slot[t.FairshareParent[i]]].size += c.size
	}
	return l
}

// fixedLevel: a user with FairShare=parent has the best level, such an account is hollow, and
// without shares the level is the worst even without usage.
func (t *Tree) fixedLevel(node int32) float64 {
	switch {
	case t.shares[node] == 0:
		return 0
	case t.isUser[node]:
		return math.Inf(1)
	}
	return HollowLevel
}
