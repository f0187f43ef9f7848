package maui

import (
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/backfill/profile"
)

// layout says which amounts of nodes are looked at: processors, memory, swap, disk, generic resources, slots of
// classes, whether the node is somebody's alone, how many jobs it has and, where each job may have one task, that one.
type layout struct {
	gres    int
	classes []string
	matter  []int            // places in the whole list
	users   map[string]int32 // their numbers; nil where they do not matter
}

// plentiful is the amount of what does not bound anybody.
const plentiful = int64(1) << 30

func (p *Planner) layout(list []int32) *layout {
	l := &layout{classes: make([]string, len(p.classes))}
	for name, at := range p.classes {
		l.classes[at] = name
	}
	slots := false
	var has [3]bool // alone, jobs, one task
	for i := range p.nodes {
		n := &p.nodes[i]
		l.gres = max(l.gres, len(n.Capacity.Gres))
		slots = slots || n.Classes != nil
		has[0] = has[0] || n.access >= singleJob
		has[1] = has[1] || n.limits != nil && n.limits.MaxJobs > 0
		has[2] = has[2] || n.access == singleTask
		if n.access == singleUser {
			l.users = map[string]int32{}
		}
	}
	has[0] = has[0] || p.anyDedicated
	l.matter = []int{0}
	for d := 1; d < 4+l.gres; d++ {
		if slices.ContainsFunc(list, func(job int32) bool {
			return amountAt(&p.demand(job).per,
				d)+amountAt(&p.demand(job).base, d) > 0
		}) {
			l.matter = append(l.matter, d)
		}
	}
	for d := 4 + l.gres; d < 4+l.gres+len(l.classes) && slots; d++ {
		l.matter = append(l.matter, d)
	}
	for k, matters := range has {
		if matters {
			l.matter = append(l.matter, 4+l.gres+len(l.classes)+k)
		}
	}
	return l
}

func amountAt(a *backfill.Amounts, dimension int) int64 {
	switch {
	case dimension == 0:
		return a.Procs
	case dimension == 1:
		return a.MemMB
	case dimension == 2:
		return a.SwapMB
	case dimension == 3:
		return a.DiskMB
	case dimension-4 < len(a.Gres):
		return a.Gres[dimension-4]
	}
	return 0
}

// capacity is what an empty node has.
func (l *layout) capacity(n *node) []int64 {
	out := make([]int64, len(l.matter))
	for i, d := range l.matter {
		switch rest := d - 4 - l.gres - len(l.classes); {
		case d == 0 && n.limits != nil && n.limits.MaxProcs > 0:
			out[i] = min(n.Capacity.Procs, n.limits.MaxProcs)
		case d < 4+l.gres:
			out[i] = amountAt(&n.Capacity, d)
		case rest < 0 && n.Classes != nil:
			out[i] = n.Classes[l.classes[d-4-l.gres]]
		case rest == 1 && n.limits != nil && n.limits.MaxJobs > 0:
			out[i] = n.limits.MaxJobs
		case rest == 2 && n.access == singleTask:
			out[i] = 1
		default:
			out[i] = plentiful
		}
	}
	return out
}

// part is what so many tasks of a reservation take.
func (l *layout) part(per *backfill.Amounts, tasks int64) []int64 {
	out := make([]int64, len(l.matter))
	for i, d := range l.matter {
		out[i] = amountAt(per, d) * tasks
	}
	return out
}

// wants are what a job takes of each of its nodes, and for each task.
func (l *layout) wants(j *Job, d *demand) (base, task []int64) {
	base, task = make([]int64, len(l.matter)), make([]int64, len(l.matter))
	for i, at := range l.matter {
		switch rest := at - 4 - l.gres - len(l.classes); {
		case at < 4+l.gres:
			base[i], task[i] = amountAt(&d.base, at), amountAt(&d.per, at)
		case rest < 0:
			if at-4-l.gres == d.class {
				task[i] = 1
			}
		case rest == 0 && j.Dedicated:
			base[i] = plentiful
		case rest < 2:
			base[i] = 1
		default:
			task[i] = 1
		}
	}
	return base, task
}

// span is what a job takes of a node for a time.
func (l *layout) span(n *node, j *Job, d *demand, tasks, from, to int64) profile.Span {
	s := profile.Span{From: from, To: to, User: l.user(j.User)}
	if n.access >= singleJob {
		s.Amounts = l.capacity(n)
		return s
	}
	base, task := l.wants(j, d)
	for i := range base {
		base[i] += task[i] * tasks
	}
	s.Amounts = base
	return s
}

// user numbers users, where they matter.
func (l *layout) user(name string) int32 {
	if l.users == nil {
		return 0
	}
	id, ok := l.users[name]
	if !ok {
		id = int32(len(l.users)) + 1
		l.users[name] = id
	}
	return id
}
