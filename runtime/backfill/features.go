package backfill

import "slices"

// In reports a node that has all of a set.
func (s FeatureSet) In(have []string) bool {
	return !slices.ContainsFunc(s.All, func(name string) bool { return !slices.Contains(have, name) })
}

// Counted reports features that so many nodes must have each.
func (f *Features) Counted() bool {
	return slices.ContainsFunc(f.Alternatives, func(s FeatureSet) bool { return s.Count > 0 })
}

// Suit reports a node that may be among a job's. What is counted binds some nodes and no single one.
func (f *Features) Suit(have []string) bool {
	uncounted := false
	for _, s := range f.Alternatives {
		if s.Count > 0 {
			continue
		}
		if s.In(have) {
			return true
		}
		uncounted = true
	}
	return !uncounted
}

// Ways are the ways to meet what is asked; one must do for all nodes of a job.
func (f *Features) Ways() []Features {
	if !f.SameForAll || f.Counted() || len(f.Alternatives) < 2 {
		way := *f
		way.SameForAll = false
		return []Features{way}
	}
	var ways []Features
	for _, s := range f.Alternatives {
		ways = append(ways, Features{Alternatives: []FeatureSet{s}})
	}
	return ways
}

// AtLeast is the fewest nodes that meet what is counted.
func (f *Features) AtLeast() (nodes int64) {
	for _, s := range f.Alternatives {
		nodes += max(s.Count, 0)
	}
	return nodes
}

// Pick takes n of some nodes, the first ones that will do: of each set that is counted so many nodes of their own,
// where a node may have several of them. What a node has is asked for by its place in the list.
func (f *Features) Pick(nodes int, n int64, have func(at int) []string) (picked []int, ok bool) {
	m := matching{of: make([]int, nodes), have: have}
	for _, s := range f.Alternatives {
		for range min(s.Count, int64(nodes)+1) {
			m.sets = append(m.sets, s)
			if !m.augment(len(m.sets), make([]bool, nodes)) {
				return nil, false
			}
		}
	}
	left := n - int64(len(m.sets))
	for at, taken := range m.of {
		switch {
		case taken > 0:
			picked = append(picked, at)
		case left > 0:
			picked = append(picked, at)
			left--
		}
	}
	return picked, left <= 0
}

// matching gives sets nodes of their own.
type matching struct {
	sets []FeatureSet
	of   []int // by node: the set that has it, plus 1
	have func(at int) []string
}

// augment finds a node for a set, given as in of, whose node may be handed on from a set for which another will do.
func (m *matching) augment(set int, seen []bool) bool {
	for at, taken := range m.of {
		if taken == 0 && m.sets[set-1].In(m.have(at)) {
			m.of[at] = set
			return true
		}
	}
	for at, taken := range m.of {
		if taken == 0 || seen[at] || !m.sets[set-1].In(m.have(at)) {
			continue
		}
		seen[at] = true
		if m.augment(taken, seen) {
			m.of[at] = set
			return true
		}
	}
	return false
}
