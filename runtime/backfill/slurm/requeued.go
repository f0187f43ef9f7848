package slurm

import (
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// A job that is requeued for another comes back with the size that it asked for (slurm.md §11.15). slurmctld plans it
// in its later cycles; here it is placed after all that waits.

// requeued are the requests of the victims that come back, and which victim each is. Of heterogeneous jobs the
// components start together, which is left to later cycles.
func (p *planner) requeued(next int32) (list []backfill.Request, of []int) {
	for i := range p.victims {
		v := &p.victims[i]
		k := slices.IndexFunc(p.in.Running, func(r backfill.Request) bool { return r.Job == v.Job })
		if v.Back == 0 || k < 0 || p.in.Running[k].Het != 0 {
			continue
		}
		r := p.in.Running[k]
		if r.WalltimeSeconds == 0 {
			r.WalltimeSeconds = r.End - r.Start
		}
		p.laterRequest(&r, nil)
		r.InCores(p.threadsIn(r.Class), p.in.Settings.Cores)
		r.Job, r.Begin, r.Partitions = next, v.Back, []string{r.Class}
		r.Running, r.Suspended, r.Start, r.End, r.PreemptTime, r.Allocated = false, false, 0, 0, 0, nil
		r.After, r.AfterStart, r.AfterStartSeconds = nil, nil, nil
		list, of = append(list, r), append(of, i)
		next++
	}
	return list, of
}

// threadsIn are the fewest processors of a core of a partition's nodes.
func (p *planner) threadsIn(partition string) int64 {
	fewest := int64(0)
	for k := range p.in.Cluster.Partitions {
		if part := &p.in.Cluster.Partitions[k]; part.Name == partition && p.threads != nil {
			for _, i := range part.Nodes {
				if t := p.threads[i]; fewest == 0 || t < fewest {
					fewest = t
				}
			}
		}
	}
	return max(1, fewest)
}

// requestedBy is what limits count of a job that comes back.
func (p *planner) requestedBy(r *backfill.Request) (row int32, got Got) {
	return p.in.Preempt.Row(r), Got{Procs: r.Tasks * max(1, r.PerTask.Procs), Count: r.Nodes}
}
