package backfill

import "fmt"

// Offer is a smaller request, and when it would start.
type Offer struct {
	Nodes           int64 // 0 if only tasks were asked
	Tasks           int64
	WalltimeSeconds int64
	Start           int64
}

// shortestSeconds is the shortest walltime that is offered.
const shortestSeconds = 60

// Sooner says what smaller requests of a job would start earlier than it does, now if possible: one with a shorter
// walltime, one with fewer nodes or tasks, one with the same tasks on fewer nodes, each as large as starts then. They
// disturb no other job: all that runs, starts now or was considered before keeps its time. If the scheduler does not
// plan as Plan does, only what Smaller confirms is reported.
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
	offers, err := s.sooner(at)
	if s.Smaller == nil || err != nil {
		return offers, err
	}
	return s.confirmed(at, offers)
}

// sooner asks the native planner.
func (s *Schedule) sooner(at int) ([]Offer, error) {
	pl := &s.Placements[at]
	if pl.By == ByRunning || pl.By != ByNone && pl.Start <= s.Now {
		return nil, nil
	}
	after := max(s.Now, s.Requests[at].Begin)
	if pl.Never != "" && len(s.Requests[at].After)+len(s.Requests[at].AfterStart) > 0 {
		return nil, nil // it is unknown when it may
	}
	for _, w := range pl.WaitsFor {
		switch w.Kind {
		case WaitLimit, WaitPartition, WaitAccess, WaitElsewhere: // of any size
			return nil, nil
		case WaitDependency, WaitBegin:
			if w.Until == 0 {
				return nil, nil
			}
			after = max(after, w.Until)
		}
	}
	s.Detail()
	p, i, err := s.settle(at)
	if err != nil || p.never(i) != "" && p.kinds[p.ask[i].kind].never != "" {
		return nil, err
	}
	limit := Forever
	if pl.By != ByNone {
		limit = pl.Start
	}
	r, a := &p.requests[i], p.ask[i]
	defer func() { p.ask[i] = a }() // the next to ask finds it as it was
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
		o := Offer{Nodes: r.Nodes, Tasks: p.tasksAsked(i, size), WalltimeSeconds: seconds, Start: at}
		if k.fixed {
			o.Nodes, o.Tasks = size, p.tasksAsked(i, min(max(r.Tasks, size), size*k.each))
		}
		offers = append(offers, o)
	}
	if at := start(a.size, min(shortestSeconds, a.least)); at < limit {
		offer(a.size, largest(min(shortestSeconds, a.least), a.least, func(v int64) bool { return start(a.size, v) <= at }),
			at)
	}
	smallest := max(k.nodes, 1)
	if k.fixed {
		smallest = max(int64(len(r.Hosts)), k.featureNodes(), 1)
	}
	if at := start(smallest, a.least); smallest < a.size && at < limit {
		offer(largest(smallest, a.size, func(v int64) bool { return start(v, a.least) <= at }), a.least, at)
	}
	p.ask[i] = a
	if o, ok := p.fewerNodes(i, after, limit); ok {
		offers = append(offers, o)
	}
	return offers, nil
}

// fewerNodes is the offer of the same tasks on fewer nodes, of a job that says how many nodes it wants and not how
// many tasks on each: the most nodes with which it starts earliest.
func (p *planner) fewerNodes(i int, after, before int64) (best Offer, ok bool) {
	r, a := &p.requests[i], &p.ask[i]
	k := p.kinds[a.kind]
	if k.fixed || r.TasksPerNode > 0 || k.nodes < 2 || r.Nodes < k.nodes {
		return best, false
	}
	nodes, most := k.nodes, k.most
	defer func() { k.nodes, k.most = nodes, most }()
	// large jobs are not asked about number by number
	for n := nodes - 1; n >= max(int64(len(r.Hosts)), 1); n = min(n-1, n*7/8) {
		k.nodes, k.most = n, n
		if f, found := p.find(i, after, before); found {
			best, before, ok = Offer{Nodes: n, Tasks: p.tasksAsked(i, a.size), WalltimeSeconds: a.least, Start: f.start},
				f.start, true
		}
	}
	return best, ok
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
