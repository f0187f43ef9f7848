package engine

import (
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/program"
)

// Earliest is the first time at which a request of a plan fits around what runs, starts now or has a reservation,
// whatever its place in the queue and whatever limits say, which is what Maui's showstart answers, but not before the
// jobs that it comes after. ok is false if it fits at no time, or nobody knows when those jobs are done.
func Earliest(s *backfill.Schedule, at int) (start int64, partition string, ok bool) {
	s.Detail()
	own := s.Placements[at]
	if own.By != backfill.ByNone && own.By != backfill.ByEstimate {
		return own.Start, own.Partition, true
	}
	met, known := afterOthers(s, at)
	if !known {
		return 0, "", false
	}
	if s.Alone != nil && met <= s.Now {
		return s.Alone(at)
	}
	cluster := *s.Cluster
	cluster.Reservations = append([]backfill.Reservation{}, cluster.Reservations...)
	var requests []backfill.Request
	for i := range s.Placements {
		r, p := s.Requests[i], &s.Placements[i]
		switch {
		case p.By == backfill.ByNone || p.By == backfill.ByEstimate || len(p.Nodes) == 0:
			continue
		case p.Start <= s.Now:
			r.Start, r.End, r.Allocated = max(p.Start, 1), p.End, p.Nodes
			requests = append(requests, r)
		default:
			cluster.Reservations = append(cluster.Reservations, kept(s.Cluster, &r, p)...)
		}
	}
	asked := s.Requests[at]
	asked.After, asked.AfterStart, asked.Begin = nil, nil, max(asked.Begin, met)
	requests = append(requests, asked)
	plan, err := backfill.Plan(&cluster, requests, &program.NativePlan{Algorithm: "firstfit", ReservationDepth: 1}, nil, s.Now)
	if err != nil {
		return 0, "", false
	}
	p := &plan.Placements[len(requests)-1]
	return p.Start, p.Partition, p.By != backfill.ByNone
}

// kept is a job's reservation, one for each different share of a node.
func kept(c *backfill.Cluster, r *backfill.Request, p *backfill.Placement) []backfill.Reservation {
	byTasks := map[int64]int{}
	var list []backfill.Reservation
	for _, s := range p.Nodes {
		whole := r.Sharing == backfill.SingleJob || c.Nodes[s.Node].Sharing == backfill.SingleJob
		tasks := s.Tasks
		if whole {
			tasks = 0
		}
		k, ok := byTasks[tasks]
		if !ok {
			k = len(list)
			byTasks[tasks] = k
			v := backfill.Reservation{Name: "job " + r.ID, Start: p.Start, End: p.End}
			if !whole {
				v.Amounts = backfill.Amounts{Procs: tasks * r.PerTask.Procs, MemMB: tasks*r.PerTask.MemMB + r.PerNode.MemMB, SwapMB: tasks * r.PerTask.SwapMB, DiskMB: tasks * r.PerTask.DiskMB}
			}
			list = append(list, v)
		}
		list[k].Nodes = append(list[k].Nodes, s.Node)
	}
	return list
}
