package maui

import (
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/backfill/maui"
	"github.com/fairway-sched/fairway/runtime/backfill/profile"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/limit"
	"github.com/fairway-sched/fairway/runtime/limit/timeline"
	"github.com/fairway-sched/fairway/runtime/planning"
)

// schedule is the plan as a schedule: what runs, then the jobs of the hard walk in its order, then the others. What
// Maui neither starts nor reserves for is where it comes to be if the iterations go on (maui.Planner.Project).
func (s *selection) schedule(q *planning.Queue, p *maui.Planner, plan *maui.Plan) *backfill.Schedule {
	r := s.result
	out := &backfill.Schedule{Now: r.Now, Cluster: q.Cluster}
	placed := make([]bool, r.Jobs.Rows)
	add := func(job int32, placement backfill.Placement) {
		placed[job] = true
		out.Requests = append(out.Requests, p.Job(job).Request)
		placement.Job = job
		out.Placements = append(out.Placements, placement)
	}
	for job, state := range r.State {
		if state == evaluation.Running {
			request := &p.Job(int32(job)).Request
			add(int32(job), backfill.Placement{Start: request.Start, End: request.End, Nodes: request.Allocated,
				By: backfill.ByRunning})
		}
	}
	starts := map[int32]*maui.Start{}
	for i := range plan.Starts {
		starts[plan.Starts[i].Job] = &plan.Starts[i]
		out.Started = append(out.Started, plan.Starts[i].Job)
	}
	considered := slices.Clone(r.Taken[limit.Hard])
	for _, job := range r.Taken[limit.Soft] {
		if starts[job] != nil || p.Reserved(job) {
			considered = append(considered, job) // a soft number above the hard one let it through
		}
	}
	later := map[int32]backfill.Placement{}
	if !s.options.StartsOnly {
		later = s.projected(q, p, considered, starts)
	}
	for _, job := range considered {
		switch start := starts[job]; {
		case placed[job]:
		case start != nil:
			add(job, backfill.Placement{Start: r.Now, End: profile.End(r.Now, p.Job(job).WalltimeSeconds), Nodes: start.Nodes,
				By: start.By, Partition: p.PartitionOf(start.Nodes)})
		default:
			placement, ok := p.Reservation(job)
			if !ok {
				placement = later[job]
			}
			add(job, placement)
		}
	}
	for job, state := range r.State {
		if !placed[job] && state != evaluation.Done {
			add(int32(job), later[int32(job)])
		}
	}
	out.Free = p.Free
	out.Alone = func(at int) (int64, string, bool) { return p.Alone(out.Requests[at].Job) }
	out.Cluster = withStanding(q.Cluster, plan)
	out.Tried = len(r.Taken[limit.Hard])
	return out
}

// projected are the times of the jobs that this iteration leaves waiting, in the order of their priority: those that it
// considered, those that limits on what runs stop by now, and those whose begin time has not come.
func (s *selection) projected(q *planning.Queue, p *maui.Planner, considered []int32,
	starts map[int32]*maui.Start) map[int32]backfill.Placement {
	l := &leftWaiting{selection: s, queue: q, planner: p, starts: starts, out: map[int32]backfill.Placement{},
		seen: make([]bool, s.result.Jobs.Rows)}
	for _, job := range considered {
		if l.left(job) && !s.staysOver(job) {
			l.wait(job)
		}
	}
	n, order := len(l.list), s.byPriority()
	for _, job := range order {
		v := s.refused.Limit(s.gate, limit.Hard, job)
		if l.left(job) && s.stopped[job] == nil && v != nil && v.Phase == limit.Active && !s.staysOver(job) {
			l.wait(job)
		}
	}
	l.list = s.merged(l.list[:n:n], l.list[n:])
	for _, job := range order {
		l.stopped(job)
	}
	for _, placement := range p.Project(l.list, s.later(q, p, starts)) {
		l.out[placement.Job] = placement
	}
	return l.out
}

