package maui

import "github.com/fairway-sched/fairway/runtime/backfill"

// amounts are what is free of a node, or taken. Slots are by class: tasks of each that the node
// takes; nil where only processors bound them.
type amounts struct {
	procs, mem, swap, disk int64
	slots, gres            []int64
}

// add gives back (sign 1) or takes (sign -1) so many tasks of a job.
func (a *amounts) add(j *demand, tasks, sign int64) {
	n := tasks * sign
	a.procs += n * j.per.Procs
	a.mem += n * j.per.MemMB
	a.swap += n * j.per.SwapMB
	a.disk += n * j.per.DiskMB
	if a.slots != nil && j.class >= 0 && j.class < len(a.slots) {
		a.slots[j.class] += n
	}
	for k := range j.per.Gres {
		if k < len(a.gres) {
			a.gres[k] += n * j.per.Gres[k]
		}
	}
}

// clone is a copy with slices of its own.
func (a *amounts) clone() amounts {
	out := *a
	if a.slots != nil {
		out.slots = append([]int64(nil), a.slots...)
	}
	if a.gres != nil {
		out.gres = append([]int64(nil), a.gres...)
	}
	return out
}

// demand is what each task of a job takes.
type demand struct {
	per   backfill.Amounts
	class int // index of its class; -1 where no node bounds it
}

// many is more tasks than any job has.
const many = int64(1) << 40

// tasks is how many tasks fit.
func (a *amounts) tasks(j *demand) int64 {
	n := many
	if j.per.Procs > 0 {
		n = min(n, a.procs/j.per.Procs)
	}
	if j.per.MemMB > 0 {
		n = min(n, a.mem/j.per.MemMB)
	}
	if j.per.SwapMB > 0 {
		n = min(n, a.swap/j.per.SwapMB)
	}
	if j.per.DiskMB > 0 {
		n = min(n, a.disk/j.per.DiskMB)
	}
	if a.slots != nil && j.class >= 0 {
		if j.class >= len(a.slots) {
			return 0
		}
		n = min(n, a.slots[j.class])
	}
	for k, g := range j.per.Gres {
		if g > 0 {
			if k >= len(a.gres) {
				return 0
			}
			n = min(n, a.gres[k]/g)
		}
	}
	return max(0, n)
}

// serves reports a node that has a slot of a job's class left. How many it has does not count when jobs start (recorded:
// n05), only when reservations are made.
func (a *amounts) serves(d *demand) bool {
	return a.slots == nil || d.class < 0 || d.class < len(a.slots) && a.slots[d.class] > 0
}
