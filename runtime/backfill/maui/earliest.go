package maui

import (
	"cmp"
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// change is a moment from which on a job that begins has more or fewer tasks' room on one node.
type change struct {
	at           int64
	tasks, nodes int64
	node         int32
	opens        bool // there may be licences that were in use before
	turn         turn
	anew         bool // another gap goes on with no more room, and is looked at too (observed in recordings: N100)
}

// turn orders changes of one moment: room that is there for the moment alone comes first and goes last. To a job with a
// reservation it adds up only after the room of other gaps that end then has gone; before that, each node's room of the
// moment meets these gaps by itself, and only where the node had none before (observed in whole simulations,
// RESERVATIONPOLICY HIGHEST: 10,581 changes of reservations).
type turn int8

const (
	comes turn = iota - 1
	inNodes
	alone
	goes
)

// starts are the times of a partition from which on there is room for a job, without regard to how nodes are chosen;
// choosing is for the choice of the partition alone. Visit ends them by returning false.
func (p *Planner) starts(j *Job, partition int32, choosing bool, visit func(at int64) bool) {
	if !p.holds(j, partition) {
		return
	}
	sky := p.skyline(j, partition)
	lists := [...][]change{sky.rising, p.changes(j, sky.others, choosing), p.openings(j)}
	least := p.demand(j.Job).nodes
	tasks, nodes := int64(0), int64(0)
	for {
		at := forever
		for _, list := range lists {
			if len(list) > 0 {
				at = min(at, list[0].at)
			}
		}
		if at == forever {
			return
		}
		p.tied = p.tied[:0]
		for k := range lists {
			for len(lists[k]) > 0 && lists[k][0].at == at {
				p.tied = append(p.tied, lists[k][0])
				lists[k] = lists[k][1:]
			}
		}
		slices.SortStableFunc(p.tied, inTurn)
		enough, anew := false, false
		for i := range p.tied {
			c := &p.tied[i]
			tasks, nodes = tasks+c.tasks, nodes+c.nodes
			enough = enough || (c.tasks > 0 || c.opens) && tasks >= j.Tasks && nodes >= least
			anew = anew || c.anew
		}
		if !enough && !(anew && tasks >= j.Tasks && nodes >= least) {
			continue
		}
		if _, licensed := p.licensed(j, at, at+1); licensed && !visit(at) {
			return
		}
	}
}

// inTurn is the order of changes at one moment: those of the last node first. So where the gap of one node begins as
// that of another ends, a job can begin that needs both if the one that begins is of the later node (seen in
// recordings alone: b04-respolicy-highest, and the random queues on unlike nodes).
func inTurn(a, b change) int {
	return cmp.Or(cmp.Compare(a.turn, b.turn), cmp.Compare(b.node, a.node))
}

// soonest is the first of the starts of all partitions; of equal ones that of the first.
func (p *Planner) soonest(j *Job) (at int64, partition int32, ok bool) {
	for k := range p.partitions {
		if !p.allowed(j, int32(k)) {
			continue
		}
		p.starts(j, int32(k), true, func(t int64) bool {
			if !ok || t < at {
				at, partition, ok = t, int32(k), true
			}
			return false
		})
	}
	return at, partition, ok
}

// possible reports a job for which earliest finds a time.
func (p *Planner) possible(j *Job) bool {
	at, partition, ok := p.soonest(j)
	if ok && (at == p.now || !p.plain(j, partition)) {
		_, _, _, ok = p.earliest(j, p.now)
	}
	return ok
}

// changes are those of some nodes, in time.
func (p *Planner) changes(j *Job, nodes []int32, choosing bool) []change {
	list := p.events[:0]
	for _, k := range nodes {
		list = p.nodeChanges(&p.nodes[k], j, choosing, list)
	}
	slices.SortStableFunc(list, func(a, b change) int { return cmp.Compare(a.at, b.at) })
	p.events = list
	return list
}

// nodeChanges are the times from which on a node has more or less room for a job.
func (p *Planner) nodeChanges(n *node, j *Job, choosing bool, list []change) []change {
	if slices.ContainsFunc(n.standing, func(s *piece) bool { return s.limits(j) }) {
		return p.changesByStart(n, j, choosing, list)
	}
	p.buffer = p.spans(n, j, p.demand(j.Job), p.now, p.buffer[:0])
	p.gaps = gaps(p.buffer, j.WalltimeSeconds, p.least(n, j), choosing, p.gaps[:0])
	times := p.times[:0]
	for _, g := range p.gaps {
		times = append(times, g.from, g.to)
	}
	slices.Sort(times)
	p.times = slices.Compact(times)
	steps := growth{list: list, node: n.index}
	for _, t := range p.times {
		p.change(&steps, n, j, t)
	}
	return steps.list
}

// change notes how the room of a node changes at a time, by its gaps.
func (p *Planner) change(steps *growth, n *node, j *Job, t int64) {
	after, moment := int64(0), int64(0)
	steps.anew = false
	for _, g := range p.gaps {
		steps.anew = steps.anew || g.from == t
		switch {
		case g.from <= t && t < g.to:
			after = max(after, g.tasks)
		case g.from <= t && t == g.to: // one that began before is new where a reservation admits the job from now on
			moment = max(moment, g.tasks)
		}
	}
	after = p.shaped(n, j, after, false)
	if moment = p.shaped(n, j, moment, false); moment > max(after, steps.before) {
		in := comes // it meets the last moment of other gaps (rules.md P82)
		if p.reserved[j.Job] != nil {
			if steps.before == 0 {
				steps.add(t, moment, inNodes)
			}
			steps.add(t, after, inNodes)
			in = alone
		}
		steps.add(t, moment, in)
		steps.add(t, after, goes)
		return
	}
	steps.add(t, after, inNodes)
}

// changesByStart are the changes of a node with a reservation that admits the job at some times alone: what there is
// room for is looked up for each time at which that may change.
func (p *Planner) changesByStart(n *node, j *Job, choosing bool, list []change) []change {
	times := slices.Clone(p.moments(n, p.now))
	for _, s := range n.standing {
		if times = append(times, s.start+s.limit+1); s.end < forever {
			times = append(times, s.end-s.limit)
		}
	}
	for _, t := range slices.Clone(times) {
		times = append(times, t-j.WalltimeSeconds, t-j.WalltimeSeconds+1)
	}
	slices.Sort(times)
	steps := growth{list: list, node: n.index}
	for _, t := range slices.Compact(times) {
		if t >= p.now {
			p.buffer = p.spans(n, j, p.demand(j.Job), t, p.buffer[:0])
			p.gaps = gaps(p.buffer, j.WalltimeSeconds, p.least(n, j), choosing, p.gaps[:0])
			p.change(&steps, n, j, t)
		}
	}
	return steps.list
}

// growth lists changes of a node, as the room at one time after the other becomes known.
type growth struct {
	list   []change
	node   int32
	before int64
	anew   bool // a gap begins
}

func (g *growth) add(t, tasks int64, in turn) {
	anew := g.anew && tasks > 0 && tasks <= g.before
	if tasks == g.before && !anew || t == forever {
		return
	}
	c := change{at: t, tasks: tasks - g.before, node: g.node, turn: in, anew: anew}
	switch {
	case g.before == 0 && tasks > 0:
		c.nodes = 1
	case tasks == 0:
		c.nodes = -1
	}
	g.list, g.before = append(g.list, c), tasks
}

// earliest finds where and when a job can begin first at a time or later, whoever waits before it: the partition with
// the earliest time, of equal ones the first; and there the first time at which its nodes can be chosen (rules.md
// P38). One whose start was put off is sought from the next second on (maui.md §9 P25, rules.md P70). ok is false if
// there is none.
func (p *Planner) earliest(j *Job, from int64) (at int64, partition int32, nodes []backfill.Share, ok bool) {
	_, best, ok := p.soonest(j)
	if !ok {
		return 0, 0, nil, false
	}
	if p.putOff[j.Job] {
		from = max(from, p.now+1)
	}
	var times []int64
	p.starts(j, best, false, func(t int64) bool {
		if t = max(t, from); len(times) == 0 || times[len(times)-1] < t {
			times = append(times, t)
		}
		return len(times) < maxStarts
	})
	for _, t := range times {
		if nodes = p.place(j, best, t, nil, true); nodes != nil {
			return t, best, nodes, true
		}
	}
	return 0, 0, nil, false
}

// maxStarts bounds the times at which nodes are looked for.
const maxStarts = 2048

// allowed reports a partition that a job may run in.
func (p *Planner) allowed(j *Job, partition int32) bool {
	return len(j.Partitions) == 0 || slices.Contains(j.Partitions, p.partitions[partition])
}
