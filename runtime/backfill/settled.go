package backfill

import (
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill/profile"
	"github.com/fairway-sched/fairway/runtime/program"
)

// settled is a planner in which jobs are where a schedule has them. Whoever asks about one job after the other in the
// order of the queue enters each of them once.
type settled struct {
	planner *planner
	place   []int // by request of the schedule: its place in the planner; -1 if it is not in it
	entered int   // requests before that are entered if they start later
}

// Who a planner is settled for: which of the jobs that start later keep their times whatever he asks for.
const (
	forEstimates    = iota // reservations, and what was considered before
	forReservations        // what was considered before
	forShowstart           // reservations
	forProjection          // reservations, on the nodes that they have
)

// settle is a planner for a request that waits, with everything entered that keeps its time, and its place there.
func (s *Schedule) settle(at int) (*planner, int, error) {
	whom := forEstimates
	if s.Placements[at].By == ByReservation {
		whom = forReservations
	}
	t := s.settled[whom]
	if t == nil || t.entered > at {
		settings := &program.NativePlan{Algorithm: "firstfit"}
		if s.settings != nil {
			settings = s.settings
		}
		var err error
		if t, err = s.newSettled(settings, whom); err != nil {
			return nil, 0, err
		}
	}
	for ; t.entered < at; t.entered++ {
		if by := s.Placements[t.entered].By; by == ByReservation && whom == forEstimates {
			continue // from the beginning
		}
		t.enter(s, t.entered)
	}
	return t.planner, t.place[at], nil
}

// Earliest is the first time from after on at which a request that has no place of its own fits around what runs,
// starts now or is reserved, and the partition in which it does.
func (s *Schedule) Earliest(at int, after int64) (start int64, partition string, ok bool) {
	t := s.settled[forShowstart]
	if t == nil {
		s.Detail()
		var err error
		if t, err = s.newSettled(&program.NativePlan{Algorithm: "firstfit"}, forShowstart); err != nil {
			return 0, "", false
		}
	}
	p, i := t.planner, t.place[at]
	f, ok := p.find(i, max(after, p.now, p.requests[i].Begin), Forever)
	if !ok {
		return 0, "", false
	}
	if f.option.partition >= 0 {
		partition = p.partitions[f.option.partition].Name
	}
	return f.start, partition, true
}

// newSettled enters what runs and what starts now, and reservations with who they are kept for.
func (s *Schedule) newSettled(settings *program.NativePlan, whom int) (*settled, error) {
	t, count := s.placesIn()
	nodes := newMachine(s.Cluster, s.Requests)
	requests := s.Requests
	if whom != forProjection || !slices.IsSorted(t.place) || count < len(requests) { // else they are the plan's own
		requests = make([]Request, count)
	}
	for i, at := range t.place {
		if at < 0 {
			continue
		}
		r, pl := &requests[at], &s.Placements[i]
		if r != &s.Requests[i] {
			*r = s.Requests[i]
		}
		if len(r.TaskIDs) > 1 {
			r.TaskIDs = r.TaskIDs[:1] // a placement is one job's
		}
		if !s.hasNodes(pl) {
			continue
		}
		t.place[i] = -1
		if pl.By != ByRunning {
			r.Start, r.End = max(pl.Start, 1), pl.End
		}
		if len(pl.Nodes) > 0 {
			r.Allocated = pl.Nodes
		}
		if pl.Partition != "" {
			r.Partitions = []string{pl.Partition}
		}
	}
	p, err := newPlannerOn(nodes, requests, settings, nil, s.Now)
	if err != nil {
		return nil, err
	}
	p.linear, p.byNode = whom != forProjection, whom == forProjection
	p.makePools()
	p.running()
	t.planner = p
	for i := range s.Placements {
		if s.Placements[i].By == ByReservation && whom != forReservations {
			t.enter(s, i)
		}
	}
	s.settled[whom] = t
	return t, nil
}

// hasNodes reports a job that runs or starts now.
func (s *Schedule) hasNodes(pl *Placement) bool {
	return pl.By == ByRunning || pl.By != ByNone && pl.Start <= s.Now
}

// placesIn gives each request its place in a planner, those that have nodes now before the others, and counts them. One
// that runs it is not known where has none.
func (s *Schedule) placesIn() (t *settled, count int) {
	t = &settled{place: make([]int, len(s.Requests))}
	for _, now := range [...]bool{true, false} {
		for i := range s.Requests {
			switch pl := &s.Placements[i]; {
			case s.hasNodes(pl) != now:
			case pl.By == ByRunning && !s.Requests[i].runs():
				t.place[i] = -1
			default:
				t.place[i] = count
				count++
			}
		}
	}
	return t, count
}

// enter takes what a job that starts later has, node by node.
func (t *settled) enter(s *Schedule, at int) {
	p, i, pl := t.planner, t.place[at], &s.Placements[at]
	if i < 0 || pl.By == ByNone || pl.Start <= s.Now {
		return
	}
	r := p.schedule.Requests[i]
	if pl.Partition != "" {
		r.Partitions = []string{pl.Partition}
	}
	k := p.kinds[p.ask[i].kind]
	until := p.ceil(pl.End)
	p.useTokens(k.tokens, k.admits, pl.Start, until)
	base, task := p.dims.wants(&r, p.alone(&r))
	for _, s := range pl.Nodes {
		c := p.classOf[s.Node]
		q := p.pools[p.machine.classes[c].pool]
		if !q.shared {
			p.count([]take{{c, 1}}, p.floor(pl.Start), until, 1)
			continue
		}
		if !p.machine.classes[c].up {
			continue
		}
		local := p.local[s.Node]
		amounts := q.project(p.dims.has(base, task, s))
		if p.Nodes[s.Node].Sharing == SingleJob {
			amounts = q.capacity[local]
		}
		for _, view := range q.views {
			p.span(view, local, k.admits, profile.Span{From: p.floor(pl.Start), To: until, Amounts: amounts, User: p.userOf(&r),
				Private: p.sharing(&r) == SingleUser})
		}
	}
}
