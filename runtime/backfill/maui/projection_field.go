package maui

import (
	"cmp"
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/backfill/profile"
)

// field is what is free of a partition over time.
type field struct {
	*Planner
	layout    *layout
	partition int32
	standings []*standing // that keep some of its nodes
	outlooks  []*outlook
	ways      map[string]*way
	wayOf     []*way // by job
}

// outlook is the field as seen by jobs that the same standing reservations admit.
type outlook struct {
	key   string
	nodes []int32 // in the order in which they are preferred
	local map[int32]int32
	free  *profile.Nodes
}

// fit is a time and nodes that a job may have.
type fit struct {
	field   *field
	outlook *outlook
	start   int64
	shares  []profile.Share
	unit    int64
}

// field makes the field of a partition for all jobs of a list.
func (pr *projection) field(partition int32, list []int32) *field {
	f := &field{Planner: pr.Planner, layout: pr.layout, partition: partition, ways: map[string]*way{},
		wayOf: make([]*way, len(pr.jobs))}
	switch f.allocation(partition, false) {
	case "CONTIGUOUS", "LOCAL":
		return f // these never find nodes (recorded: n01)
	}
	seen := map[*standing]bool{}
	for _, k := range f.inPartition[partition] {
		for _, s := range f.nodes[k].standing {
			if !seen[s.standing] {
				seen[s.standing] = true
				f.standings = append(f.standings, s.standing)
			}
		}
	}
	levels, longest := make([][]int64, len(pr.layout.matter)), int64(1)
	for _, job := range list {
		j := &f.jobs[job]
		if !f.allowed(j, partition) {
			continue
		}
		w := f.way(j)
		f.wayOf[job] = w
		if len(w.sizes) == 0 {
			for d := range levels {
				if least := w.base[d] + w.task[d]*w.fewest(); least > 0 {
					levels[d] = append(levels[d], least)
				}
			}
		}
		w.sizes, w.seconds = append(w.sizes, w.size(j)), append(w.seconds, max(1, j.WalltimeSeconds))
		if j.WalltimeSeconds < profile.Forever {
			longest = max(longest, j.WalltimeSeconds)
		}
	}
	for _, o := range f.outlooks {
		f.load(o, levels, longest)
	}
	for _, w := range f.ways {
		w.ready()
	}
	return f
}

// fit is the first time from one on and before another at which a job has room.
func (f *field) fit(j *Job, after, before int64) (best fit, ok bool) {
	w := f.wayOf[j.Job]
	if w == nil {
		return fit{}, false
	}
	best = fit{field: f, outlook: w.outlook, unit: w.unit}
	size, seconds := w.size(j), max(1, j.WalltimeSeconds)
	for k := range w.choices {
		if k == w.sets && ok {
			break // the other nodes are for jobs that no set has room for
		}
		if at, shares, found := w.choices[k].search(w, size, f.now+1, after, before, seconds); found {
			best.start, best.shares, before, ok = at, shares, at, true
		}
	}
	return best, ok
}

// take gives a job its nodes, so that no other job has them meanwhile.
func (f *field) take(j *Job, at fit) []backfill.Share {
	left, end := j.Tasks, profile.End(at.start, max(1, j.WalltimeSeconds))
	shares := make([]backfill.Share, 0, len(at.shares))
	for _, s := range at.shares {
		tasks := min(left, s.Tasks*at.unit)
		if left -= tasks; tasks > 0 {
			shares = append(shares, backfill.Share{Node: at.outlook.nodes[s.Node], Tasks: tasks})
		}
	}
	slices.SortFunc(shares, func(a, b backfill.Share) int { return cmp.Compare(a.Node, b.Node) })
	for _, s := range shares {
		for _, o := range f.outlooks {
			o.free.Add(o.local[s.Node], f.layout.span(&f.nodes[s.Node], j, f.demand(j.Job), s.Tasks, at.start, end))
		}
	}
	return shares
}

