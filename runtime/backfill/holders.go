package backfill

import (
	"cmp"
	"slices"
	"sort"
)

// Holders are who has each node of a plan until when. Jobs can leave it, but not come to it, so that the last one that
// ends before a time is found without looking at those that have left: each entry points to itself or to one before
// it, on the same node, after which all have left (a union-find).
type Holders struct {
	places []Placement
	first  []int // by node: its first entry; the last one is the end of all
	until  []int64
	at     []int32 // in the schedule; of one node by their ends, those that end at once in the order of the schedule
	there  []int32 // entry 0 is of no node, so that there is always one before
	found  []Leaver
}

// Leaver has a node of a job before it.
type Leaver struct {
	Until     int64
	At, Share int32 // its placement, and which of the job's nodes
}

// HoldersOf are those of some nodes.
func HoldersOf(places []Placement, nodes int) *Holders {
	u := &Holders{places: places, first: make([]int, nodes+1)}
	var order []int32
	for at := range u.places {
		if u.places[at].By == ByNone {
			continue
		}
		order = append(order, int32(at))
		for _, n := range u.places[at].Nodes {
			u.first[n.Node]++
		}
	}
	end := 1
	for node, count := range u.first {
		u.first[node], end = end, end+count
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(u.places[a].End, u.places[b].End), cmp.Compare(a, b))
	})
	u.until, u.at, u.there = make([]int64, end), make([]int32, end), make([]int32, end)
	next := slices.Clone(u.first)
	for _, at := range order {
		for _, n := range u.places[at].Nodes {
			u.until[next[n.Node]], u.at[next[n.Node]] = u.places[at].End, at
			next[n.Node]++
		}
	}
	for entry := range u.there {
		u.there[entry] = int32(entry)
	}
	return u
}

// upTo is the last entry of a node that ends by a time, whether it has left or not; one of another node if none does.
func (u *Holders) upTo(node int32, time int64) int {
	first, end := u.first[node], u.first[node+1]
	return first + sort.Search(end-first, func(k int) bool { return u.until[first+k] > time }) - 1
}

// Leave takes a placement from its nodes.
func (u *Holders) Leave(at int) {
	for _, n := range u.places[at].Nodes {
		end := u.places[at].End
		for k := u.upTo(n.Node, end); k >= u.first[n.Node] && u.until[k] == end; k-- {
			if u.at[k] == int32(at) && u.there[k] == int32(k) {
				u.there[k] = int32(k - 1)
				break
			}
		}
	}
}

// last is the last entry up to this one that has not left.
func (u *Holders) last(entry int) int {
	for k := int32(entry); ; k = u.there[k] {
		up := u.there[k]
		if up == k {
			return int(k)
		}
		u.there[k] = u.there[up]
	}
}

// Before are who leaves the nodes of a placement last, after one time and by another: the others leave them to somebody
// in between. Those who leave last come first; it holds until the next call.
func (u *Holders) Before(place *Placement, after, by int64) []Leaver {
	u.found = u.found[:0]
	for share, n := range place.Nodes {
		k := u.last(u.upTo(n.Node, by))
		if k < u.first[n.Node] || u.until[k] <= after {
			continue
		}
		for until := u.until[k]; k >= u.first[n.Node] && u.until[k] == until; k = u.last(k - 1) {
			u.found = append(u.found, Leaver{until, u.at[k], int32(share)})
		}
	}
	slices.SortFunc(u.found, func(a, b Leaver) int {
		if a.Until != b.Until {
			return cmp.Compare(b.Until, a.Until)
		}
		return cmp.Or(cmp.Compare(u.places[a.At].Job, u.places[b.At].Job), cmp.Compare(a.Share, b.Share))
	})
	return u.found
}
