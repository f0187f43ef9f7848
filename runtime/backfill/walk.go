package backfill

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill/profile"
	"github.com/fairway-sched/fairway/runtime/program"
)

// walk starts what starts now and makes the reservations.
func (p *planner) walk() {
	depth := p.settings.ReservationDepth
	if p.settings.Algorithm == "preempt" {
		depth = 0 // whoever was skipped takes back what it needs, so nothing is kept
	}
	choosy := p.settings.Algorithm == "bestfit" || p.settings.Algorithm == "greedy"
	var candidates []int // for who is chosen otherwise than in order
	reserved := int64(0)
	for i := len(p.ends); i < len(p.requests) && p.stopped == nil; i++ {
		p.tell()
		p.schedule.Tried++
		if !p.eligible(i) {
			continue
		}
		if p.settings.Algorithm == "none" {
			p.inOrder(i)
			continue
		}
		reserve := depth == program.Unlimited || reserved < depth
		if choosy && !reserve && (reserved > 0 || len(candidates) > 0) { // the order ends with the last reservation
			candidates = append(candidates, i)
			continue
		}
		before := p.now + 1
		if reserve {
			before = p.before
		}
		f, ok := p.find(i, p.now, before)
		switch {
		case ok && f.start == p.now:
			p.start(i, f)
		case ok && reserve:
			p.reserve(i, f, ByReservation)
			reserved++
		case reserve:
			p.noTime(i)
		case choosy:
			candidates = append(candidates, i)
			p.explain(i)
			p.block(i)
		default:
			p.wait(i)
		}
	}
	p.choose(candidates)
}

// eligible reports a job that may start now or get a reservation. Of others it notes why not.
func (p *planner) eligible(i int) bool {
	r, pl := &p.requests[i], &p.schedule.Placements[i]
	pl.Job = r.Job
	if pl.Never = p.never(i); pl.Never != "" {
		pl.Reason = ReasonNever
		return false
	}
	k := p.kinds[p.ask[i].kind]
	if len(r.After)+len(r.AfterStart) > 0 {
		if p.dependencies(i, pl) > p.now {
			pl.Reason = ReasonDependency
			p.waiting = append(p.waiting, i)
			return false
		}
		pl.WaitsFor = nil // of several one was enough
	}
	switch {
	case r.Begin > p.now:
		pl.Reason = ReasonBegin
		pl.WaitsFor = append(pl.WaitsFor, Wait{Kind: WaitBegin, Job: -1, Until: r.Begin})
		p.waiting = append(p.waiting, i)
		return false
	case r.Reservation != "":
		if first, at := p.opens(k); at > p.now {
			pl.Reason = ReasonReservation
			pl.WaitsFor = append(pl.WaitsFor, Wait{Kind: WaitReservation, Job: -1, Name: p.Reservations[first].Name, Until: at})
			p.waiting = append(p.waiting, i)
			return false
		}
	}
	if p.gate != nil {
		if word := p.gate.Check(r.Job); word != "" {
			pl.Reason = word
			pl.WaitsFor = append(pl.WaitsFor, Wait{Kind: WaitLimit, Job: -1, Name: word})
			if p.mayPass(i) {
				p.waiting = append(p.waiting, i)
			} else if p.limits != nil {
				p.aboveLimits(i)
			}
			return false
		}
	}
	return true
}

// find is the earliest start of a request, in its own bounds of time. A job that accepts less than its
// walltime is looked for with the least.
func (p *planner) find(i int, after, before int64) (fit, bool) {
	r, a := &p.requests[i], &p.ask[i]
	if r.Deadline > 0 {
		before = min(before, r.Deadline-min(a.least, r.Deadline)+1)
	}
	f, ok := p.earliest(i, after, before, a.least)
	return p.within(i, f, ok, after, before)
}

// seconds is how long a request runs that starts so: its limit, as far as its partition allows and, if it
// accepts less, as far as what it gets stays free and limits let it.
func (p *planner) seconds(i int, f fit) int64 {
	r, a := &p.requests[i], &p.ask[i]
	seconds := a.seconds
	if f.option.maxSeconds > 0 {
		seconds = min(seconds, f.option.maxSeconds)
	}
	if a.least == a.seconds {
		return min(seconds, a.seconds)
	}
	end := min(profile.End(f.start, seconds), p.freeUntil(i, f))
	if r.Deadline > 0 {
		end = min(end, r.Deadline)
	}
	end = min(end, p.insideUntil(f.option, f.start))
	least := min(a.least, seconds)
	return p.longest(i, f, least, max(end-f.start, least))
}

// settle places a request that could start from after on.
func (p *planner) settle(i int, f fit, by By, after int64) {
	pl := &p.schedule.Placements[i]
	pl.Start, pl.End, pl.By = f.start, profile.End(f.start, p.seconds(i, f)), by
	if p.limits != nil {
		p.limited(i, f, after)
	}
	p.put(i, f, pl.End)
	if p.limits != nil {
		p.limits.Add(&p.requests[i], pl.Partition, pl.Start, pl.End)
	}
}

