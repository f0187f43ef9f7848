package maui

import (
	"cmp"
	"slices"
	"strconv"
)

// inSets keeps a job on nodes that have something in common (NODESETPOLICY). A set that has no room for the job is
// none; where no set has, other nodes will do unless the site waits for one (NODESETDELAY).
func (p *Planner) inSets(j *Job, list []candidate) []candidate {
	s := &p.settings.Sets
	if s.Policy == "" {
		return list
	}
	sets := p.sets(list)
	fit := sets[:0:0]
	for _, set := range sets {
		if p.enough(j, set) {
			fit = append(fit, set)
		}
	}
	if len(fit) == 0 {
		if s.DelaySeconds > 0 {
			return nil
		}
		return list
	}
	if s.Policy == "ANYOF" {
		return union(fit)
	}
	return slices.Clone(p.bestSet(fit))
}

// sets are the nodes by what they have in common, those that the site lists in its order.
func (p *Planner) sets(list []candidate) [][]candidate {
	s := &p.settings.Sets
	names := s.List
	of := func(n *node) []string {
		switch s.Attribute {
		case "MEMORY":
			return []string{strconv.FormatInt(n.Capacity.MemMB, 10)}
		case "PROCSPEED":
			if n.limits == nil {
				return nil
			}
			return []string{strconv.FormatInt(n.limits.ProcSpeed, 10)}
		}
		return n.features
	}
	if len(names) == 0 {
		known := map[string]bool{}
		for i := range list {
			for _, name := range of(list[i].node) {
				if !known[name] {
					known[name] = true
					names = append(names, name)
				}
			}
		}
	}
	sets := make([][]candidate, len(names))
	if s.Attribute == "PROCSPEED" { // a node may be in the sets of several speeds
		for k, name := range names {
			for i := range list {
				if slices.ContainsFunc(of(list[i].node), func(have string) bool { return p.sameSet(have, name) }) {
					sets[k] = append(sets[k], list[i])
				}
			}
		}
		return sets
	}
	at := make(map[string][]int, len(names))
	for k, name := range names {
		at[name] = append(at[name], k)
	}
	for i := range list {
		for _, name := range of(list[i].node) {
			for _, k := range at[name] {
				if n := len(sets[k]); n == 0 || sets[k][n-1].node != list[i].node {
					sets[k] = append(sets[k], list[i])
				}
			}
		}
	}
	return sets
}

// sameSet compares speeds: the set is that of its slowest, which others may exceed by a share of it (NODESETTOLERANCE).
func (p *Planner) sameSet(have, name string) bool {
	if have == name {
		return true
	}
	speed, errA := strconv.ParseFloat(have, 64)
	slowest, errB := strconv.ParseFloat(name, 64)
	return errA == nil && errB == nil && speed >= slowest && speed <= slowest*(1+p.settings.Sets.Tolerance)
}

// bestSet: ONEOF acts as FIRSTOF in Maui, where the sets are ranked first by the site's choice: the one of least loss
// for speeds, the tightest or the widest fit, or the one of the best nodes.
func (p *Planner) bestSet(sets [][]candidate) []candidate {
	rank := func(set []candidate) float64 {
		tasks, slow, fast, memory := int64(0), 0.0, 0.0, int64(0)
		for i := range set {
			n := set[i].node
			tasks, memory = tasks+set[i].tasks, max(memory, n.Capacity.MemMB)
			if i == 0 || n.Speed < slow {
				slow = n.Speed
			}
			fast = max(fast, n.Speed)
		}
		switch p.settings.Sets.Priority {
		case "BESTFIT":
			return -float64(tasks)
		case "WORSTFIT":
			return float64(tasks)
		case "BESTRESOURCE":
			return fast*float64(plentyOfMemory) + float64(memory)
		}
		return slow - fast
	}
	if p.settings.Sets.Policy == "FIRSTOF" || len(p.settings.Sets.List) > 0 && p.settings.Sets.Priority == "MINLOSS" {
		return sets[0]
	}
	return slices.MaxFunc(sets, func(a, b []candidate) int { return cmp.Compare(rank(a), rank(b)) })
}

// plentyOfMemory is more megabytes than a node has.
const plentyOfMemory = int64(1) << 30

// union are the nodes of all sets, each once.
func union(sets [][]candidate) []candidate {
	out := slices.Concat(sets...)
	slices.SortFunc(out, func(a, b candidate) int { return cmp.Compare(a.node.index, b.node.index) })
	return slices.CompactFunc(out, func(a, b candidate) bool { return a.node == b.node })
}
