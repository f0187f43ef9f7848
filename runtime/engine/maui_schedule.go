package engine

import (
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/backfill/maui"
	"github.com/fairway-sched/fairway/runtime/limit"
)

// maxNamed bounds how many nodes are looked at to name those of estimates.
const maxNamed = 4_000_000

// schedule is the plan as a schedule: what runs, then the jobs of the hard walk in its order, then the others.
func (s *selection) schedule(q *planQueue, p *maui.Planner, plan *maui.Plan) *backfill.Schedule {
	r := s.result
	out := &backfill.Schedule{Now: r.Now, Cluster: q.cluster}
	placed := make([]bool, r.Jobs.Rows)
	add := func(job int32, placement backfill.Placement) {
		placed[job] = true
		out.Requests = append(out.Requests, p.Job(job).Request)
		placement.Job = job
		out.Placements = append(out.Placements, placement)
	}
	for job, state := range r.State {
		if state == Running {
			request := &p.Job(int32(job)).Request
			add(int32(job), backfill.Placement{Start: request.Start, End: request.End, Nodes: request.Allocated, By: backfill.ByRunning})
		}
	}
	starts := map[int32]*maui.Start{}
	for i := range plan.Starts {
		starts[plan.Starts[i].Job] = &plan.Starts[i]
		out.Started = append(out.Started, plan.Starts[i].Job)
	}
	named := len(q.cluster.Nodes)*len(r.Taken[limit.Hard]) <= maxNamed
	considered := slices.Clone(r.Taken[limit.Hard])
	for _, job := range r.Taken[limit.Soft] {
		if starts[job] != nil || p.Reserved(job) {
			considered = append(considered, job) // a soft number above the hard one let it through
		}
	}
	for _, job := range considered {
		switch start := starts[job]; {
		case placed[job]:
		case start != nil:
			add(job, backfill.Placement{Start: r.Now, End: r.Now + p.Job(job).WalltimeSeconds, Nodes: start.Nodes, By: start.By, Partition: p.PartitionOf(start.Nodes)})
		default:
			add(job, p.Waiting(job, named))
		}
	}
	for job, state := range r.State {
		if !placed[job] && state != Done {
			add(int32(job), backfill.Placement{})
		}
	}
	out.Cluster = withStanding(q.cluster, plan)
	out.Tried = len(r.Taken[limit.Hard])
	return out
}

// withStanding is the cluster with the policy's standing reservations on the nodes that were chosen for them.
func withStanding(c *backfill.Cluster, plan *maui.Plan) *backfill.Cluster {
	with := *c
	with.Reservations = slices.Clone(c.Reservations)
	for _, r := range plan.Reservations {
		if r.Kind != maui.ByPolicy {
			continue
		}
		out := backfill.Reservation{Name: r.Name, Start: r.Start, End: r.End, Amounts: backfill.Amounts{Procs: r.ProcsPerNode}}
		for _, share := range r.Nodes {
			out.Nodes = append(out.Nodes, share.Node)
		}
		with.Reservations = append(with.Reservations, out)
	}
	return &with
}