// outlook finds the one through which a job looks.
func (f *field) outlook(j *Job) *outlook {
	key := make([]byte, len(f.standings))
	for k, s := range f.standings {
		if s.limits(j) {
			key[k] = inPart
		} else if want, ok := s.admits(j); ok {
			key[k] = 1 + byte(want)
		}
	}
	for _, o := range f.outlooks {
		if o.key == string(key) {
			return o
		}
	}
	o := &outlook{key: string(key), local: map[int32]int32{}}
	f.outlooks = append(f.outlooks, o)
	for _, k := range f.inPartition[f.partition] {
		if f.nodes[k].readiness == ready {
			o.nodes = append(o.nodes, k)
		}
	}
	f.prefer(o.nodes)
	slices.SortStableFunc(o.nodes, func(a, b int32) int { return cmp.Compare(f.wanted(o, b), f.wanted(o, a)) })
	for i, k := range o.nodes {
		o.local[k] = int32(i)
	}
	return o
}

// inPart is in the key of an outlook for jobs that a reservation admits at some times alone.
const inPart = 255

// admits is how a reservation serves those who look through an outlook.
func (f *field) admits(o *outlook, s *standing) (affinity, bool) {
	k := o.key[slices.Index(f.standings, s)]
	if k == inPart {
		return none, false
	}
	return affinity(k - 1), k > 0
}

// wanted counts the reservations for those who look through an outlook that have a node.
func (f *field) wanted(o *outlook, node int32) (n int) {
	for _, s := range f.nodes[node].standing {
		if want, ok := f.admits(o, s.standing); ok && want == positive {
			n++
		}
	}
	return n
}

// prefer puts nodes in the order in which reservations take them, as far as that is the same at all times.
func (f *field) prefer(nodes []int32) {
	backward := func(a, b int32) int { return cmp.Compare(b, a) }
	smallest := func(a, b int32) int {
		return cmp.Or(cmp.Compare(bucket(&f.nodes[a]), bucket(&f.nodes[b])), backward(a, b))
	}
	switch f.allocation(f.partition, false) {
	case "FIRSTAVAILABLE", "FIRSTSET", "MAXBALANCE":
	case "CPULOAD", "MINRESOURCE":
		slices.SortFunc(nodes, smallest)
	case "PRIORITY":
		rank := make(map[int32]float64, len(nodes))
		for _, k := range nodes {
			rank[k] = f.nodePriority(&candidate{node: &f.nodes[k], wants: none}, false)
		}
		slices.SortStableFunc(nodes, func(a, b int32) int { return cmp.Compare(rank[b], rank[a]) })
	case "FASTEST":
		slices.SortStableFunc(nodes, func(a, b int32) int { return cmp.Compare(f.nodes[b].Speed, f.nodes[a].Speed) })
	default:
		slices.SortFunc(nodes, backward)
	}
}

// load enters what runs, what is reserved, and what standing reservations keep from those who look through an outlook.
// Of a part of a node that one keeps, jobs that it admits have theirs besides, so that others come rather too late
// than too early.
func (f *field) load(o *outlook, levels [][]int64, longest int64) {
	capacity, private := make([][]int64, len(o.nodes)), make([]bool, len(o.nodes))
	for i, k := range o.nodes {
		capacity[i], private[i] = f.layout.capacity(&f.nodes[k]), f.nodes[k].access == singleUser
	}
	o.free = profile.NewNodes(f.now, capacity, private, levels, max(longest/64, 1), false)
	for i, k := range o.nodes {
		n := &f.nodes[k]
		for _, h := range n.holds {
			o.free.Add(int32(i), f.layout.span(n, &f.jobs[h.job], f.demand(h.job), h.tasks, h.start, h.end))
		}
		for _, s := range n.standing {
			if _, ok := f.admits(o, s.standing); ok {
				continue
			}
			kept := capacity[i]
			if !s.whole {
				kept = f.layout.part(&s.per, s.tasks)
			}
			from, to := s.start, s.end
			if o.key[slices.Index(f.standings, s.standing)] == inPart {
				from, to = s.closed()
			}
			o.free.Add(int32(i), profile.Span{From: from, To: to, Amounts: kept})
		}
	}
}
