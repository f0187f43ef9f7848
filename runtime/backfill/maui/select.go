package maui

import (
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

// candidates are the nodes of a partition with room for a job from a time on, in the order of the nodes. within marks
// those that come into question; nil is all. Slots of classes that are in use, and what is in use of a node without a
// job that says so, count for starts alone, not for reservations, even if these begin now (maui.md §9 P3, P18); a
// node that drains is there for later times (recorded: n12).
func (p *Planner) candidates(j *Job, partition int32, from int64, within []bool, reserving bool) []candidate {
	out := p.found[:0]
	d := p.demand(j.Job)
	nodes := p.inPartition[partition]
	if !reserving {
		nodes = p.openNodes(partition)
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
			if n.full() || !n.serves(d.class, perNode(j)) || n.access >= singleJob && !n.untouched() {
				continue
			}
			tasks, until = p.roomNow(n, j, d)
			now := n.freeNow()
			tasks = p.bounded(n, j, min(tasks, now.tasks(d)))
		}
		if tasks = p.shaped(n, j, tasks, !reserving); tasks > 0 {
			out = append(out, candidate{n, tasks, until, p.wants(n, j, p.buffer, from)})
		}
	}
	p.found = out
	return out
}

// untouched reports a node that the resource manager calls idle, with all processors available: no other serves a
// start that has it alone (maui.md §9 P28).
func (n *node) untouched() bool {
	return (n.State == "" || strings.EqualFold(n.State, "idle")) && n.Used.Procs == 0
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
					free := n.freeNow()
					p.free += free.procs
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
	return j.Tasks*max(1, j.PerTask.Procs) > p.free
}

// full: Maui takes no node for a start whose processors are all given away.
func (n *node) full() bool { return n.profile[0].free.procs+n.awaited.procs <= n.unknown.procs }

// enough reports nodes that have room for all of a job.
func (p *Planner) enough(j *Job, list []candidate) bool {
	tasks := int64(0)
	for i := range list {
		tasks += list[i].tasks
	}
	return tasks >= j.Tasks && int64(len(list)) >= p.demand(j.Job).nodes
}

// place chooses the nodes of a job that is to start at a time; nil if there is no room. Of features that must be the
// same on all nodes it takes the first that will do.
func (p *Planner) place(j *Job, partition int32, from int64, within []bool, reserving bool) []backfill.Share {
	p.unserved = false
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
	if !reserving && (p.tooLarge(j, partition) || !p.holds(j, partition)) {
		return nil
	}
	if reserving && p.plain(j, partition) {
		return p.last(j, partition, from)
	}
	list := p.candidates(j, partition, from, within, reserving)
	if !p.enough(j, list) {
		return nil
	}
	if j.HostTasks != nil {
		for k := range list {
			list[k].tasks = min(list[k].tasks, j.HostTasks[list[k].node.index])
		}
		if p.unserved = !p.enough(j, list); p.unserved {
			return nil // a list of fewer hosts than tasks (maui.md §9 P24, rules.md P70)
		}
	}
	if list = p.inSets(j, list); list == nil {
		return nil
	}
	if j.Features.Counted() {
		return p.counted(j, partition, list)
	}
	nodes := p.allocate(j, partition, list, from, within != nil)
	p.unserved = nodes == nil
	return nodes
}

// plain reports a job and a partition whose last nodes with room, or first ones, its reservation has, whatever they
// are.
func (p *Planner) plain(j *Job, partition int32) bool {
	if j.Features.SameForAll || j.Features.Counted() || j.HostTasks != nil {
		return false
	}
	switch p.allocation(partition, false) {
	case "FIRSTAVAILABLE", "FIRSTSET", "LASTAVAILABLE", "MINLOCAL", "MINGLOBAL":
		return !p.anyStanding && p.settings.Sets.Policy == ""
	}
	return false
}

// last takes nodes from the end, or from the beginning, as long as the job needs any: what place does there, without
// looking at all the others.
func (p *Planner) last(j *Job, partition int32, from int64) []backfill.Share {
	list, tasks, nodes := p.found[:0], int64(0), p.inPartition[partition]
	forward := strings.HasPrefix(p.allocation(partition, false), "FIRST")
	for i := range nodes {
		k := nodes[len(nodes)-1-i]
		if forward {
			k = nodes[i]
		}
		n := &p.nodes[k]
		if !p.suits(n, j) || from == p.now && n.readiness != ready {
			continue
		}
		room := p.shaped(n, j, p.roomLater(n, j, from), false)
		if room == 0 {
			continue
		}
		list = append(list, candidate{node: n, tasks: room})
		if tasks += min(room, j.Tasks); tasks >= j.Tasks && int64(len(list)) >= p.demand(j.Job).nodes {
			break
		}
	}
	p.found = list
	if !p.enough(j, list) {
		return nil
	}
	return p.give(j, list, false)
}
