package slurm

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// schedule is what both passes come to: what runs, then what waits in the order of the queue, each task of an array by
// itself.
func (p *planner) schedule() *backfill.Schedule {
	in := p.in
	s := &backfill.Schedule{Now: in.Now, Cluster: in.Cluster, Tried: p.tried, Stopped: p.stopped, Preempted: p.victims}
	add := func(place, told backfill.Placement) { // of the last request
		s.Placements, s.Told = append(s.Placements, place), append(s.Told, told)
	}
	jobs := len(in.Running) + len(p.started)
	for k := range in.Waiting {
		if p.jobs[k].tasks > 0 {
			jobs += p.listed(int32(k))
		}
	}
	s.Requests, s.Placements, s.Told = make([]backfill.Request, 0, jobs), make([]backfill.Placement, 0, jobs),
		make([]backfill.Placement, 0, jobs)
	next := int32(0)
	for k := range in.Running {
		h, r := p.given[k], &in.Running[k]
		place := backfill.Placement{Job: r.Job, Start: h.start, End: h.end, Nodes: r.Allocated, Partition: r.Class,
			By: backfill.ByRunning}
		s.Requests = append(s.Requests, *r)
		add(place, place)
		next = max(next, r.Job+1, r.Row+1)
	}
	started := make([][]int, len(in.Waiting))
	for i, x := range p.started {
		started[x.request] = append(started[x.request], i)
	}
	for k := range in.Waiting {
		next = max(next, in.Waiting[k].Job+1, in.Waiting[k].Row+1)
	}
	s.Started = make([]int32, len(p.started))
	for _, k := range p.considered() {
		r, first := &in.Waiting[k], true
		record := func(task int) *backfill.Request { // the first keeps the job's number
			s.Requests = append(s.Requests, *r)
			one := &s.Requests[len(s.Requests)-1]
			if task >= 0 {
				one.ID = taskID(r, task)
			}
			if !first {
				one.Job = next
				next++
			}
			first = false
			return one
		}
		if p.jobs[k].tasks > 0 {
			told := p.told(k)
			for n, place := range p.tasksLeft(k, told) {
				one := record(place.task)
				if one.TaskIDs != nil {
					one.TaskIDs = one.TaskIDs[place.task : place.task+1]
				}
				if place.Job = one.Job; n > 0 {
					told = backfill.Placement{Job: one.Job} // squeue lists the tasks as one
				}
				add(place.Placement, told)
			}
		}
		for _, i := range started[k] {
			x := &p.started[i]
			one := record(x.task)
			one.TaskIDs = nil
			place := p.startedPlacement(x, one)
			s.Started[i] = one.Job
			add(place, place)
		}
	}
	return s
}

// considered are the jobs in the order of the queue, then those that are not in it.
func (p *planner) considered() []int32 {
	rank, order := make([]int, len(p.in.Waiting)), make([]int32, len(p.in.Waiting))
	for k := range rank {
		rank[k], order[k] = math.MaxInt, int32(k)
	}
	for i, entry := range p.order {
		k := p.in.Entries[entry].Request
		rank[k] = min(rank[k], i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(rank[a], rank[b]) })
	return order
}

// mostTasks bounds how many tasks of an array that wait are listed one by one.
const mostTasks = 10000

// listed is how many tasks of a job that wait are listed; of one that is no array 1.
func (p *planner) listed(k int32) int {
	if p.in.Waiting[k].TaskIDs == nil {
		return 1
	}
	return min(int(p.jobs[k].tasks), mostTasks)
}

// taskPlacement is what becomes of one task; -1 is the job.
type taskPlacement struct {
	backfill.Placement
	task int
}