func (p *planner) start(i int, f fit) {
	by := ByMain
	if p.passes(i) {
		by = ByBackfill
	}
	p.settle(i, f, by, p.now)
	p.schedule.Placements[i].Reason = ""
	p.schedule.Started = append(p.schedule.Started, p.requests[i].Job)
	if p.gate != nil {
		p.gate.Start(p.requests[i].Job)
	}
}

func (p *planner) reserve(i int, f fit, by By) {
	p.explain(i)
	p.settle(i, f, by, p.now)
	p.block(i)
}

// wait leaves a request to backfill and to the estimates.
func (p *planner) wait(i int) {
	p.explain(i)
	p.block(i)
	p.waiting = append(p.waiting, i)
}

// explain notes why a job that could start does not.
func (p *planner) explain(i int) {
	if pl := &p.schedule.Placements[i]; pl.Reason == "" {
		pl.Reason = ReasonResources
		if p.passes(i) {
			pl.Reason = ReasonPriority
		}
		p.busyTokens(i, pl)
	}
}

// busyTokens says which licences are short now.
func (p *planner) busyTokens(i int, pl *Placement) {
	for _, t := range p.kinds[p.ask[i].kind].tokens {
		steps := t.of.views[t.view].steps
		if steps.FreeDuring(p.now, p.now+1) >= t.count {
			continue
		}
		if t.elsewhere() {
			pl.Reason = ReasonLicense
			pl.WaitsFor = append(pl.WaitsFor, Wait{Kind: WaitElsewhere, Job: -1, Name: t.of.name})
			continue
		}
		until, _ := steps.FirstFit(p.now, Forever, 1, t.count)
		w := Wait{Kind: WaitLicense, Job: -1, Name: t.of.name, Until: until}
		if pl.Reason = ReasonLicense; t.of.array {
			w.Kind, w.Name, pl.Reason = WaitLimit,
				fmt.Sprintf("of %s of array %s at a time", Count(t.of.total, "task"), t.of.name), ReasonArray
		}
		pl.WaitsFor = append(pl.WaitsFor, w)
	}
}

// passes reports that an earlier job waits for nodes that this one may use.
func (p *planner) passes(i int) bool {
	for _, o := range p.kinds[p.ask[i].kind].options {
		for _, c := range o.cells {
			if p.blocked[c.class] {
				return true
			}
		}
	}
	return false
}

func (p *planner) block(i int) {
	for _, o := range p.kinds[p.ask[i].kind].options {
		for _, c := range o.cells {
			p.blocked[c.class] = true
		}
	}
}

// noTime says why no time was found for a request that fits an idle cluster.
func (p *planner) noTime(i int) {
	pl := &p.schedule.Placements[i]
	k := p.kinds[p.ask[i].kind]
	down := len(k.options) > 0
	for o := range k.options {
		down = down && k.options[o].down
	}
	r := &p.requests[i]
	switch {
	case down:
		pl.Reason = ReasonDown
		pl.WaitsFor = append(pl.WaitsFor, Wait{Kind: WaitNodeState, Job: -1, Name: p.partitions[k.options[0].partition].Name})
	case p.lacksNodes(i):
		pl.Reason = ReasonNodes
		pl.WaitsFor = append(pl.WaitsFor, Wait{Kind: WaitNodeState, Job: -1, Nodes: p.downNodes(k)})
	case slices.ContainsFunc(k.tokens, func(t tokenWant) bool { return t.elsewhere() }):
		p.explain(i)
	case r.Deadline > 0:
		pl.Reason = ReasonDeadline
		pl.Never = fmt.Sprintf("jobs before it leave no %s free before its deadline", duration(p.ask[i].least))
	case p.before < Forever:
		pl.Reason = ReasonWindow
	case p.beyond(k, pl):
		pl.Reason = ReasonWindow
	default:
		p.explain(i)
		if nodes := p.unknownNodes(k); len(nodes) > 0 {
			p.endless(pl, nodes)
		}
	}
}

// endless names the jobs that have nodes without an end, and the nodes for which no input says who has them.
func (p *planner) endless(pl *Placement, nodes []int32) {
	rest := slices.Clone(nodes)
	for i, end := range p.ends {
		if end < Forever {
			continue
		}
		w := Wait{Kind: WaitRunning, Job: p.requests[i].Job}
		for _, s := range p.schedule.Placements[i].Nodes {
			if slices.Contains(nodes, s.Node) {
				w.Nodes = append(w.Nodes, s.Node)
				rest = slices.DeleteFunc(rest, func(n int32) bool { return n == s.Node })
			}
		}
		if len(w.Nodes) > 0 {
			pl.WaitsFor = append(pl.WaitsFor, w)
		}
	}
	if len(rest) > 0 {
		pl.WaitsFor = append(pl.WaitsFor, Wait{Kind: WaitNodeState, Job: -1, Nodes: rest})
	}
}

