package planning

import (
	"cmp"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// inUse are the words of resource managers for a node that jobs run on (sinfo, pbsnodes, Maui's node states).
var inUse = []string{"BUSY", "ALLOC", "MIX", "RUNNING", "JOB-EXCLUSIVE", "JOB-SHARING", "COMP"}

// Unplaced puts running jobs for which no input says where they run on nodes that no job is known to have, those first
// that are reported to be in use: whatever plans goes by what a job has, and what a job has nowhere it would give to
// others. The largest come first, so that as many as can be find room. It counts those for which no input says it, and
// names those that find no room.
func (q *Queue) Unplaced(running []*backfill.Request) (n int, left []string) {
	var jobs []unplacedJob
	room := make([]nodeRoom, len(q.Cluster.Nodes))
	alone := func(r *backfill.Request) bool { return r.Sharing == backfill.SingleJob || q.wholeNodes(r.Class) }
	for _, r := range running {
		if len(r.Allocated) == 0 && !r.Suspended {
			jobs = append(jobs, unplacedJob{r, alone(r)})
		}
	}
	if len(jobs) == 0 {
		return 0, nil
	}
	for node := range room {
		room[node] = nodeRoom{free: q.Cluster.Nodes[node].Capacity}
		room[node].free.Gres = slices.Clone(room[node].free.Gres)
	}
	for _, r := range running {
		for _, s := range r.Allocated {
			room[s.Node].take(unplacedJob{r, alone(r)}, s.Tasks, q.procsOn(r, s))
		}
	}
	order := q.likely(room)
	slices.SortStableFunc(jobs, func(a, b unplacedJob) int {
		return -cmp.Compare(a.Tasks*max(a.PerTask.Procs, 1), b.Tasks*max(b.PerTask.Procs, 1))
	})
	for _, r := range jobs {
		if may := q.nodesOf(r.Request); !r.put(room, order, may, true) && !r.put(room, order, may, false) {
			left = append(left, r.ID)
		}
	}
	return len(jobs), left
}

// unplacedJob is a job to be placed; one that is alone shares its nodes with no other.
type unplacedJob struct {
	*backfill.Request
	alone bool
}

// nodeRoom is what is free of a node while running jobs are placed.
type nodeRoom struct {
	free   backfill.Amounts
	jobs   int  // on it
	closed bool // a job has it alone
}

// likely are the nodes in the order in which a running job may be on them: in use, up, down.
func (q *Queue) likely(room []nodeRoom) []int32 {
	rank := func(node int32) int {
		at := &q.Cluster.Nodes[node]
		state := strings.ToUpper(at.State)
		switch {
		case at.Used.Procs > at.Capacity.Procs-room[node].free.Procs,
			slices.ContainsFunc(inUse, func(word string) bool { return strings.Contains(state, word) }):
			return 0
		case at.Up:
			return 1
		}
		return 2
	}
	order := make([]int32, len(room))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(rank(a), rank(b)) })
	return order
}

// put gives a job the first nodes that have room for all of it together: in all that it asks for, or, since it does
// run, in processors, where the rest is not shared out.
func (r unplacedJob) put(room []nodeRoom, order []int32, may func(node int32) bool, all bool) bool {
	nodes, tasks := max(r.Nodes, int64(len(r.Hosts))), max(r.Tasks, 1)
	var shares []backfill.Share
	for _, node := range order {
		fit := room[node].tasks(r, all)
		n := min(fit, tasks)
		if nodes > 0 { // spread evenly over as many as it has
			k := nodes - int64(len(shares))
			n = (tasks + k - 1) / k
		}
		if n == 0 || n > fit || !may(node) {
			continue
		}
		if shares, tasks = append(shares, backfill.Share{Node: node, Tasks: n}), tasks-n; tasks == 0 ||
			int64(len(shares)) == nodes {
			break
		}
	}
	if tasks > 0 {
		return false
	}
	for _, s := range shares {
		room[s.Node].take(r, s.Tasks, s.Tasks*max(r.PerTask.Procs, 1))
	}
	slices.SortFunc(shares, func(a, b backfill.Share) int { return cmp.Compare(a.Node, b.Node) })
	r.Allocated = shares
	return true
}

// tasks is how many tasks of a job there is room for.
func (n *nodeRoom) tasks(r unplacedJob, all bool) int64 {
	if n.closed || r.alone && n.jobs > 0 {
		return 0
	}
	most := n.free.Procs / max(r.PerTask.Procs, 1)
	if r.TasksPerNode > 0 {
		most = min(most, r.TasksPerNode)
	}
	bound := func(free, each, once int64) {
		if each > 0 {
			most = min(most, (free-once)/each)
		} else if once > free {
			most = 0
		}
	}
	if all {
		bound(n.free.MemMB, r.PerTask.MemMB, r.PerNode.MemMB)
		for g := range max(len(r.PerTask.Gres), len(r.PerNode.Gres)) {
			bound(gres(n.free.Gres, g), gres(r.PerTask.Gres, g), gres(r.PerNode.Gres, g))
		}
	}
	return max(most, 0)
}

// take lets a job have its part of the node.
func (n *nodeRoom) take(r unplacedJob, tasks, procs int64) {
	n.jobs++
	n.closed = n.closed || r.alone
	n.free.Procs -= procs
	n.free.MemMB -= tasks*r.PerTask.MemMB + r.PerNode.MemMB
	for g := range n.free.Gres {
		n.free.Gres[g] -= tasks*gres(r.PerTask.Gres, g) + gres(r.PerNode.Gres, g)
	}
}

func gres(list []int64, g int) int64 {
	if g >= len(list) {
		return 0
	}
	return list[g]
}

// nodesOf tells the nodes that a job can have been started on: of its partition or class, with its features, among its
// hosts.
func (q *Queue) nodesOf(r *backfill.Request) func(node int32) bool {
	var inside []bool // nil: everywhere
	for i := range q.Cluster.Partitions {
		p := &q.Cluster.Partitions[i]
		if !slices.Contains(r.Partitions, p.Name) && (len(r.Partitions) > 0 || p.Name != r.Class) {
			continue
		}
		if inside == nil {
			inside = make([]bool, len(q.Cluster.Nodes))
		}
		for _, node := range p.Nodes {
			inside[node] = true
		}
	}
	return func(node int32) bool {
		at := &q.Cluster.Nodes[node]
		has := func(set backfill.FeatureSet) bool {
			return !slices.ContainsFunc(set.All, func(f string) bool { return !slices.Contains(at.Features, f) })
		}
		return (inside == nil || inside[node]) && (at.Classes == nil || at.Classes[r.Class] > 0) &&
			(len(r.Features.Alternatives) == 0 || slices.ContainsFunc(r.Features.Alternatives, has)) &&
			(len(r.Hosts) == 0 || slices.Contains(r.Hosts, node)) && !slices.Contains(r.Excluded, node)
	}
}
