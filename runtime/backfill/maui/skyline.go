package maui

import (
	"cmp"
	"fmt"
	"slices"
)

// skyline is how the room of a partition grows for jobs that differ in their length alone. On most nodes there are
// only jobs that run: room there grows as they end, and is the same however long a job is, where its class has
// slots for all processors. The other nodes are looked at for each job. It holds until something is put on a node or
// taken off it.
type skyline struct {
	version int
	rising  []change // in time, of one moment together
	others  []int32
}

// skyline is that of a job. Nodes that drain do not count (recorded: n12).
func (p *Planner) skyline(j *Job, partition int32) *skyline {
	key := p.kindOf(j, partition)
	sky := p.skylines[key]
	if sky != nil && sky.version == p.version {
		return sky
	}
	if sky == nil {
		sky = &skyline{}
		if p.skylines == nil {
			p.skylines = map[string]*skyline{}
		}
		p.skylines[key] = sky
	}
	sky.version = p.version
	sky.rising, sky.others = sky.rising[:0], sky.others[:0]
	for _, k := range p.inPartition[partition] {
		n := &p.nodes[k]
		if n.readiness != ready || !p.suits(n, j) {
			continue
		}
		before := len(sky.rising)
		if !p.onlyRuns(n) || n.classSlots(j.Class) < n.Capacity.Procs {
			sky.others = append(sky.others, k)
			continue
		}
		sky.rising = p.nodeChanges(n, j, false, sky.rising)
		if slices.ContainsFunc(sky.rising[before:], func(c change) bool { return c.tasks < 0 }) {
			sky.rising, sky.others = sky.rising[:before], append(sky.others, k)
		}
	}
	slices.SortFunc(sky.rising, func(a, b change) int { return cmp.Compare(a.at, b.at) })
	return sky
}

// onlyRuns reports a node on which nothing is kept for later, nor for somebody.
func (p *Planner) onlyRuns(n *node) bool {
	return len(n.standing) == 0 &&
		!slices.ContainsFunc(n.holds, func(h hold) bool { return !p.runs[h.job] || h.start > p.now })
}

// kindOf is the same for jobs of one skyline.
func (p *Planner) kindOf(j *Job, partition int32) string {
	user, tasks := "", int64(0)
	if p.anyPrivate {
		user = j.User
	}
	if p.demand(j.Job).nodes > 0 || j.TasksPerNode > 1 || p.oneNode[partition] {
		tasks = j.Tasks // by which a node's part of it goes
	}
	return fmt.Sprint(partition, " ", p.demand(j.Job).class, j.PerTask, j.PerNode, j.Minimum, j.Features, j.Hosts,
		j.Excluded, j.TasksPerNode, j.Nodes, tasks, j.Dedicated, " ", j.Class, "/", j.Reservation, "/", user)
}
