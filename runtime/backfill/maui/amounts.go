package maui

import "github.com/fairway-sched/fairway/runtime/backfill"

// amounts are what is free of a node, or taken. Slots are by class, as jobs that ran before the iteration leave them
// (maui.md §9 P3); nil where only processors bound a class. How many tasks they are good for says the node
// (classTasks).
type amounts struct {
	procs, mem, swap, disk int64
	slots, gres            []int64
}

// add gives back (sign 1) or takes (sign -1) a job's part of the node, of so many tasks.
func (a *amounts) add(j *demand, tasks, sign int64) {
	n := tasks * sign
	a.procs += n*j.per.Procs + sign*j.base.Procs
	a.mem += n*j.per.MemMB + sign*j.base.MemMB
	a.swap += n*j.per.SwapMB + sign*j.base.SwapMB
	a.disk += n*j.per.DiskMB + sign*j.base.DiskMB
	for k := range a.gres {
		a.gres[k] += n*at(j.per.Gres, k) + sign*at(j.base.Gres, k)
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

func at(list []int64, k int) int64 {
	if k < len(list) {
		return list[k]
	}
	return 0
}

// demand is what a job takes of each of its nodes: base whatever its tasks there, which Maui's own jobs have none of,
// and per for each task.
type demand struct {
	per, base backfill.Amounts
	class     int   // index of its class; -1 where no node bounds it
	nodes     int64 // how many it must have at least
}

// many is more tasks than any job has.
const many = int64(1) << 40

// tasks is how many tasks fit, whatever their class.
func (a *amounts) tasks(j *demand) int64 {
	n := many
	n = fitting(n, a.procs, j.base.Procs, j.per.Procs)
	n = fitting(n, a.mem, j.base.MemMB, j.per.MemMB)
	n = fitting(n, a.swap, j.base.SwapMB, j.per.SwapMB)
	n = fitting(n, a.disk, j.base.DiskMB, j.per.DiskMB)
	for k := range max(len(j.per.Gres), len(j.base.Gres)) {
		n = fitting(n, at(a.gres, k), at(j.base.Gres, k), at(j.per.Gres, k))
	}
	return max(0, n)
}

// fitting is how many of n tasks fit by one amount.
func fitting(n, free, base, per int64) int64 {
	switch {
	case base == 0 && per == 0:
		return n // what is not wanted may be overdrawn
	case free < base:
		return 0
	case per == 0:
		return n
	}
	return min(n, (free-base)/per)
}
