package backfill

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/runtime/program"
)

// naive is the twin of the planner: it tries every second, looks at every node in every second, and
// knows no classes, kinds or profiles. It plans jobs with one task on each node. Whole nodes are
// picked late: what is known of a placed job is how many nodes of a sort it has; shared ones are
// picked in order.
type naive struct {
	queue
	settings *program.NativePlan
	whole    bool
	order    []int // nodes in the order in which they are preferred
	sort     []int // by node: the first node that is the same
	placed   []naiveJob
	start    []int64 // by request; 0 none
	by       []By
}

type naiveJob struct {
	request  int
	from, to int64
	sorts    map[int]int // whole nodes: how many of each sort
	nodes    []int       // shared ones
}

// horizon is beyond every time that can come up.
const horizon = now + 900

func (n *naive) prepare() {
	for i := range n.cluster.Nodes {
		n.order = append(n.order, i)
	}
	node := func(i int) *Node { return &n.cluster.Nodes[i] }
	slices.SortFunc(n.order, func(a, b int) int {
		return cmp.Or(cmp.Compare(node(a).Weight, node(b).Weight), cmp.Compare(node(a).Name, node(b).Name))
	})
	n.sort = make([]int, len(n.order))
	reserved := func(i int) (list []int) {
		for k, v := range n.cluster.Reservations {
			if slices.Contains(v.Nodes, int32(i)) {
				list = append(list, k)
			}
		}
		return list
	}
	for _, i := range n.order {
		n.sort[i] = i
		for _, k := range n.order {
			a, b := node(i), node(k)
			if a.Weight == b.Weight && a.Up == b.Up && a.UpTime == b.UpTime && a.Sharing == b.Sharing &&
				slices.Equal(a.Features, b.Features) &&
				slices.Equal(a.Partitions, b.Partitions) && slices.Equal(reserved(i), reserved(k)) &&
				a.Capacity.Procs == b.Capacity.Procs && a.Capacity.MemMB == b.Capacity.MemMB &&
				slices.Equal(a.Capacity.Gres, b.Capacity.Gres) {
				n.sort[i] = k
				break
			}
		}
	}
	n.start, n.by = make([]int64, len(n.requests)), make([]By, len(n.requests))
}

