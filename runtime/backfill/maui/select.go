package maui

import (
	"cmp"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// candidate is a node that a job may get tasks of.
type candidate struct {
	node  *node
	tasks int64
	until int64 // until when the node has the room, as Maui sees it
	wants affinity
}

// candidates are the nodes of a partition with room for a job from a time on, in the order of the nodes. within
// marks those that come into question; nil is all. Slots of classes that are in use, and what is in use of a node without a job
// that says so, count for starts alone, not for reservations, even if these begin now (maui.md §9 P3, P18); a node that
// drains is there for later times (recorded: n12).
func (p *Planner) candidates(j *Job, partition int32, from int64, within []bool, reserving bool) []candidate {
	out := p.found[:0]
	d := *p.demand(j.Job)
	nodes := p.inPartition[partition]
	if !reserving {
		nodes = p.openNodes(partition)
		d.class = -1
	}
	for _, k := range nodes {
		n := &p.nodes[k]
		if within != nil && !within[k] || !p.suits(n, j) || from == p.now && n.readiness != ready {
			continue
		}
		var tasks, until int64
		if reserving {
			tasks = p.roomLater(n, j, from)
		} else {
			if n.full() || !n.serves(p.demand(j.Job).class) {
				continue
			}
			tasks, until = p.roomNow(n, j, &d)
			now := n.freeNow()
			tasks = p.bounded(n, j, min(tasks, now.tasks(&d)))
		}
		if tasks = p.shaped(n, j, tasks); tasks > 0 {
			out = append(out, candidate{n, tasks, until, p.wants(n, j, p.buffer, from)})
		}
	}
	p.found = out
	return out
}

// openNodes are the nodes of a partition that may have room now. Those that have filled up are left out the next time.
func (p *Planner) openNodes(partition int32) []int32 {
	if p.open == nil {
		p.open = make([][]int32, len(p.partitions))
		p.free = 0
		for k, list := range p.inPartition {
			p.open[k] = []int32{}
			for _, i := range list {
				if n := &p.nodes[i]; n.readiness == ready && !n.full() {
					p.open[k] = append(p.open[k], i)
					p.free += n.profile[0].free.procs - n.unknown.procs
				}
			}
		}
	}
	p.open[partition] = slices.DeleteFunc(p.open[partition], func(i int32) bool { return p.nodes[i].full() })
	return p.open[partition]
}

// tooLarge reports a job that needs more processors than are free now.
func (p *Planner) tooLarge(j *Job, partition int32) bool {
	p.openNodes(partition)
	return p.procs(j) > p.free
}

// full: Maui takes no node for a start whose processors are all given away.
func (n *node) full() bool { return n.profile[0].free.procs <= n.unknown.procs }

// enough reports nodes that have room for all of a job.
func (p *Planner) enough(j *Job, list []candidate) bool {
	tasks := int64(0)
	for i := range list {
		tasks += list[i].tasks
	}
	return tasks >= j.Tasks && int64(len(list)) >= p.demand(j.Job).nodes
}

// place chooses the nodes of a job that is to start at a time; nil if there is no room. Of features of which all nodes must have
// the same it is the first that will do.
func (p *Planner) place(j *Job, partition int32, from int64, within []bool, reserving bool) []backfill.Share {
	if _, ok := p.licensed(j, from, from+1); !ok {
		return nil
	}
	if j.Features.SameForAll {
		for _, way := range j.Features.Ways() {
			like := *j
			like.Features = way
			if nodes := p.place(&like, partition, from, within, reserving); nodes != nil {
				return nodes
			}
		}
		return nil
	}
	if !reserving && p.tooLarge(j, partition) {
		return nil
	}
	if reserving && p.plain(j, partition) {
		return p.last(j, partition, from)
	}
	list := p.candidates(j, partition, from, within, reserving)
	if !p.enough(j, list) {
		return nil
	}
	if list = p.inSets(j, list); list == nil {
		return nil
	}
	if j.Features.Counted() {
		return p.counted(j, partition, list)
	}
	return p.allocate(j, partition, list, reserving)
}

// plain reports a job and a partition of which its reservation has the last nodes with room, or the first, whatever they are.
func (p *Planner) plain(j *Job, partition int32) bool {
	if j.Features.SameForAll || j.Features.Counted() {
		return false
	}
	switch p.allocation(partition) {
	case "FIRSTAVAILABLE", "FIRSTSET", "LASTAVAILABLE", "MINLOCAL", "MINGLOBAL":
		return !p.anyStanding && p.settings.Sets.Policy == ""
	}
	return false
}

// last takes nodes from the end, or from the beginning, as long as the job needs any: what place does there, without looking
// at all the others.
func (p *Planner) last(j *Job, partition int32, from int64) []backfill.Share {
	var out []backfill.Share
	left, nodes := j.Tasks, p.inPartition[partition]
	forward := strings.HasPrefix(p.allocation(partition), "FIRST")
	enough := int64(0)
	for i := range nodes {
		k := nodes[len(nodes)-1-i]
		if forward {
			k = nodes[i]
		}
		n := &p.nodes[k]
		if !p.suits(n, j) || from == p.now && n.readiness != ready {
			continue
		}
		tasks := p.shaped(n, j, p.roomLater(n, j, from))
		if tasks == 0 {
			continue
		}
		enough++
		if left > 0 {
			out = append(out, backfill.Share{Node: k, Tasks: min(left, tasks)})
			left -= min(left, tasks)
		}
		if left == 0 && enough >= p.demand(j.Job).nodes {
			return out
		}
	}
	return nil
}

// allocate chooses by the partition's allocation policy. A policy that chooses for the time that is left serves jobs that
// start now; reservations have the last nodes (recorded: b08, n11), or with CPULOAD the smallest, as the manual says.
func (p *Planner) allocate(j *Job, partition int32, list []candidate, reserving bool) []backfill.Share {
	policy := p.allocation(partition)
	forward := func(a, b candidate) int { return cmp.Compare(a.node.index, b.node.index) }
	backward := func(a, b candidate) int { return cmp.Compare(b.node.index, a.node.index) }
	var order func(a, b candidate) int
	switch policy {
	case "CONTIGUOUS", "LOCAL":
		return nil // these never find nodes (recorded: n01)
	case "FIRSTAVAILABLE", "FIRSTSET":
		return fill(j, list)
	case "MAXBALANCE":
		return p.balance(j, list)
	case "CPULOAD":
		if !reserving {
			return leastLoaded(j, list)
		}
		order = func(a, b candidate) int { return cmp.Or(cmp.Compare(bucket(a.node), bucket(b.node)), backward(a, b)) }
	case "MINRESOURCE":
		order = func(a, b candidate) int { return cmp.Or(cmp.Compare(bucket(a.node), bucket(b.node)), backward(a, b)) }
	case "PRIORITY":
		for i := range list {
			list[i].node.rank = p.nodePriority(&list[i])
		}
		order = func(a, b candidate) int { return cmp.Or(cmp.Compare(b.node.rank, a.node.rank), forward(a, b)) }
	case "FASTEST":
		order = func(a, b candidate) int { return cmp.Or(cmp.Compare(b.node.Speed, a.node.Speed), forward(a, b)) }
	default:
		order = backward
		if !reserving {
			order = func(a, b candidate) int { return cmp.Or(cmp.Compare(b.until, a.until), backward(a, b)) }
		}
	}
	slices.SortFunc(list, func(a, b candidate) int { return cmp.Or(cmp.Compare(b.wants, a.wants), order(a, b)) })
	return fill(j, list)
}

func (p *Planner) allocation(partition int32) string {
	if policy := p.settings.Allocation[p.partitions[partition]]; policy != "" {
		return policy
	}
	return p.settings.Allocation[""]
}

// fill gives a job the nodes in their order until it has all of its tasks; nil if they do not suffice.
func fill(j *Job, list []candidate) []backfill.Share {
	var out []backfill.Share
	left := j.Tasks
	for i := range list {
		if left == 0 {
			break
		}
		tasks := min(left, list[i].tasks)
		out = append(out, backfill.Share{Node: list[i].node.index, Tasks: tasks})
		left -= tasks
	}
	if left > 0 {
		return nil
	}
	return out
}

// buckets are the sizes of memory by which MINRESOURCE tells nodes apart; those beyond the last are of the last (recorded: n01).
var buckets = []int64{64, 128, 256, 512, 1024, 2048, 4096, 8192}

func bucket(n *node) int {
	k, _ := slices.BinarySearch(buckets, n.Capacity.MemMB)
	return min(k, len(buckets)-1)
}

// leastLoaded looks at the nodes with most free processors, from the last one on, then at those with fewer as well,
// until the job has its tasks (recorded: n01).
func leastLoaded(j *Job, list []candidate) []backfill.Share {
	var levels []int64
	for i := range list {
		a := list[i].node.freeNow()
		levels = append(levels, a.procs)
	}
	slices.Sort(levels)
	levels = slices.Compact(levels)
	for k := len(levels) - 1; k >= 0; k-- {
		var some []candidate
		tasks := int64(0)
		for i := len(list) - 1; i >= 0; i-- {
			if a := list[i].node.freeNow(); a.procs >= levels[k] {
				some, tasks = append(some, list[i]), tasks+list[i].tasks
			}
		}
		if tasks >= j.Tasks {
			slices.SortStableFunc(some, func(a, b candidate) int { return cmp.Compare(b.wants, a.wants) })
			return fill(j, some)
		}
	}
	return nil
}

// balance takes nodes of one speed of processors alone if it can, the slowest that have room for all; of equal ones, or where
// nobody says how fast they are, the first ones (recorded: n01).
func (p *Planner) balance(j *Job, list []candidate) []backfill.Share {
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
		if shares := fill(j, bySpeed[speed]); shares != nil {
			return shares
		}
	}
	return fill(j, list)
}
