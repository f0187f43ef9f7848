package maui

import (
	"cmp"
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// allocate chooses among nodes that together have room for a job, by the allocation policy among those of equal
// affinity. Policies that look at this moment serve jobs that begin now; later ones have the last nodes (recorded:
// b08, n11), by CPULOAD the smallest (maui.md §9 P25).
func (p *Planner) allocate(j *Job, partition int32, list []candidate, from int64, filling bool) []backfill.Share {
	now := from == p.now
	forward := func(a, b candidate) int { return cmp.Compare(a.node.index, b.node.index) }
	backward := func(a, b candidate) int { return cmp.Compare(b.node.index, a.node.index) }
	policy := p.allocation(partition, filling)
	order := backward
	switch policy {
	case "CONTIGUOUS", "LOCAL":
		return nil // these never find nodes (recorded: n01)
	case "FIRSTAVAILABLE", "FIRSTSET":
		order = forward
	case "MAXBALANCE":
		if alike := p.balanced(j, list); alike != nil {
			list = alike
		}
		order = forward
	case "CPULOAD":
		if now {
			return p.leastLoaded(j, list)
		}
		order = func(a, b candidate) int { return cmp.Or(cmp.Compare(bucket(a.node), bucket(b.node)), backward(a, b)) }
	case "MINRESOURCE":
		order = func(a, b candidate) int { return cmp.Or(cmp.Compare(bucket(a.node), bucket(b.node)), backward(a, b)) }
	case "PRIORITY":
		for i := range list {
			list[i].node.rank = p.nodePriority(&list[i], now)
		}
		order = func(a, b candidate) int { return cmp.Or(cmp.Compare(b.node.rank, a.node.rank), forward(a, b)) }
	case "FASTEST":
		order = func(a, b candidate) int { return cmp.Or(cmp.Compare(speed(b.node), speed(a.node)), forward(a, b)) }
	case unsorted:
	default:
		if now {
			order = func(a, b candidate) int { return cmp.Or(cmp.Compare(b.until, a.until), backward(a, b)) }
		}
	}
	wanted := func(a, b candidate) int { return cmp.Compare(b.wants, a.wants) }
	if policy == "FIRSTAVAILABLE" || policy == "FIRSTSET" || policy == "MAXBALANCE" {
		wanted = func(a, b candidate) int { return 0 } // these do not look at affinity
	}
	slices.SortFunc(list, func(a, b candidate) int { return cmp.Or(wanted(a, b), order(a, b)) })
	return p.give(j, list, now)
}

// allocation is the policy that a pass goes by. The priority pass and reservations take the machine's; backfill takes
// that of the partition which it fills. A line without an index is for the machine and for the partition DEFAULT alone
// (maui.md §9 P19), unless it says LASTAVAILABLE, as it does where there is none (rules.md P49).
func (p *Planner) allocation(partition int32, filling bool) string {
	name := p.partitions[partition]
	policy, own := p.settings.Allocation[name]
	switch {
	case !filling || !own && name == "DEFAULT":
		return p.settings.Allocation[""]
	case !own && p.settings.Allocation[""] != "LASTAVAILABLE":
		return unsorted
	case !own:
		return "LASTAVAILABLE"
	}
	return policy
}

// unsorted takes the last nodes, whatever they are.
const unsorted = ""

// give gives a job the nodes in their order until it has all of its tasks, and as many nodes as it wants: each as many
// tasks as it has room for, as long as one is left for each node that is still wanted. As many nodes as it wants have
// the same part each if that comes out even and they have the room (maui.md §9 P22; of reservations too, observed in
// recordings). Where tasks per node are wanted, a node has no more than the job's tasks cut to a multiple of them.
// What that leaves out counts as given, and the job begins with fewer tasks (P23, rules.md P42).
func (p *Planner) give(j *Job, list []candidate, now bool) []backfill.Share {
	var out []backfill.Share
	left, rest, nodes := j.Tasks, j.Tasks, int(p.demand(j.Job).nodes)
	chosen := list[:0:0]
	for _, c := range list {
		if left <= 0 && len(out) >= nodes {
			break
		}
		others := max(0, int64(nodes-len(out)-1))
		taken := min(c.tasks, left-others)
		if taken <= 0 {
			continue
		}
		part := min(c.tasks, j.Tasks)
		if part = min(taken, part-part%perNode(j)); !now {
			part = min(c.tasks-c.tasks%perNode(j), rest-others)
		}
		rest -= part
		out = append(out, backfill.Share{Node: c.node.index, Tasks: part})
		chosen, left = append(chosen, c), left-taken
	}
	if len(out) < nodes {
		return nil
	}
	if each := j.Tasks / max(1, int64(nodes)); len(out) == nodes && j.Tasks%max(1, int64(nodes)) == 0 &&
		!slices.ContainsFunc(chosen, func(c candidate) bool { return c.tasks < each }) {
		for k := range out {
			out[k].Tasks = each
		}
	}
	return out
}

// perNode is the number of tasks that a node must have a multiple of. A job with fewer tasks than that wants them
// together.
func perNode(j *Job) int64 { return max(1, min(j.TasksPerNode, j.Tasks)) }

// buckets are the sizes of memory by which MINRESOURCE tells nodes apart; those beyond the last are of the last
// (recorded: n01).
var buckets = []int64{64, 128, 256, 512, 1024, 2048, 4096, 8192}

func bucket(n *node) int {
	k, _ := slices.BinarySearch(buckets, n.Capacity.MemMB)
	return min(k, len(buckets)-1)
}

// speed is what FASTEST compares (maui.md §9 P26).
func speed(n *node) int64 { return int64(n.Speed * 100) }

// leastLoaded takes, of nodes that a job wants alike, those that are idle to within a tenth of a processor of the
// idlest, from the last one on. If these do not suffice alone, the next ones are looked at without them, once (maui.md
// §9 P25; observed in recordings: 2 starts of 72 on nodes that were not the idlest, and a job that three iterations
// gave none of the fourth idlest).
func (p *Planner) leastLoaded(j *Job, list []candidate) []backfill.Share {
	idle := func(c candidate) float64 {
		dedicated := float64(c.node.Capacity.Procs - c.node.profile[0].free.procs - c.node.awaited.procs)
		return float64(c.node.Capacity.Procs) - max(dedicated, c.node.Load)
	}
	slices.SortFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.wants, a.wants), cmp.Compare(idle(b), idle(a)), cmp.Compare(b.node.index, a.node.index))
	})
	for len(list) > 0 {
		n := 1
		for n < len(list) && list[n].wants == list[0].wants {
			n++
		}
		wanted := list[:n]
		list = list[n:]
		for level := 0; level < 2 && len(wanted) > 0; level++ {
			least, n := idle(wanted[0])-0.1, 1
			for n < len(wanted) && idle(wanted[n]) >= least {
				n++
			}
			if alike := slices.Clone(wanted[:n]); p.enough(j, alike) {
				slices.SortFunc(alike, func(a, b candidate) int { return cmp.Compare(b.node.index, a.node.index) })
				return p.give(j, alike, true)
			}
			wanted = wanted[n:]
		}
	}
	return nil
}

// balanced are the nodes of one speed of processors, the slowest that have room for all of a job; nil if none has.
// Where no input says how fast they are, all are alike (recorded: n01).
func (p *Planner) balanced(j *Job, list []candidate) []candidate {
	bySpeed := map[int64][]candidate{}
	var speeds []int64
	for _, c := range list {
		speed := int64(0)
		if c.node.limits != nil {
			speed = c.node.limits.ProcSpeed
		}
		if bySpeed[speed] == nil {
			speeds = append(speeds, speed)
		}
		bySpeed[speed] = append(bySpeed[speed], c)
	}
	slices.Sort(speeds)
	for _, speed := range speeds {
		if p.enough(j, bySpeed[speed]) {
			return bySpeed[speed]
		}
	}
	return nil
}
