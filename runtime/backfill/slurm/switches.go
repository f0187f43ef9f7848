package slurm

import (
	"cmp"
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// With topology/tree a job gets nodes of few leaf switches that are near to each other (_eval_nodes_topo and
// _topo_compare_switches of select/cons_tres; recorded: topology-*).

// tree are the switches of the cluster.
type tree struct {
	switches []networkSwitch
	leaves   []int32
	top      set     // nodes below the switch that has most of them
	leafOf   []int32 // by node; -1 is none
}

type networkSwitch struct {
	parent, level int32 // its own number at the top; leaves are of level 0
	nodes         set
}

// newTree reads the switches over each node, its leaf first; nil if there are none. Switches count in the order in
// which nodes name them.
func newTree(nodes []backfill.Node) *tree {
	t, at := &tree{leafOf: make([]int32, len(nodes))}, map[string]int32{}
	for i := range nodes {
		t.leafOf[i] = -1
		below := int32(-1)
		for level, name := range nodes[i].Switches {
			k, known := at[name]
			if !known {
				k = int32(len(t.switches))
				at[name] = k
				t.switches = append(t.switches, networkSwitch{parent: k, level: int32(level), nodes: newSet(len(nodes))})
			}
			switch t.switches[k].nodes.add(int32(i)); {
			case below >= 0 && t.switches[k].level > t.switches[below].level: // so that no switch is over itself
				t.switches[below].parent = k
			case below < 0:
				t.leafOf[i] = k
			}
			below = k
		}
	}
	if len(t.switches) == 0 {
		return nil
	}
	t.top = newSet(len(nodes))
	for k := range t.switches {
		s := &t.switches[k]
		if s.level == 0 {
			t.leaves = append(t.leaves, int32(k))
		}
		if s.parent == int32(k) && s.nodes.count() > t.top.count() {
			t.top = s.nodes
		}
	}
	return t
}

// distance is how many steps are between two switches, up to the first that is over both.
func (t *tree) distance(a, b int32) (steps int64) {
	for a != b {
		switch up, over := t.switches[a].parent, t.switches[b].parent; {
		case up == a && over == b:
			return steps
		case over == b, t.switches[a].level < t.switches[b].level && up != a:
			a, steps = up, steps+1
		case up == a, t.switches[a].level > t.switches[b].level:
			b, steps = over, steps+1
		default:
			a, b, steps = up, over, steps+2
		}
	}
	return steps
}

// better is above 0 if a switch is better than another for so many nodes that are still needed, and below 0 if it is
// worse: one that has them all, the smaller of two that do; if neither does, what is over them is compared, or the two
// by their nodes if that is the same switch (recorded: topology-cpus, job 12).
func (t *tree) better(a, b int32, usable []int64, need int64) int {
	for {
		fits, fitsToo := usable[a] >= need, usable[b] >= need
		switch {
		case fits && fitsToo && usable[a] != usable[b]:
			return sign(usable[b] - usable[a])
		case fits && !fitsToo:
			return 1
		case fitsToo && !fits:
			return -1
		}
		up, over := t.switches[a].parent, t.switches[b].parent
		if fits || up == over || up == a && over == b {
			break
		}
		a, b = up, over
	}
	if usable[a] != usable[b] {
		return sign(usable[a] - usable[b])
	}
	return sign(int64(t.switches[b].level - t.switches[a].level))
}

func sign(n int64) int {
	switch {
	case n > 0:
		return 1
	case n < 0:
		return -1
	}
	return 0
}

// nearby reports a want whose nodes are chosen by their switches.
func (p *planner) nearby(w *want) bool {
	return p.tree != nil && (!p.in.Settings.TreeOptional || w.switches > 0)
}

// switches is for how long a want insists on few switches: no longer than max_switch_wait, from when nodes were first
// looked for.
func (p *planner) switches(w *want, r *backfill.Request) {
	wait := p.in.Settings.SwitchSeconds
	if r.SwitchSeconds > 0 {
		wait = min(wait, r.SwitchSeconds)
	}
	if r.Switches > 0 && p.tree != nil {
		w.switches, w.switchesUntil = r.Switches, cmp.Or(r.Tested, p.in.Now)+wait
	}
}

// bySwitch takes nodes leaf by leaf. All nodes of a lower weight go before those of a higher one.
func (c *chooser) bySwitch(candidates set) bool {
	t := c.p.tree
	candidates = candidates.clone()
	candidates.and(t.top)
	chosen := map[int32]bool{}
	for _, s := range c.chosen {
		if leaf := t.leafOf[s.node]; leaf >= 0 {
			chosen[leaf] = true
		}
	}
	light := c.lightest(candidates)
	for k, nodes := range light {
		if k < len(light)-1 { // all of these are needed
			c.takeAll(nodes, chosen)
			continue
		}
		for _, leaf := range t.leaves {
			if chosen[leaf] {
				c.takeLeaf(leaf, nodes)
			}
		}
		c.takeLeaves(nodes, chosen)
	}
	if !c.suffices() {
		return false
	}
	return c.w.switches == 0 || c.p.now >= c.w.switchesUntil || int64(len(chosen)) <= c.w.switches
}

// lightest parts candidates by weight, the lightest first, until they suffice.
func (c *chooser) lightest(candidates set) (list []set) {
	by, weights := map[int64]set{}, []int64(nil)
	for i := candidates.next(0); i >= 0; i = candidates.next(i + 1) {
		if c.required != nil && c.required.has(i) {
			continue
		}
		weight := c.p.weight(i, c.w, c.u)
		if by[weight] == nil {
			by[weight], weights = newSet(len(c.p.nodes)), append(weights, weight)
		}
		by[weight].add(i)
	}
	slices.Sort(weights)
	nodes, procs := int64(0), int64(0)
	for _, weight := range weights {
		list = append(list, by[weight])
		for i := by[weight].next(0); i >= 0; i = by[weight].next(i + 1) {
			nodes, procs = nodes+1, procs+c.procs[i]
		}
		if c.fewEnough(nodes) && procs >= c.left {
			break
		}
	}
	return list
}

func (c *chooser) takeAll(nodes set, chosen map[int32]bool) {
	for i := nodes.next(0); i >= 0 && c.goesOn(); i = nodes.next(i + 1) {
		c.take(i)
		chosen[c.p.tree.leafOf[i]] = true
	}
}

func (c *chooser) takeLeaf(leaf int32, nodes set) {
	of := c.p.tree.switches[leaf].nodes
	for i := of.next(0); i >= 0 && c.goesOn(); i = of.next(i + 1) {
		if nodes.has(i) {
			c.take(i)
		}
	}
}

// takeLeaves takes the nodes of the best leaf, then of the best of the others, and so on.
func (c *chooser) takeLeaves(nodes set, chosen map[int32]bool) {
	t := c.p.tree
	usable := make([]int64, len(t.switches))
	for k := range usable {
		usable[k] = int64(t.switches[k].nodes.common(nodes))
	}
	far := make([]int64, len(t.switches))
	for leaf := range chosen {
		for _, other := range t.leaves {
			far[other] += t.distance(leaf, other)
		}
	}
	for c.goesOn() {
		best := int32(-1)
		for _, leaf := range t.leaves {
			if chosen[leaf] || usable[leaf] == 0 {
				continue
			}
			if best < 0 {
				best = leaf
				continue
			}
			better := t.better(leaf, best, usable, c.nodes)
			if far[leaf] < far[best] && better >= 0 || far[leaf] == far[best] && better > 0 {
				best = leaf
			}
		}
		if best < 0 {
			return
		}
		chosen[best] = true
		for _, other := range t.leaves {
			far[other] += t.distance(best, other)
		}
		c.takeLeaf(best, nodes)
	}
}
