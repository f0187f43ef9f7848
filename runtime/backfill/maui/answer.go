package maui

import (
	"fmt"
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// Job is a job of the input.
func (p *Planner) Job(job int32) *Job { return &p.jobs[job] }

// PartitionOf is the partition of a job's nodes.
func (p *Planner) PartitionOf(nodes []backfill.Share) string {
	if len(nodes) == 0 {
		return ""
	}
	return p.partitions[p.nodes[nodes[0].Node].partition]
}

// Reserved reports a job that waits for a reservation of its own.
func (p *Planner) Reserved(job int32) bool { return p.reserved[job] != nil }

// Reservation is what is kept for a job that waits.
func (p *Planner) Reservation(job int32) (at backfill.Placement, ok bool) {
	r := p.reserved[job]
	if r == nil {
		return backfill.Placement{}, false
	}
	return backfill.Placement{Job: job, Start: r.Start, End: r.End, Nodes: r.Nodes, Partition: r.Partition, By: backfill.ByReservation}, true
}

// Alone is when a job starts that waits: when its reservation begins, else as soon as there is room for it whatever the
// others do (showstart); ok is false if there is no time.
func (p *Planner) Alone(job int32) (start int64, partition string, ok bool) {
	if r := p.reserved[job]; r != nil {
		return r.Start, r.Partition, true
	}
	start, in, ok := p.estimate(&p.jobs[job])
	if !ok {
		return 0, "", false
	}
	return start, p.partitions[in], true
}

// estimate is the time that earliest finds. In a partition in which any nodes will do, room is all that it takes; but to begin
// now a job of a shape must have its nodes.
func (p *Planner) estimate(j *Job) (at int64, partition int32, ok bool) {
	at, partition, ok = p.soonest(j)
	if ok && p.plain(partition) && (at > p.now || j.Nodes == 0 && j.TasksPerNode == 0 && !p.oneNode[partition]) {
		return at, partition, true
	}
	if ok {
		at, partition, _, ok = p.earliest(j)
	}
	return at, partition, ok
}

// lacks says what of a job no time can give, as far as it can be told.
func (p *Planner) lacks(j *Job) string {
	if what := p.Lacks(j.Job); what != "" {
		return what
	}
	return "its partition's nodes are never free together for as long as it runs, or the allocation policy finds none"
}

// Lacks says what a job asks for that the nodes do not have, busy or not; "" if they have it.
func (p *Planner) Lacks(job int32) string {
	j := &p.jobs[job]
	nodes, tasks, largest := int64(0), int64(0), int64(0)
	for i := range p.nodes {
		n := &p.nodes[i]
		if !p.allowed(j, n.partition) || !p.suits(n, j) {
			continue
		}
		all := amounts{procs: n.Capacity.Procs, mem: n.Capacity.MemMB, swap: n.Capacity.SwapMB, disk: n.Capacity.DiskMB, gres: slices.Clone(n.Capacity.Gres)}
		d := *p.demand(j.Job)
		d.class = -1
		room := p.shaped(n, j, all.tasks(&d))
		if room > 0 {
			nodes++
		}
		tasks, largest = tasks+room, max(largest, all.tasks(&d))
	}
	switch {
	case nodes == 0 && largest == 0:
		return "no node that is up has what it asks for"
	case nodes == 0:
		return fmt.Sprintf("it may not span nodes, and no node has room for more than %d of its %d tasks", largest, j.Tasks)
	case nodes < j.Nodes:
		return fmt.Sprintf("it asks for %d nodes, and %d have what it asks for", j.Nodes, nodes)
	case tasks < j.Tasks:
		return fmt.Sprintf("it asks for %d tasks, and the nodes that have what it asks for have room for %d", j.Tasks, tasks)
	}
	return ""
}