// leftWaiting are the jobs that an iteration leaves waiting: those in list find their times when the iterations go on,
// of those in out it is known already what they wait for.
type leftWaiting struct {
	*selection
	queue   *planning.Queue
	planner *maui.Planner
	starts  map[int32]*maui.Start

	list []int32
	seen []bool // per job: it has been asked to wait
	out  map[int32]backfill.Placement
}

// left reports a job that neither runs, starts nor has a reservation, and that some partition of nodes is open to.
func (l *leftWaiting) left(job int32) bool {
	_, open := l.access.First(int(job))
	return !l.seen[job] && l.result.State[job] != evaluation.Running && l.starts[job] == nil && !l.planner.Reserved(job) &&
		open
}

// wait lists a job, unless others come first.
func (l *leftWaiting) wait(job int32) {
	l.seen[job] = true
	if l.depends[job] {
		waits, never := l.queue.After(&l.planner.Job(job).Request)
		if never != "" || len(waits) > 0 {
			l.out[job] = backfill.Placement{Never: never, WaitsFor: waits}
			return
		}
	}
	l.list = append(l.list, job)
}

// stopped asks a job that the walks did not come to: it lacks nodes, or waits for its begin time.
func (l *leftWaiting) stopped(job int32) {
	b := l.selection.stopped[job]
	stays := b == nil && l.result.State[job] != evaluation.Running && l.access.Stays(int(job))
	if stays || b != nil && b.Kind == evaluation.BlockResources && l.left(job) {
		waits, never := l.planner.Missing(job)
		l.out[job] = backfill.Placement{Never: never, WaitsFor: waits}
		return
	}
	if b != nil && b.Kind == evaluation.BlockBegin && len(b.Also) == 0 && l.left(job) && !l.negative(job) &&
		!l.staysOver(job) {
		l.wait(job)
	}
}

// merged is two lists in the order of priority as one.
func (s *selection) merged(first, second []int32) []int32 {
	out := make([]int32, 0, len(first)+len(second))
	for _, job := range first {
		for len(second) > 0 && s.scorer.priority[second[0]] > s.scorer.priority[job] {
			out, second = append(out, second[0]), second[1:]
		}
		out = append(out, job)
	}
	return append(out, second...)
}

// staysOver reports a job that is over what no end of another job changes: a limit on single jobs, or a fairshare cap.
func (s *selection) staysOver(job int32) bool {
	_, over := s.gate.CheckJob(int(job), limit.Hard)
	if !over {
		_, over = s.caps.Check(int(job))
	}
	return over
}

// later are the limits on what runs over time, of what runs and starts now.
func (s *selection) later(q *planning.Queue, p *maui.Planner, starts map[int32]*maui.Start) backfill.Limits {
	r := s.result
	if s.gate.Limits() == 0 {
		return nil
	}
	running := slices.Clone(q.Requests)
	for job := range r.State {
		if starts[int32(job)] != nil {
			request := p.Job(int32(job)).Request
			request.Start, request.End = r.Now, profile.End(r.Now, request.WalltimeSeconds)
			running = append(running, request)
		}
	}
	l := &planning.Limits{Result: r}
	l.Count(s.gate.Timeline(r.Now), running,
		func(q *backfill.Request, _ string) (int, timeline.Got) { return int(q.Row), timeline.Got{} },
		func(job int32) int { return int(job) })
	return l
}

// withStanding is the cluster with the policy's standing reservations on the nodes that were chosen for them.
func withStanding(c *backfill.Cluster, plan *maui.Plan) *backfill.Cluster {
	with := *c
	with.Reservations = slices.Clone(c.Reservations)
	for _, r := range plan.Reservations {
		if r.Kind != maui.ByPolicy {
			continue
		}
		out := backfill.Reservation{Name: r.Name, Start: r.Start, End: r.End,
			Amounts: backfill.Amounts{Procs: r.ProcsPerNode}}
		for _, share := range r.Nodes {
			out.Nodes = append(out.Nodes, share.Node)
		}
		with.Reservations = append(with.Reservations, out)
	}
	return &with
}