// sorts are the sorts of nodes in the order in which a job takes them: light and poor ones first.
func (n *naive) sorts() (list []int) {
	for _, i := range n.order {
		if n.sort[i] == i {
			list = append(list, i)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int {
		x, y := &n.cluster.Nodes[a], &n.cluster.Nodes[b]
		return cmp.Or(cmp.Compare(x.Weight, y.Weight), cmp.Compare(x.Capacity.Gres[0], y.Capacity.Gres[0]),
			cmp.Compare(x.Capacity.Procs, y.Capacity.Procs), cmp.Compare(x.Capacity.MemMB, y.Capacity.MemMB),
			cmp.Compare(len(x.Features), len(y.Features)))
	})
	return list
}

// will reports a node on which a request may run at all, with a feature if one is to be had by all.
func (n *naive) will(r *Request, node int, partition string, feature string) bool {
	at := &n.cluster.Nodes[node]
	gpus := int64(0)
	if r.PerNode.Gres != nil {
		gpus = r.PerNode.Gres[0]
	}
	if partition != "" && !slices.Contains(at.Partitions, partition) || gpus > at.Capacity.Gres[0] ||
		r.PerTask.Procs > at.Capacity.Procs || r.PerTask.MemMB > at.Capacity.MemMB {
		return false
	}
	if feature != "" {
		return slices.Contains(at.Features, feature)
	}
	return len(r.Features.Alternatives) == 0 ||
		slices.ContainsFunc(r.Features.Alternatives,
			func(f FeatureSet) bool { return slices.Contains(at.Features, f.All[0]) })
}

// never reports a request that an empty cluster could not take in time.
func (n *naive) never(r *Request) bool {
	if r.Deadline > 0 && max(now, r.Begin)+r.WalltimeSeconds > r.Deadline {
		return true
	}
	partitions, features := n.ways(r)
	for _, partition := range partitions {
		for _, feature := range features {
			for start := now; start < horizon-r.WalltimeSeconds; start++ {
				count := int64(0)
				for node := range n.cluster.Nodes {
					if n.will(r, node, partition, feature) && !n.reservedIn(r, node, start, start+r.WalltimeSeconds) {
						count++
					}
				}
				if count >= r.Nodes {
					return false
				}
			}
		}
	}
	return true
}

// reservedIn reports a node that a reservation keeps from a request in some second.
func (n *naive) reservedIn(r *Request, node int, from, to int64) bool {
	for k := range n.cluster.Reservations {
		v := &n.cluster.Reservations[k]
		if slices.Contains(v.Nodes, int32(node)) && v.Amounts.Procs == 0 && !v.admits(r) && v.Start < to &&
			from < n.cluster.closed(int32(k)) {
			return true
		}
	}
	return false
}

// ways are the partitions and features to try one after the other.
func (n *naive) ways(r *Request) (partitions, features []string) {
	partitions, features = r.Partitions, []string{""}
	if len(partitions) == 0 {
		partitions = []string{""}
	}
	if r.Features.SameForAll {
		features = nil
		for _, f := range r.Features.Alternatives {
			features = append(features, f.All[0])
		}
	}
	return partitions, features
}

// closed reports a node that a request cannot have in a second, whoever is there.
func (n *naive) closed(r *Request, node int, at int64) bool {
	v := &n.cluster.Nodes[node]
	if !v.Up && (v.UpTime == 0 || at < v.UpTime) {
		return true
	}
	for k := range n.cluster.Reservations {
		rsv := &n.cluster.Reservations[k]
		part := rsv.Amounts.Procs > 0 && v.Sharing != SingleJob
		if slices.Contains(rsv.Nodes, int32(node)) && !part && !rsv.admits(r) && rsv.Start <= at &&
			at < n.cluster.closed(int32(k)) {
			return true
		}
	}
	return false
}

// free is how many nodes of a sort are free in a second.
func (n *naive) free(r *Request, sort int, at int64) int {
	count := 0
	for i, s := range n.sort {
		if s == sort && !n.closed(r, i, at) {
			count++
		}
	}
	for _, j := range n.placed {
		if j.from <= at && at < j.to {
			count -= j.sorts[sort]
		}
	}
	return max(count, 0)
}

// roomy reports a shared node with room for a task in a second.
func (n *naive) roomy(r *Request, node int, at int64) bool {
	if n.closed(r, node, at) {
		return false
	}
	v := &n.cluster.Nodes[node]
	procs, memory, gpus := v.Capacity.Procs-r.PerTask.Procs, v.Capacity.MemMB-r.PerTask.MemMB, v.Capacity.Gres[0]
	if r.PerNode.Gres != nil {
		gpus -= r.PerNode.Gres[0]
	}
	for k := range n.cluster.Reservations {
		if rsv := &n.cluster.Reservations[k]; slices.Contains(rsv.Nodes, int32(node)) && !rsv.admits(r) && rsv.Start <= at &&
			at < n.cluster.closed(int32(k)) {
			// a part of the node; none of a whole one, which is closed
			procs, memory = procs-rsv.Amounts.Procs, memory-rsv.Amounts.MemMB
		}
	}
	for _, j := range n.placed {
		if j.from > at || at >= j.to || !slices.Contains(j.nodes, node) {
			continue
		}
		other := &n.requests[j.request]
		procs, memory = procs-other.PerTask.Procs, memory-other.PerTask.MemMB
		if other.PerNode.Gres != nil {
			gpus -= other.PerNode.Gres[0]
		}
		if v.Sharing == SingleJob || v.Sharing == SingleUser && other.User != r.User {
			return false
		}
	}
	return procs >= 0 && memory >= 0 && gpus >= 0
}

func (n *naive) toolsFree(r *Request, at int64) bool {
	left := n.cluster.Licenses["tool"]
	for k := range n.cluster.Reservations {
		v := &n.cluster.Reservations[k]
		if v.Start <= at && at < n.cluster.closed(int32(k)) && !v.admits(r) {
			inside := int64(0) // what those whom it admits have is of what it keeps
			for _, j := range n.placed {
				if j.from <= at && at < j.to && v.admits(&n.requests[j.request]) {
					inside += n.requests[j.request].Licenses["tool"]
				}
			}
			left -= max(v.Licenses["tool"]-inside, 0)
		}
	}
	for _, j := range n.placed {
		if j.from <= at && at < j.to {
			left -= n.requests[j.request].Licenses["tool"]
		}
	}
	return r.Licenses["tool"] == 0 || left >= r.Licenses["tool"]
}

// at places a request at a second if it can start then.
func (n *naive) at(i int, start int64, partition, feature string) (naiveJob, bool) {
	r := &n.requests[i]
	end := start + r.WalltimeSeconds
	job := naiveJob{request: i, from: start, to: end, sorts: map[int]int{}}
	for s := start; s < end; s++ {
		if !n.toolsFree(r, s) {
			return job, false
		}
	}
	left := int(r.Nodes)
	if n.whole {
		for _, sort := range n.sorts() {
			if !n.will(r, sort, partition, feature) {
				continue
			}
			least := left
			for s := start; s < end; s++ {
				least = min(least, n.free(r, sort, s))
			}
			job.sorts[sort] = least
			left -= least
		}
		return job, left == 0
	}
	for _, node := range n.order {
		ok := left > 0 && n.will(r, node, partition, feature)
		for s := start; s < end && ok; s++ {
			ok = n.roomy(r, node, s)
		}
		if ok {
			job.nodes = append(job.nodes, node)
			left--
		}
	}
	return job, left == 0
}

// first is the first second in [after, before) at which a request can start.
func (n *naive) first(i int, after, before int64) (naiveJob, bool) {
	r := &n.requests[i]
	partitions, features := n.ways(r)
	if r.Deadline > 0 {
		before = min(before, r.Deadline-r.WalltimeSeconds+1)
	}
	for at := after; at < min(before, horizon); at++ {
		for _, partition := range partitions {
			for _, feature := range features {
				if job, ok := n.at(i, at, partition, feature); ok {
					return job, true
				}
			}
		}
	}
	return naiveJob{}, false
}

func (n *naive) place(i int, job naiveJob, by By) {
	n.placed = append(n.placed, job)
	n.start[i], n.by[i] = job.from, by
}

// plan is the pass as it is described: those that start, reservations, backfill, estimates.
func (n *naive) plan() {
	n.prepare()
	var later, candidates []int
	waiting := 0
	before := horizon
	if n.settings.WindowSeconds > 0 {
		before = now + n.settings.WindowSeconds + 1
	}
	for i := range n.requests {
		r := &n.requests[i]
		switch {
		case r.runs():
			job := naiveJob{request: i, from: now, to: max(r.End, now+1), sorts: map[int]int{},
				nodes: []int{int(r.Allocated[0].Node)}}
			job.sorts[n.sort[r.Allocated[0].Node]] = 1
			n.place(i, job, ByRunning)
			n.start[i] = r.Start
			continue
		case n.never(r):
			continue
		case r.Begin > now:
			later = append(later, i)
			continue
		}
		depth := n.settings.ReservationDepth
		reserve := depth == program.Unlimited || int64(waiting) < depth
		choosy := n.settings.Algorithm != "firstfit"
		if choosy && !reserve && (waiting > 0 || len(candidates) > 0) {
			candidates = append(candidates, i)
			continue
		}
		job, ok := n.first(i, now, before)
		switch {
		case ok && job.from == now:
			n.place(i, job, ByMain)
		case ok && reserve:
			n.place(i, job, ByReservation)
			waiting++
		case reserve: // has no time
		case choosy:
			candidates = append(candidates, i)
		default:
			later = append(later, i)
		}
	}
	for _, i := range n.pick(candidates) {
		if job, ok := n.first(i, now, now+1); ok {
			n.place(i, job, ByBackfill)
		}
	}
	for _, i := range candidates {
		if n.by[i] == ByNone {
			later = append(later, i)
		}
	}
	slices.Sort(later)
	for _, i := range later {
		if job, ok := n.first(i, max(now, n.requests[i].Begin), before); ok {
			n.place(i, job, ByEstimate)
		}
	}
}

// worth of a job by the metric.
func (n *naive) worth(i int) int64 {
	r := &n.requests[i]
	switch n.settings.Metric {
	case "nodes":
		return r.Nodes
	case "seconds":
		return r.WalltimeSeconds
	case "proc_seconds":
		return r.Tasks * r.PerTask.Procs * r.WalltimeSeconds
	}
	return r.Tasks * r.PerTask.Procs
}

// pick is the order in which candidates are tried. Greedy: all combinations are.
func (n *naive) pick(candidates []int) []int {
	order := slices.Clone(candidates)
	if n.settings.Algorithm == "bestfit" {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(n.worth(b), n.worth(a)) })
		return order
	}
	var best []int
	most := int64(-1)
	// bit 0 is the last candidate, so that sets with earlier ones come first
	for set := 1<<len(candidates) - 1; set >= 0; set-- {
		var chosen []int
		sum, mark, fits := int64(0), len(n.placed), true
		for k, i := range candidates {
			if set&(1<<(len(candidates)-1-k)) == 0 || !fits {
				continue
			}
			var job naiveJob
			if job, fits = n.first(i, now, now+1); fits {
				n.placed = append(n.placed, job)
				chosen = append(chosen, i)
				sum += n.worth(i)
			}
		}
		n.placed = n.placed[:mark]
		if fits && sum > most {
			best, most = chosen, sum
		}
	}
	for _, i := range candidates { // on shared nodes more may fit than does in order
		if !slices.Contains(best, i) {
			best = append(best, i)
		}
	}
	return best
}

