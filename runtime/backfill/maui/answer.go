package maui

import "github.com/fairway-sched/fairway/runtime/backfill"

// Job is a job of the input.
func (p *Planner) Job(job int32) *Job { return &p.jobs[job] }

// NodeName is the name of a node.
func (p *Planner) NodeName(node int32) string { return p.nodes[node].Name }

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
	end := max(r.End, r.Start+1)
	p.license(job, r.Start, end, -1) // else it would wait for what it has itself
	waits := p.awaited(&p.jobs[job], r.Start)
	p.license(job, r.Start, end, 1)
	return backfill.Placement{Job: job, Start: r.Start, End: r.End, Nodes: r.Nodes, Partition: r.Partition,
		By: backfill.ByReservation, WaitsFor: waits}, true
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

// estimate is the first time of the soonest partition for which nodes can be chosen. In a partition in which any nodes
// will do, room is all that it takes; but to begin now a job of a shape must have its nodes. Unlike a reservation,
// which may move on by a second (maui.md §9 P25), it goes on to the next time at which there is more room (observed
// in recordings: N008, N024, N074, N103).
func (p *Planner) estimate(j *Job) (at int64, partition int32, ok bool) {
	_, partition, ok = p.soonest(j)
	if !ok {
		return 0, 0, false
	}
	anyNodes := p.plain(j, partition)
	exact := j.Nodes > 0 || j.TasksPerNode > 0 || p.oneNode[partition]
	var times []int64
	p.starts(j, partition, false, func(t int64) bool {
		times = append(times, t)
		return len(times) < maxStarts && !(anyNodes && (t > p.now || !exact))
	})
	for _, t := range times {
		if anyNodes && (t > p.now || !exact) || p.place(j, partition, t, nil, true) != nil {
			return t, partition, true
		}
	}
	return 0, 0, false
}
