package slurm

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// schedule is what both passes come to.
func (p *planner) schedule() *backfill.Schedule {
	in := p.in
	s := &backfill.Schedule{Now: in.Now, Cluster: in.Cluster, Tried: p.tried, Stopped: p.stopped}
	n := len(in.Running) + len(in.Waiting) + len(p.started)
	s.Requests, s.Placements = make([]backfill.Request, 0, n), make([]backfill.Placement, 0, n)
	s.Requests = append(append(s.Requests, in.Running...), in.Waiting...)
	for k := range in.Running {
		h := p.running[k]
		s.Placements = append(s.Placements, backfill.Placement{Job: in.Running[k].Job, Start: h.start, End: h.end, Nodes: in.Running[k].Allocated,
			Partition: in.Running[k].Class, By: backfill.ByRunning})
	}
	for k := range in.Waiting {
		s.Placements = append(s.Placements, p.placement(int32(k)))
	}
	next := int32(0)
	for k := range s.Requests {
		next = max(next, s.Requests[k].Job+1, s.Requests[k].Row+1)
	}
	for _, x := range p.started {
		r := in.Waiting[x.request]
		place := p.startedPlacement(x, &r)
		if x.task < 0 || int(x.task) == len(r.TaskIDs)-1 { // what is left of an array keeps its record
			at := len(in.Running) + int(x.request)
			if x.task >= 0 {
				s.Requests[at].ID, s.Requests[at].TaskIDs = taskID(&r, x.task), nil
			}
			s.Placements[at] = place
		} else {
			task := r
			task.Job, task.ID, task.TaskIDs = next, taskID(&r, x.task), nil
			next++
			place.Job = task.Job
			s.Requests, s.Placements = append(s.Requests, task), append(s.Placements, place)
		}
		s.Started = append(s.Started, place.Job)
	}
	for k := range in.Waiting { // tasks that have not started
		if done := len(in.Waiting[k].TaskIDs) - int(p.jobs[k].tasks); in.Waiting[k].TaskIDs != nil && p.jobs[k].tasks > 0 {
			s.Requests[len(in.Running)+k].TaskIDs = in.Waiting[k].TaskIDs[done:]
		}
	}
	p.waits(s)
	return s
}

func taskID(r *backfill.Request, task int) string {
	return strconv.FormatInt(r.Array, 10) + "_" + strconv.FormatInt(r.TaskIDs[task], 10)
}

func (p *planner) startedPlacement(x started, r *backfill.Request) backfill.Placement {
	e := &p.in.Entries[x.entry]
	return backfill.Placement{Job: r.Job, Start: x.holding.start, End: x.holding.end, Nodes: tasksOf(r, x.holding.shares),
		Partition: p.in.Cluster.Partitions[e.Partition].Name, By: x.by}
}

// tasksOf are shares in tasks. Of a job that shares with nobody, those for which it asked, spread as its processors are.
func tasksOf(r *backfill.Request, shares []share) []backfill.Share {
	each, left := max(1, r.PerTask.Procs), r.Tasks
	list := make([]backfill.Share, 0, len(shares))
	for k, s := range shares {
		n := min(max(1, s.procs/each), max(1, left-int64(len(shares)-k-1)))
		left -= n
		list = append(list, backfill.Share{Node: s.node, Tasks: n})
	}
	slices.SortFunc(list, func(a, b backfill.Share) int { return cmp.Compare(a.Node, b.Node) })
	return list
}

// placement is what becomes of a job that does not start.
func (p *planner) placement(k int32) backfill.Placement {
	r, j := &p.in.Waiting[k], &p.jobs[k]
	out := backfill.Placement{Job: r.Job, Start: j.start, Reason: j.reason, Never: j.never}
	if j.reason == "" {
		out.Reason = p.refusal(k)
	}
	if j.start == 0 {
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

// refusal is why none of a job's entries is in the queue; "" if one is.
func (p *planner) refusal(k int32) string {
	word := ""
	for _, i := range p.of[k] {
		if word = p.in.Entries[i].Refused; word == "" {
			return ""
		}
	}
	return word
}