// tasksLeft is what becomes of the tasks of a job that wait, as far as the cycle has settled it: the first get the
// times that are kept. What squeue shows as reserved need not be: nothing is kept after the end of the map, and a
// start found in one partition may be beside the nodes found in another.
func (p *planner) tasksLeft(k int32, told backfill.Placement) []taskPlacement {
	r, j := &p.in.Waiting[k], &p.jobs[k]
	here := func(t keptTask) bool { return t.start == told.Start && t.partition == j.partition }
	if told.By == backfill.ByEstimate || told.By == backfill.ByReservation && !slices.ContainsFunc(j.kept, here) {
		told.Start, told.End, told.By, told.Nodes, told.Partition = 0, 0, backfill.ByNone, nil, ""
	}
	if r.TaskIDs == nil {
		return []taskPlacement{{told, -1}}
	}
	first := len(r.TaskIDs) - int(j.tasks)
	list := make([]taskPlacement, p.listed(k))
	kept := slices.DeleteFunc(slices.Clone(j.kept), func(t keptTask) bool { return t.partition != j.partition })
	slices.SortStableFunc(kept, func(a, b keptTask) int { return cmp.Compare(a.start, b.start) })
	for n := range list {
		place := backfill.Placement{Reason: told.Reason, Never: told.Never}
		if n < len(kept) && j.reserved {
			t := &kept[n]
			place.Start, place.End, place.By, place.Nodes = t.start, t.end, backfill.ByReservation, tasksOf(r, t.nodes)
			place.Partition = p.in.Cluster.Partitions[t.partition].Name
		}
		list[n] = taskPlacement{place, first + n}
	}
	return list
}

func taskID(r *backfill.Request, task int) string {
	return strconv.FormatInt(r.Array, 10) + "_" + strconv.FormatInt(r.TaskIDs[task], 10)
}

func (p *planner) startedPlacement(x *started, r *backfill.Request) backfill.Placement {
	e := &p.in.Entries[x.entry]
	return backfill.Placement{Job: r.Job, Start: x.holding.start, End: x.holding.end, Nodes: tasksOf(r, x.holding.shares),
		Partition: p.in.Cluster.Partitions[e.Partition].Name, By: x.by}
}

// tasksOf are shares in tasks. Of a job that shares its nodes with no other job, those for which it asked, spread as
// its processors are.
func tasksOf(r *backfill.Request, shares []share) []backfill.Share {
	list := make([]backfill.Share, len(shares))
	for k, n := range spread(r, shares) {
		list[k] = backfill.Share{Node: shares[k].node, Tasks: n}
		if s := &shares[k]; s.tasks > 0 && s.procs != n*max(1, r.PerTask.Procs) { // whole cores
			list[k].Procs = s.procs
			if r.PerTask.MemMB > 0 {
				list[k].MemMB = s.mem
			}
		}
	}
	slices.SortFunc(list, func(a, b backfill.Share) int { return cmp.Compare(a.Node, b.Node) })
	return list
}

// spread is how many tasks are on each share.
func spread(r *backfill.Request, shares []share) []int64 {
	each, left := max(1, r.PerTask.Procs), r.Tasks
	tasks := make([]int64, len(shares))
	for k, s := range shares {
		if s.tasks > 0 {
			tasks[k] = s.tasks
			continue
		}
		tasks[k] = min(max(1, s.procs/each), max(1, left-int64(len(shares)-k-1)))
		left -= tasks[k]
	}
	return tasks
}

// comes reports a job that waits for its begin time or for other jobs.
func (p *planner) comes(k int32) bool {
	return slices.ContainsFunc(p.of[k], func(i int32) bool { return p.in.Entries[i].Later })
}

// told is what squeue says of a job that does not start.
func (p *planner) told(k int32) backfill.Placement {
	r, j := &p.in.Waiting[k], &p.jobs[k]
	out := backfill.Placement{Job: r.Job, Start: j.start, Reason: j.reason, Never: j.never}
	if j.reason == "" {
		out.Reason = p.refusal(k)
	}
	if j.start == 0 {
		switch {
		case !p.comes(k):
		case r.Begin > p.now: // its begin time is its start time until it is looked at (job_independent)
			out.Start, out.Reason = r.Begin, cmp.Or(out.Reason, BeginTime)
		default:
			out.Reason = cmp.Or(out.Reason, Dependency)
		}
		if out.Never == "" {
			out.Never = p.never(k)
		}
		return out
	}
	out.End, out.By = j.end, backfill.ByEstimate
	if j.partition >= 0 {
		out.Partition = p.in.Cluster.Partitions[j.partition].Name
	}
	if j.reserved {
		out.By, out.Nodes = backfill.ByReservation, tasksOf(r, j.nodes)
	}
	return out
}
