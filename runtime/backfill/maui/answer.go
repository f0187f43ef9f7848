package maui

import "github.com/fairway-sched/fairway/runtime/backfill"

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

// Waiting says when a job that waits starts: when its reservation begins, else as soon as there is room for it whatever the
// others do (showstart).
func (p *Planner) Waiting(job int32) backfill.Placement {
	j := &p.jobs[job]
	out := backfill.Placement{Job: job}
	if r := p.reserved[job]; r != nil {
		out.Start, out.End, out.Nodes, out.Partition, out.By = r.Start, r.End, r.Nodes, r.Partition, backfill.ByReservation
		return out
	}
	at, partition, nodes, ok := p.earliest(j)
	if ok {
		out.Start, out.End, out.Nodes, out.Partition, out.By = at, at+j.WalltimeSeconds, nodes, p.partitions[partition], backfill.ByEstimate
	}
	return out
}
