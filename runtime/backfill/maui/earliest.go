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
}

// starts are the times of a partition from which on there is room for a job, without regard to how nodes are chosen. Visit
// ends them by returning false.
func (p *Planner) starts(j *Job, partition int32, visit func(at int64) bool) {
	list := p.changes(j, partition)
	tasks, nodes := int64(0), int64(0)
	for k := 0; k < len(list); {
		at := list[k].at
		more := false
		for ; k < len(list) && list[k].at == at; k++ {
			tasks, nodes = tasks+list[k].tasks, nodes+list[k].nodes
			more = more || list[k].tasks > 0
		}
		if more && tasks >= j.Tasks && nodes >= j.Nodes && !visit(at) {
			return
		}
	}
}

// changes are those of all nodes of a partition, in time. Nodes that drain do not count (recorded: n12).
func (p *Planner) changes(j *Job, partition int32) []change {
	list := p.events[:0]
	for _, k := range p.inPartition[partition] {
		n := &p.nodes[k]
		if n.readiness != ready || !p.suits(n, j) {
			continue
		}
		list = p.nodeChanges(n, j, list)
	}
	slices.SortFunc(list, func(a, b change) int { return cmp.Compare(a.at, b.at) })
	p.events = list
	return list
}

// nodeChanges: a job that begins at t has the least room of all spans between t and its end. That grows where a
// span begins, and shrinks as soon as the job's end reaches one with less room; a gap that is exactly as long as the job
// is too short (recorded: b04-respolicy-highest).
func (p *Planner) nodeChanges(n *node, j *Job, list []change) []change {
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
	before, k := int64(0), 0
	for _, t := range times {
		for k+1 < len(spans) && spans[k+1].start <= t {
			k++
		}
		tasks := spans[k].tasks
		for i := k + 1; i < len(spans) && spans[i].start <= t+j.WalltimeSeconds && tasks > 0; i++ {
			tasks = min(tasks, spans[i].tasks)
		}
		if t == p.now {
			now := n.freeNow()
			tasks = min(tasks, now.tasks(p.demand(j.Job)))
		}
		tasks = p.shaped(n, j, tasks)
		if tasks == before {
			continue
		}
		c := change{at: t, tasks: tasks - before}
		switch {
		case before == 0:
			c.nodes = 1
		case tasks == 0:
			c.nodes = -1
		}
		list = append(list, c)
		before = tasks
	}
	return list
}

// earliest finds where and when a job can begin first, whoever waits before it: the partition with the earliest time, of
// equal ones the first; and there the first time at which its nodes can be chosen. ok is false if there is none.
func (p *Planner) earliest(j *Job) (at int64, partition int32, nodes []backfill.Share, ok bool) {
	best := int32(-1)
	for k := range p.partitions {
		if !p.allowed(j, int32(k)) {
			continue
		}
		p.starts(j, int32(k), func(t int64) bool {
			if best < 0 || t < at {
				at, best = t, int32(k)
			}
			return false
		})
	}
	if best < 0 {
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
