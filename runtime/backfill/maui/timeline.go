package maui

import (
	"slices"
	"sort"
)

// timeline is what is free of a node from each time on, by the reservations of jobs: those that run, and those that
// are kept. The first step begins now.
type timeline []step

type step struct {
	at   int64
	free amounts
}

// at is the index of the step in force at a time.
func (p timeline) at(t int64) int {
	if len(p) == 1 || t < p[1].at {
		return 0
	}
	return sort.Search(len(p), func(k int) bool { return p[k].at > t }) - 1
}

// split makes a step begin at a time and returns its index.
func (p *timeline) split(t int64) int {
	k := p.at(t)
	if (*p)[k].at >= t {
		return k
	}
	*p = slices.Insert(*p, k+1, step{at: t, free: (*p)[k].free.clone()})
	return k + 1
}

// change takes tasks of a job during a time (sign -1), or gives them back.
func (p *timeline) change(from, to int64, j *demand, tasks, sign int64) {
	if from = max(from, (*p)[0].at); to <= from {
		return
	}
	first := p.split(from)
	last := len(*p)
	if to < forever {
		last = p.split(to)
	}
	for k := first; k < last; k++ {
		(*p)[k].free.add(j, tasks, sign)
	}
	p.join(max(1, first), last)
}

// occupy takes slots of a class until a time, for a job that runs.
func (p *timeline) occupy(to int64, class int, tasks int64) {
	if (*p)[0].free.slots == nil || class < 0 {
		return
	}
	last := len(*p)
	if to < forever {
		last = p.split(to)
	}
	for k := range last {
		(*p)[k].free.slots[class] -= tasks
	}
	p.join(1, last)
}

// join removes the steps of a range that no longer differ from the ones before them, so that a reservation that is
// made and released leaves nothing.
func (p *timeline) join(first, last int) {
	for k := min(last, len(*p)-1); k >= first; k-- {
		if same(&(*p)[k].free, &(*p)[k-1].free) {
			*p = slices.Delete(*p, k, k+1)
		}
	}
}

func same(a, b *amounts) bool {
	return a.procs == b.procs && a.mem == b.mem && a.swap == b.swap && a.disk == b.disk &&
		slices.Equal(a.slots, b.slots) && slices.Equal(a.gres, b.gres)
}
