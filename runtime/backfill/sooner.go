package backfill

import (
	"fmt"

	"github.com/fairway-sched/fairway/runtime/backfill/profile"
	"github.com/fairway-sched/fairway/runtime/program"
)

// Offer is a smaller request, and when it would start.
type Offer struct {
	Nodes           int64 // 0 if only tasks were asked
	Tasks           int64
	WalltimeSeconds int64
	Start           int64
}

// shortestSeconds is the shortest walltime that is offered.
const shortestSeconds = 60

// Sooner says what smaller requests of a job would start earlier than it does, now if possible: one with a
// shorter walltime, one with fewer nodes, each as large as starts then. They disturb nobody: all that
// runs, starts now or was considered before keeps its time.
func Sooner(s *Schedule, job int32) ([]Offer, error) {
	at := -1
	for i := range s.Requests {
		if s.Requests[i].Job == job {
			at = i
		}
	}
	if at < 0 || at >= len(s.Placements) {
		return nil, fmt.Errorf("the plan has no job %d", job)
	}
	pl := &s.Placements[at]
	if pl.By == ByRunning || pl.By != ByNone && pl.Start <= s.Now {
		return nil, nil
	}
	after := max(s.Now, s.Requests[at].Begin)
	if pl.Never != "" && len(s.Requests[at].After)+len(s.Requests[at].AfterStart) > 0 {
		return nil, nil // nobody knows when it may
	}
	for _, w := range pl.WaitsFor {
		switch w.Kind {
		case WaitLimit, WaitPartition, WaitAccess: // of any size
			return nil, nil
		case WaitDependency, WaitBegin:
			if w.Until == 0 {
				return nil, nil
			}
			after = max(after, w.Until)
		}
	}
	s.Detail()
	p, i, err := without(s, at)
	if err != nil || p.never(i) != "" && p.kinds[p.ask[i].kind].never != "" {
		return nil, err
	}
	limit := Forever
	if pl.By != ByNone {
		limit = pl.Start
	}
	r, a := &p.requests[i], p.ask[i]
	k := p.kinds[a.kind]
	after = p.ceil(after)
	start := func(size, seconds int64) int64 {
		p.ask[i].size, p.ask[i].seconds, p.ask[i].least = size, seconds, seconds
		if f, ok := p.find(i, after, limit); ok {
			return f.start
		}
		return Forever
	}
	var offers []Offer
	offer := func(size, seconds, at int64) {
		o := Offer{Nodes: r.Nodes, Tasks: size, WalltimeSeconds: seconds, Start: at}
		if k.fixed {
			o.Nodes, o.Tasks = size, min(max(r.Tasks, size), size*k.each)
		}
		offers = append(offers, o)
	}
	if at := start(a.size, min(shortestSeconds, a.least)); at < limit {
		offer(a.size, largest(min(shortestSeconds, a.least), a.least, func(v int64) bool { return start(a.size, v) <= at }), at)
	}
	smallest := max(k.nodes, 1)
	if k.fixed {
		smallest = max(int64(len(r.Hosts)), k.featureNodes(), 1)
	}
	if at := start(smallest, a.least); smallest < a.size && at < limit {
		offer(largest(smallest, a.size, func(v int64) bool { return start(v, a.least) <= at }), a.least, at)
	}
	return offers, nil
}

// featureNodes are how many nodes the features ask for.
func (k *kind) featureNodes() (n int64) {
	for _, a := range k.like.Features.Alternatives {
		n += max(a.Count, 0)
	}
	return n
}

// largest is the largest value from low, which holds, to high that holds; all below it do.
func largest(low, high int64, holds func(int64) bool) int64 {
	for low < high {
		if middle := low + (high-low+1)/2; holds(middle) {
			low = middle
		} else {
			high = middle - 1
		}
	}
	return low
}

// without is a planner with everything placed but one request and what was considered after it and
// starts later.
func without(s *Schedule, at int) (*planner, int, error) {
	settings := &program.NativePlan{Algorithm: "firstfit"}
	if s.settings != nil {
		settings = s.settings
	}
	var requests []Request
	for i := range s.Placements {
		pl := &s.Placements[i]
		if i == at || pl.By == ByNone || pl.By == ByRunning && !s.Requests[i].runs() {
			continue
		}
		r := s.Requests[i]
		if pl.By != ByRunning {
			if pl.Start > s.Now {
				continue // entered below
			}
			r.Start, r.End = max(pl.Start, 1), pl.End
		}
		if len(pl.Nodes) > 0 {
			r.Allocated = pl.Nodes
		}
		requests = append(requests, r)
	}
	// Those that start later are requests without limits of their own, put where they are planned.
	for i := range s.Placements {
		if s.keeps(i, at) {
			requests = append(requests, s.Requests[i])
		}
	}
	requests = append(requests, s.Requests[at])
	p, err := newPlanner(s.Cluster, requests, s.Requests, settings, nil, s.Now)
	if err != nil {
		return nil, 0, err
	}
	p.linear = true
	p.running()
	n := len(p.ends)
	for i := range s.Placements {
		if s.keeps(i, at) {
			p.replace(n, &s.Placements[i])
			n++
		}
	}
	return p, n, nil
}

// keeps reports a request that starts later and keeps its time whatever another one asks: it has been
// considered before. Reservations are made before estimates.
func (s *Schedule) keeps(i, other int) bool {
	pl := &s.Placements[i]
	if i == other || pl.By == ByNone || pl.By == ByRunning || pl.Start <= s.Now {
		return false
	}
	return i < other || pl.By == ByReservation && s.Placements[other].By != ByReservation
}

// replace takes what a placement has, node by node.
func (p *planner) replace(i int, pl *Placement) {
	k := p.kinds[p.ask[i].kind]
	until := p.ceil(pl.End)
	p.useTokens(k.tokens, k.admits, pl.Start, until)
	for _, s := range pl.Nodes {
		c := p.classOf[s.Node]
		q := p.pools[p.machine.classes[c].pool]
		if !q.shared {
			p.count([]take{{c, 1}}, pl.Start, until, 1)
			continue
		}
		base, task := p.dims.wants(&p.requests[i], p.alone(&p.requests[i]))
		local := p.local[s.Node]
		amounts := q.project(taken(base, task, s.Tasks))
		if p.Nodes[s.Node].Sharing == SingleJob {
			amounts = q.capacity[local]
		}
		for _, view := range q.views {
			p.span(view, local, k.admits, profile.Span{From: pl.Start, To: until, Amounts: amounts, User: k.user, Private: p.requests[i].Sharing == SingleUser})
		}
	}
}
