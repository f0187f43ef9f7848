package maui

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill/profile"
)

// way is what jobs ask of a field that differ in how many tasks they have and for how long at most.
type way struct {
	outlook    *outlook
	unit       int64 // tasks that stay together on a node: TasksPerNode
	base, task []int64
	whole      int64 // of a job on one node: its units; 0 if it may have several
	nodes      int64 // at least
	most       int64 // units on a node
	even       bool  // each node has as many
	user       int32

	sizes, seconds []int64 // that will be asked
	choices        []choice
	sets           int // so many of them are sets of nodes; what follows is for jobs that none has room for
}

// choice are nodes; a job may have any of them.
type choice struct {
	demand profile.Demand
	bound  *profile.Bound
}

// way finds what a job asks.
func (f *field) way(j *Job) *way {
	o := f.outlook(j)
	unit := max(1, j.TasksPerNode)
	if f.settings.Access == "SINGLETASK" {
		unit = 1
	}
	least := f.demand(j.Job).nodes
	w := way{outlook: o, unit: unit, most: plentiful, nodes: max(1, least), even: j.Features.Counted(),
		user: f.layout.user(j.User)}
	if least > 0 {
		w.most = max(1, (j.Tasks+least-1)/least/unit)
	}
	if f.oneNode[f.partition] {
		w.whole = (max(1, j.Tasks) + unit - 1) / unit
	}
	key := fmt.Appendf(nil, "%d %v %v %v %v %v %q %t %t %q", f.demand(j.Job).class, j.PerTask, j.PerNode, j.Minimum,
		j.Hosts, j.Excluded, j.Reservation, j.Dedicated, j.Features.SameForAll, o.key)
	for _, a := range j.Features.Alternatives {
		key = fmt.Appendf(key, "%q%d", a.All, a.Count)
	}
	for _, v := range [...]int64{j.TasksPerNode, w.most, w.nodes, w.whole, int64(w.user)} {
		key = binary.AppendVarint(key, v)
	}
	if known := f.ways[string(key)]; known != nil {
		return known
	}
	f.ways[string(key)] = &w
	w.base, w.task = f.layout.wants(j, f.demand(j.Job))
	for d := range w.task {
		w.task[d] *= unit
	}
	if w.whole > w.most {
		return &w // it must have several nodes, and may not
	}
	for _, nodes := range f.ofFeatures(&w, j) {
		d := profile.Demand{Eligible: make([]uint64, (len(o.nodes)+63)/64), Base: w.base, Task: w.task, Most: w.most,
			Nodes: w.nodes, User: w.user}
		switch {
		case w.even:
			d.Fixed, d.Accept = true, f.pick(&w, j)
		case w.whole > 0:
			d.Fixed, d.Nodes, d.Most = true, 1, w.whole
		}
		for _, local := range nodes {
			d.Eligible[local/64] |= 1 << (local % 64)
		}
		w.choices = append(w.choices, choice{demand: d})
	}
	return &w
}

// pick takes nodes of a job that wants so many with each of some features.
func (f *field) pick(w *way, j *Job) func(nodes []int32) ([]int32, bool) {
	o, features, n := w.outlook, j.Features, w.nodes
	return func(nodes []int32) (picked []int32, ok bool) {
		places, ok := features.Pick(len(nodes), n, func(at int) []string { return f.nodes[o.nodes[nodes[at]]].features })
		for _, at := range places {
			picked = append(picked, nodes[at])
		}
		return picked, ok
	}
}

// ofFeatures are the choices of a job, those of sets first: apart for each of the features that must be the same on
// all nodes.
func (f *field) ofFeatures(w *way, j *Job) (sets [][]int32) {
	var others [][]int32
	for _, way := range j.Features.Ways() {
		like := *j
		like.Features = way
		list := f.choices(w, &like)
		sets, others = append(sets, list[:w.sets]...), append(others, list[w.sets:]...)
	}
	w.sets = len(sets)
	return append(sets, others...)
}

// choices are the nodes that a job may have: all that suit it or, where the site has node sets, those of each set, and
// all where a job need not have one.
func (f *field) choices(w *way, j *Job) [][]int32 {
	w.sets = 0
	var all []int32
	var list []candidate
	for _, k := range w.outlook.nodes {
		n := &f.nodes[k]
		if !f.suits(n, j) || f.settings.ExactProcs && j.TasksPerNode > 0 &&
			n.Capacity.Procs != j.TasksPerNode*j.PerTask.Procs {
			continue
		}
		all = append(all, w.outlook.local[k])
		list = append(list, candidate{node: n})
	}
	s := &f.settings.Sets
	if s.Policy == "" {
		return [][]int32{all}
	}
	sets := f.sets(list)
	if s.Policy == "ANYOF" && len(sets) > 0 {
		sets = [][]candidate{union(sets)}
	}
	var choices [][]int32
	for _, set := range sets {
		var nodes []int32
		for i := range set {
			nodes = append(nodes, w.outlook.local[set[i].node.index])
		}
		choices = append(choices, nodes)
	}
	if w.sets = len(choices); s.DelaySeconds <= 0 {
		choices = append(choices, all)
	}
	return choices
}

// ready makes a way ready to be asked, once all that will be asked is known.
func (w *way) ready() {
	for k := range w.choices {
		c := &w.choices[k]
		c.demand.Remember(slices.Clone(w.seconds))
		c.bound = profile.NewBound(w.sizes, w.seconds)
	}
}

// size is how many units a job has, where it may have several nodes.
func (w *way) size(j *Job) int64 {
	if w.whole > 0 || w.even {
		return 1
	}
	return (max(1, j.Tasks) + w.unit - 1) / w.unit
}

// fewest is the smallest part of a job that a node may have.
func (w *way) fewest() int64 {
	if w.even {
		return w.most
	}
	return max(1, w.whole)
}

// search is the first time for a job from one on and before another. As the field only fills up, a job finds no room
// at times at which none was found for one that is no larger.
func (c *choice) search(w *way, size, earliest, after, before, seconds int64) (int64, []profile.Share, bool) {
	d := c.demand
	if !d.Fixed {
		d.Tasks, d.Nodes = size, min(w.nodes, size)
	}
	ruledOut := max(earliest, c.bound.Start(size, seconds))
	start, shares, ok := w.outlook.free.FirstFit(&d, max(after, ruledOut), before, seconds)
	limit := before
	if ok {
		limit = start
	}
	if after <= ruledOut && limit > ruledOut {
		c.bound.Raise(limit, size, seconds)
	}
	return start, shares, ok
}
