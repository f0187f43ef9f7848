package backfill

import (
	"container/heap"
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill/profile"
)

// estimate says when those would start for whom nothing is kept: in the order considered, around all
// that is planned already, jobs after those that they wait for.
func (p *planner) estimate() {
	if len(p.waiting) == 0 {
		return
	}
	q := &estimates{planner: p, index: map[int32]int{}, followers: map[int32][]int{}}
	for i := range p.requests {
		q.index[p.requests[i].Job] = i
	}
	waiting := map[int]bool{}
	for _, i := range p.waiting {
		waiting[i] = true
	}
	slices.Sort(p.waiting)
	for _, i := range p.waiting {
		open := 0
		for _, list := range [...][]int32{p.requests[i].After, p.requests[i].AfterStart} {
			for _, job := range list {
				if at, ok := q.index[job]; ok && waiting[at] && len(p.requests[i].After)+len(p.requests[i].AfterStart) > 0 {
					q.followers[job] = append(q.followers[job], i)
					open++
				}
			}
		}
		q.open = append(q.open, open)
		if open == 0 {
			q.ready = append(q.ready, i)
		}
	}
	heap.Init(q)
	for len(q.ready) > 0 && p.stopped == nil {
		i := heap.Pop(q).(int)
		p.tell()
		p.estimateOne(i)
		for _, f := range q.followers[p.requests[i].Job] {
			at, _ := slices.BinarySearch(p.waiting, f)
			if q.open[at]--; q.open[at] == 0 {
				heap.Push(q, f)
			}
		}
	}
	for at, i := range p.waiting {
		if q.open[at] > 0 && p.stopped == nil {
			pl := &p.schedule.Placements[i]
			pl.Never, pl.Reason = "it waits for jobs that wait for it", ReasonNever
		}
	}
}

func (p *planner) estimateOne(i int) {
	r, pl := &p.requests[i], &p.schedule.Placements[i]
	after := max(p.now, p.ceil(r.Begin))
	if len(r.After)+len(r.AfterStart) > 0 {
		pl.WaitsFor = slices.DeleteFunc(pl.WaitsFor, func(w Wait) bool { return w.Kind == WaitDependency })
		met := p.dependencies(i, pl)
		if met >= Forever {
			if pl.Never != "" {
				pl.Reason = ReasonNever
			}
			return // nobody knows
		}
		after = max(after, p.ceil(met))
	}
	if p.ordered {
		after = p.fenced(i, after)
	}
	f, ok := p.find(i, after, p.before)
	if !ok {
		p.noTime(i)
		return
	}
	p.settle(i, f, ByEstimate)
	if p.ordered && r.Begin <= p.now && len(r.After)+len(r.AfterStart) == 0 { // else it holds nobody up until it may start
		p.raiseFence(i, f.start)
	}
}

// dependencies is when what a job waits for is met: Forever if nobody knows. The jobs are
// noted in its placement.
func (p *planner) dependencies(i int, pl *Placement) int64 {
	if p.byJob == nil {
		p.byJob = map[int32]int{}
		for at := range p.requests {
			p.byJob[p.requests[at].Job] = at
		}
	}
	r := &p.requests[i]
	var met []int64
	ask := func(job int32, end bool, delay int64) {
		w, time := Wait{Kind: WaitDependency, Job: job}, Forever
		if at, ok := p.byJob[job]; ok {
			other := &p.schedule.Placements[at]
			if other.Never != "" && !r.AfterAny {
				pl.Never = "it waits for job " + p.requests[at].ID + ", which never runs: " + other.Never
			}
			if other.By != ByNone {
				if time = profile.End(other.Start, delay); end {
					time = max(other.End, p.now+1)
				}
			}
		}
		if time < Forever {
			w.Until = time
		}
		if time > p.now {
			pl.WaitsFor = append(pl.WaitsFor, w)
		}
		met = append(met, time)
	}
	for _, job := range r.After {
		ask(job, true, 0)
	}
	for k, job := range r.AfterStart {
		ask(job, false, r.startDelay(k))
	}
	if r.AfterAny {
		return slices.Min(met)
	}
	return slices.Max(met)
}

// estimates are the jobs to estimate: ready are those that wait for no other one of them.
type estimates struct {
	planner   *planner
	ready     []int
	open      []int // by place in planner.waiting: jobs to be estimated before
	index     map[int32]int
	followers map[int32][]int
}

func (q *estimates) Len() int           { return len(q.ready) }
func (q *estimates) Less(a, b int) bool { return q.ready[a] < q.ready[b] }
func (q *estimates) Swap(a, b int)      { q.ready[a], q.ready[b] = q.ready[b], q.ready[a] }
func (q *estimates) Push(x any)         { q.ready = append(q.ready, x.(int)) }
func (q *estimates) Pop() any {
	last := q.ready[len(q.ready)-1]
	q.ready = q.ready[:len(q.ready)-1]
	return last
}