// unknownNodes are those that are in use without an end that is known.
func (p *planner) unknownNodes(k *kind) (nodes []int32) {
	for _, o := range k.options {
		for _, c := range o.cells {
			for _, n := range p.classes[c.class].nodes {
				if p.held[n] >= Forever {
					nodes = append(nodes, n)
				}
			}
		}
	}
	slices.Sort(nodes)
	return slices.Compact(nodes)
}

// lacksNodes reports a request that fits only with nodes that are down.
func (p *planner) lacksNodes(i int) bool {
	a := &p.ask[i]
	k := p.kinds[a.kind]
	for n := range k.options {
		o := &k.options[n]
		up := make([]int64, len(o.cells))
		for c := range o.cells {
			if p.classes[o.cells[c].class].up {
				up[c] = o.cells[c].size
			}
		}
		if o.enough(o.want(k, a), up) {
			return false
		}
	}
	return true
}

func (p *planner) downNodes(k *kind) (nodes []int32) {
	for _, o := range k.options {
		for _, c := range o.cells {
			if !p.classes[c.class].up {
				nodes = append(nodes, p.classes[c.class].nodes...)
			}
		}
	}
	slices.Sort(nodes)
	return slices.Compact(nodes)
}

// inOrder is the plan without backfill: nothing starts before a job that was considered earlier and may
// use the same nodes.
func (p *planner) inOrder(i int) {
	f, ok := p.find(i, p.fenced(i, p.now), p.before)
	if !ok {
		p.noTime(i)
		return
	}
	if f.start == p.now {
		p.start(i, f)
		return
	}
	p.reserve(i, f, ByEstimate)
	p.raiseFence(i, f.start)
}

// fenced is the first time from after on at which the job overtakes none that was considered before it and may use
// the same nodes.
func (p *planner) fenced(i int, after int64) int64 {
	for _, o := range p.kinds[p.ask[i].kind].options {
		for _, c := range o.cells {
			after = max(after, p.fence[c.class])
		}
	}
	return after
}

// raiseFence keeps others from starting before a request.
func (p *planner) raiseFence(i int, start int64) {
	for _, o := range p.kinds[p.ask[i].kind].options {
		for _, c := range o.cells {
			p.fence[c.class] = max(p.fence[c.class], start)
		}
	}
}

// choose starts those of the candidates that the algorithm picks; the others keep waiting.
func (p *planner) choose(candidates []int) {
	if len(candidates) == 0 {
		return
	}
	order := slices.Clone(candidates)
	if p.settings.Algorithm == "greedy" {
		if order = p.best(candidates); p.stopped != nil {
			return
		}
		for _, i := range candidates { // whoever the search had no time for
			if !slices.Contains(order, i) {
				order = append(order, i)
			}
		}
	}
	if p.settings.Algorithm == "bestfit" {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p.metric(b), p.metric(a)) })
	}
	refused := map[int]bool{}
	for _, i := range order {
		if f, ok := p.find(i, p.now, p.now+1); ok {
			if refused[i] = !p.allowed(i); !refused[i] {
				p.start(i, f)
			}
		}
	}
	for _, i := range candidates {
		if p.schedule.Placements[i].By == ByNone && !refused[i] {
			p.wait(i)
		}
	}
}

// allowed asks the gate once more: others have started since.
func (p *planner) allowed(i int) bool {
	if p.gate == nil {
		return true
	}
	word := p.gate.Check(p.requests[i].Job)
	if word != "" {
		p.schedule.Placements[i].Reason = word
		p.schedule.Placements[i].WaitsFor = []Wait{{Kind: WaitLimit, Job: -1, Name: word}}
	}
	return word == ""
}

// metric is what backfill counts of a job.
func (p *planner) metric(i int) int64 {
	r, a := &p.requests[i], &p.ask[i]
	k := p.kinds[a.kind]
	procs, nodes := max(r.Tasks, a.size)*max(amount(r.PerTask.Procs), 1), max(r.Nodes, 1)
	if k.fixed {
		nodes = a.size
		procs = max(max(r.Tasks, a.size)*k.task[dimProcs]+a.size*k.base[dimProcs], procs)
	}
	switch p.settings.Metric {
	case "nodes":
		return nodes
	case "seconds":
		return a.seconds
	case "proc_seconds":
		if a.seconds > Forever/max(procs, 1) {
			return Forever
		}
		return procs * a.seconds
	}
	return procs
}

func (p *planner) tell() {
	p.done++
	if p.watch != nil && p.done%64 == 0 {
		p.stopped = p.watch(p.done, p.total())
	}
}

// total is how many requests are considered, those that get estimates twice, unless a pass before has considered them.
func (p *planner) total() int {
	if p.passed {
		return len(p.waiting)
	}
	return len(p.requests) - len(p.ends) + len(p.waiting)
}
