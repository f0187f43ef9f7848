package gantt

import (
	"cmp"
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// fitting are the requests within the time shown that have room on their nodes, and the others: each estimate of
// Maui's is made without the others, a suspended job leaves its nodes to others, and of some jobs only the time is
// planned. What runs or is reserved has its room before estimates.
func (g *gantt) fitting() (fit, aside []int) {
	var order []int
	for i := range g.Schedule.Requests {
		if at := g.At(i); at.By != backfill.ByNone && at.Start < g.scale.to && max(at.End, at.Start+1) > g.scale.from {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(g.firmness(a), g.firmness(b)) })
	uses := make([]usage, len(g.Schedule.Cluster.Nodes))
	g.trimmed = map[int]part{}
	for _, i := range order {
		if !g.room(i, uses) {
			aside = append(aside, i)
			continue
		}
		fit = append(fit, i)
		from, to := g.during(i)
		for _, s := range g.At(i).Nodes {
			uses[s.Node].add(from, to, g.procsOn(i, s))
		}
	}
	return fit, aside
}

// mostTrimmed is how much of either end of a job may lie over another one: slurmctld plans in steps of bf_resolution,
// usually a minute, so that a job may be planned a little before its nodes are free.
const mostTrimmed = 600

// room finds out whether a job's nodes have room for it, if need be without a little of its ends.
func (g *gantt) room(i int, uses []usage) bool {
	at := g.At(i)
	if len(at.Nodes) == 0 {
		return false
	}
	free := func(from, to int64) bool {
		return from < to && !slices.ContainsFunc(at.Nodes, func(s backfill.Share) bool {
			return uses[s.Node].most(from, to)+g.procsOn(i, s) > g.capacity(s.Node)
		})
	}
	from, to := g.during(i)
	if free(from, to) {
		return true
	}
	most := min(mostTrimmed, (to-from)/4)
	begins, ends := []int64{from}, []int64{to}
	for _, s := range at.Nodes {
		begins = append(begins, uses[s.Node].changes(from, from+most)...)
		ends = append(ends, uses[s.Node].changes(to-most-1, to-1)...)
	}
	slices.Sort(begins)
	slices.Sort(ends)
	slices.Reverse(ends)
	for _, end := range slices.Compact(ends) {
		for _, begin := range slices.Compact(begins) {
			if free(begin, end) {
				g.trimmed[i] = part{begin, end}
				return true
			}
		}
	}
	return false
}

func (g *gantt) firmness(i int) int {
	switch by := g.At(i).By; {
	case g.Request(i).Suspended:
		return 4
	case by == backfill.ByRunning:
		return 0
	case by == backfill.ByEstimate:
		return 3
	case by == backfill.ByReservation:
		return 2
	}
	return 1
}

// usage is how many processors of a node are in use, from each time on.
type usage struct {
	times []int64
	procs []int64
}

// at is the place of the step that begins at a time, which it makes if there is none.
func (u *usage) at(time int64) int {
	k, found := slices.BinarySearch(u.times, time)
	if !found {
		before := int64(0)
		if k > 0 {
			before = u.procs[k-1]
		}
		u.times, u.procs = slices.Insert(u.times, k, time), slices.Insert(u.procs, k, before)
	}
	return k
}

// most is the most in use at any time from one to another.
func (u *usage) most(from, to int64) (procs int64) {
	k, found := slices.BinarySearch(u.times, from)
	if !found && k > 0 {
		k--
	}
	for ; k < len(u.times) && u.times[k] < to; k++ {
		procs = max(procs, u.procs[k])
	}
	return procs
}

// changes are the times after one time, up to another, at which the use changes.
func (u *usage) changes(after, to int64) []int64 {
	k, _ := slices.BinarySearch(u.times, after+1)
	end, _ := slices.BinarySearch(u.times, to+1)
	return u.times[k:max(k, end)]
}

func (u *usage) add(from, to, procs int64) {
	begin := u.at(from)
	end := u.at(to)
	for k := begin; k < end; k++ {
		u.procs[k] += procs
	}
}
