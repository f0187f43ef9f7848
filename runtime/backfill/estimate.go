package backfill

import (
	"container/heap"
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill/profile"
)

// estimate says when those would start that have nothing kept for them: in the order considered, around all
// that is planned already, jobs after those that they wait for.
func (p *planner) estimate() {
	if len(p.waiting) == 0 {
		return
	}
	slices.Sort(p.waiting)
	open, followers := make([]int, len(p.waiting)), map[int32][]int{} // by place in p.waiting
	for at, i := range p.waiting {
		for _, list := range [...][]int32{p.requests[i].After, p.requests[i].AfterStart} {
			for _, job := range list {
				other, ok := p.request(job)
				if _, waits := slices.BinarySearch(p.waiting, other); ok && waits {
					followers[job] = append(followers[job], at)
					open[at]++
				}
			}
		}
	}
	var late places // of those skipped that have become ready
	for next := 0; p.stopped == nil; {
		at := next
		if len(late) > 0 {
			at = heap.Pop(&late).(int)
		} else if next++; at == len(p.waiting) {
			break
		} else if open[at] > 0 {
			continue
		}
		i := p.waiting[at]
		p.tell()
		p.estimateOne(i)
		for _, f := range followers[p.requests[i].Job] {
			if open[f]--; open[f] == 0 && f < next {
				heap.Push(&late, f)
			}
		}
	}
	for at, i := range p.waiting {
		if open[at] > 0 && p.stopped == nil {
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
			return // unknown
		}
		after = max(after, p.ceil(met))
	}
	if p.ordered {
		after = p.fenced(i, after)
	}
	f, ok := p.find(i, after, p.before)
	if !ok {
		if p.limits == nil || p.mayPass(i) {
			p.noTime(i)
		} else {
			p.aboveLimits(i)
		}
		return
	}
	// else no one until it may start
	holdsUp := p.ordered && r.Begin <= p.now && len(r.After)+len(r.AfterStart) == 0 && p.passesNow(i)
	if p.settle(i, f, ByEstimate, after); holdsUp {
		p.raiseFence(i, f.start)
	}
}

// dependencies is when what a job waits for is met: Forever if unknown. The jobs are
// noted in its placement.
func (p *planner) dependencies(i int, pl *Placement) int64 {
	r := &p.requests[i]
	var met []int64
	ask := func(job int32, end bool, delay int64) {
		w, time := Wait{Kind: WaitDependency, Job: job}, Forever
		if at, ok := p.request(job); ok {
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

// request is the place of a job's request.
func (p *planner) request(job int32) (at int, ok bool) {
	if p.byJob == nil {
		p.byJob = make(map[int32]int, len(p.requests))
		for at := range p.requests {
			p.byJob[p.requests[at].Job] = at
		}
	}
	at, ok = p.byJob[job]
	return at, ok
}

// places is a heap of places in a list.
type places []int

func (q places) Len() int           { return len(q) }
func (q places) Less(a, b int) bool { return q[a] < q[b] }
func (q places) Swap(a, b int)      { q[a], q[b] = q[b], q[a] }
func (q *places) Push(x any)        { *q = append(*q, x.(int)) }
func (q *places) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}
