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
	opens        bool // there may be licences that were in use before
}

// starts are the times of a partition from which on there is room for a job, without regard to how nodes are chosen. Visit
// ends them by returning false.
func (p *Planner) starts(j *Job, partition int32, visit func(at int64) bool) {
	sky := p.skyline(j, partition)
	rising, own, opens := sky.rising, p.changes(j, sky.others), p.openings(j)
	least := p.demand(j.Job).nodes
	tasks, nodes := int64(0), int64(0)
	for len(rising)+len(own)+len(opens) > 0 {
		at := forever
		for _, list := range [...][]change{rising, own, opens} {
			if len(list) > 0 {
				at = min(at, list[0].at)
			}
		}
		more := false
		for _, list := range [...]*[]change{&rising, &own, &opens} {
			for len(*list) > 0 && (*list)[0].at == at {
				c := &(*list)[0]
				tasks, nodes, more = tasks+c.tasks, nodes+c.nodes, more || c.tasks > 0 || c.opens
				*list = (*list)[1:]
			}
		}
		if !more || tasks < j.Tasks || nodes < least {
			continue
		}
		if _, licensed := p.licensed(j, at, at+1); licensed && !visit(at) {
			return
		}
	}
}

// soonest is the first of the starts of all partitions; of equal ones that of the first.
func (p *Planner) soonest(j *Job) (at int64, partition int32, ok bool) {
	for k := range p.partitions {
		if !p.allowed(j, int32(k)) {
			continue
		}
		p.starts(j, int32(k), func(t int64) bool {
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
		_, _, _, ok = p.earliest(j)
	}
	return ok
}

// changes are those of some nodes, in time.
func (p *Planner) changes(j *Job, nodes []int32) []change {
	list := p.events[:0]
	for _, k := range nodes {
		list = p.nodeChanges(&p.nodes[k], j, list)
	}
	slices.SortFunc(list, func(a, b change) int { return cmp.Compare(a.at, b.at) })
	p.events = list
	return list
}

// nodeChanges: a job that begins at t has the least room of all spans between t and its end. That grows where a
// span begins, and shrinks as soon as the job's end reaches one with less room; a gap that is exactly as long as the job
// is too short (recorded: b04-respolicy-highest).
func (p *Planner) nodeChanges(n *node, j *Job, list []change) []change {
	if slices.ContainsFunc(n.standing, func(s *piece) bool { return s.limits(j) }) {
		return p.changesByStart(n, j, list)
	}
	spans := p.spans(n, j, p.demand(j.Job), p.now, p.buffer[:0])
	p.buffer = spans
	times := p.times[:0]
	for k := range spans {
		times = append(times, spans[k].start)
		if t := spans[k].start - j.WalltimeSeconds; k > 0 && t > p.now && spans[k].tasks < spans[k-1].tasks {
			times = append(times, t)
		}
	}
	slices.Sort(times)
	times = slices.Compact(times)
	p.times = times
	steps := growth{list: list}
	k := 0
	for _, t := range times {
		for k+1 < len(spans) && spans[k+1].start <= t {
			k++
		}
		steps.add(t, p.startRoom(n, j, spans[k:], t))
	}
	return steps.list
}

// changesByStart are the changes of a node with a reservation that admits the job at some times alone: what there is room for is
// looked up for each time at which that may change.
func (p *Planner) changesByStart(n *node, j *Job, list []change) []change {
	times := slices.Clone(p.moments(n, p.now))
	for _, s := range n.standing {
		if times = append(times, s.start+s.limit+1); s.end < forever {
			times = append(times, s.end-s.limit)
		}
	}
	for _, t := range slices.Clone(times) {
		times = append(times, t-j.WalltimeSeconds)
	}
	slices.Sort(times)
	steps := growth{list: list}
	for _, t := range slices.Compact(times) {
		if t >= p.now {
			p.buffer = p.spans(n, j, p.demand(j.Job), t, p.buffer[:0])
			steps.add(t, p.startRoom(n, j, p.buffer, t))
		}
	}
	return steps.list
}

// startRoom is how many tasks of a job have room that begins at a time, which lies in the first of the spans.
func (p *Planner) startRoom(n *node, j *Job, spans []span, t int64) int64 {
	tasks := spans[0].tasks
	for i := 1; i < len(spans) && spans[i].start <= t+j.WalltimeSeconds && tasks > 0; i++ {
		tasks = min(tasks, spans[i].tasks)
	}
	if t == p.now {
		now := n.freeNow()
		tasks = min(tasks, now.tasks(p.demand(j.Job)))
	}
	return p.shaped(n, j, tasks)
}

// growth lists changes of a node, as the room at one time after the other becomes known.
type growth struct {
	list   []change
	before int64
}

func (g *growth) add(t, tasks int64) {
	if tasks == g.before {
		return
	}
	c := change{at: t, tasks: tasks - g.before}
	switch {
	case g.before == 0:
		c.nodes = 1
	case tasks == 0:
		c.nodes = -1
	}
	g.list, g.before = append(g.list, c), tasks
}

// earliest finds where and when a job can begin first, whoever waits before it: the partition with the earliest time, of
// equal ones the first; and there the first time at which its nodes can be chosen. ok is false if there is none.
func (p *Planner) earliest(j *Job) (at int64, partition int32, nodes []backfill.Share, ok bool) {
	_, best, ok := p.soonest(j)
	if !ok {
		return 0, 0, nil, false
	}
	var times []int64
	p.starts(j, best, func(t int64) bool {
		times = append(times, t)
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