func TestPlansAgreeWithTheNaivePlanner(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		whole := rapid.Bool().Draw(t, "whole nodes")
		q := queues(t, traits{whole: whole, plain: true})
		for i := range q.requests {
			q.requests[i].After = nil
		}
		if !whole { // where nobody can share a node with anybody, nodes are picked late as whole ones are
			last := len(q.requests)
			q.requests = append(q.requests,
				Request{Job: int32(last), ID: fmt.Sprint(last), User: "ann", Nodes: 1, Tasks: 1, WalltimeSeconds: 1,
					PerTask: Amounts{Procs: 1}})
			if !slices.ContainsFunc(q.cluster.Nodes, func(n Node) bool { return n.Up && n.Sharing != SingleJob }) {
				for i := range q.cluster.Nodes {
					q.cluster.Nodes[i].Sharing = SingleUser
				}
			}
		}
		for i := range q.cluster.Reservations {
			q.cluster.Reservations[i].Amounts = Amounts{}
		}
		for i := range q.cluster.Reservations {
			if !q.cluster.Follows(i) && i > 0 || i > 0 && q.cluster.Reservations[i].Series != 1 {
				q.cluster.Reservations[i].Licenses = nil
			}
		}
		s := &program.NativePlan{
			Algorithm:        rapid.SampledFrom([]string{"firstfit", "bestfit", "greedy"}).Draw(t, "algorithm"),
			Metric:           rapid.SampledFrom([]string{"procs", "nodes", "proc_seconds", "seconds"}).Draw(t, "metric"),
			ReservationDepth: rapid.SampledFrom([]int64{0, 1, 2, program.Unlimited}).Draw(t, "depth"),
			WindowSeconds:    rapid.SampledFrom([]int64{0, 0, 50}).Draw(t, "window"),
		}
		n := &naive{queue: q, settings: s, whole: whole}
		n.plan()
		got := plan(t, q, s)
		for i, pl := range got.Placements {
			by := pl.By
			if by == ByBackfill {
				by = ByMain // who passed whom is not the twin's matter
			}
			want := n.by[i]
			if want == ByBackfill {
				want = ByMain
			}
			if by != want || pl.Start != n.start[i] {
				t.Fatalf("job %d: %q at %d (%+v), naive %q at %d", i, pl.By, pl.Start, pl, n.by[i], n.start[i])
			}
		}
	})
}

// A job that takes more than half of a node shares it with what is small all the same: with a running job, with a
// reservation of a part. With nobody else in the queue it starts in the first second in which nodes have room.
func TestALargeJobStartsBesideSmallOnes(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		q := queues(t, traits{plain: true, large: true})
		q.requests = q.requests[:1+slices.IndexFunc(q.requests, func(r Request) bool { return !r.runs() })]
		last := len(q.requests) - 1
		r := &q.requests[last]
		r.After, r.Begin = nil, 0
		n := &naive{queue: q, settings: &program.NativePlan{Algorithm: "firstfit", ReservationDepth: 1}}
		n.plan()
		if pl := plan(t, q, n.settings).Placements[last]; pl.Start != n.start[last] {
			t.Fatalf("%+v, naive at %d", pl, n.start[last])
		}
	})
}
