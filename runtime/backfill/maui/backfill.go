package maui

import (
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// backfill starts jobs where they delay no reservation: in each window of each partition, from the widest and shortest
// to the narrowest and longest, by the machine's algorithm (MQueueBackFill). first is the list by which overtaken
// jobs are counted.
func (p *Planner) backfill(first []int32, hard bool) {
	algorithm := p.policy("")
	if algorithm == "NONE" {
		return
	}
	p.position = places(first, len(p.jobs))
	p.first = first
	list, not := p.queue.Select(hard)
	p.lose(not)
	for k := range p.partitions {
		partition := int32(k)
		if p.policy(p.partitions[k]) == "NONE" {
			continue
		}
		mine := p.of(list, partition, false)
		if len(mine) == 0 {
			continue
		}
		for after := int64(0); ; {
			w, ok := p.window(partition, after)
			if !ok {
				break
			}
			p.fill(p.fits(mine, &w, hard), &w, partition, algorithm, hard)
			after = w.seconds
		}
	}
}

// fill uses one window.
func (p *Planner) fill(list []int32, w *window, partition int32, algorithm string, hard bool) {
	switch algorithm {
	case "BESTFIT":
		p.bestFit(list, w, partition, hard)
	case "GREEDY":
		if p.settings.Combined {
			p.greedy(list, w, partition, hard)
		} // else nothing: its list of jobs is never made (recorded: b01, b03)
	case "PREEMPT":
		p.preemptible(list, w, partition, hard)
	default:
		p.firstFit(list, w, partition, hard)
	}
}

// backfilled starts a job in a window if it fits there and limits let it.
func (p *Planner) backfilled(job int32, w *window, partition int32, hard bool) bool {
	if p.queue.Over(job, hard) || !p.try(job, partition, w.within, backfill.ByBackfill) {
		return false
	}
	p.queue.Overtake(p.first[:p.position[job]])
	return true
}

// places are the positions of jobs in a list.
func places(list []int32, n int) []int32 {
	at := make([]int32, n)
	for k, job := range list {
		at[job] = int32(k)
	}
	return at
}

// firstFit takes jobs in the order of priority. While resources of jobs that ended are kept for large ones, small ones
// that come after a large one of the same window that waits are skipped (BFCHUNKSIZE; observed in whole simulations: a
// large one that is larger than the window is not in its list, and keeps nothing back).
func (p *Planner) firstFit(list []int32, w *window, partition int32, hard bool) {
	large := false // one waits
	for _, job := range list {
		small := p.procs(&p.jobs[job]) < p.settings.ChunkProcs
		if p.chunk > p.now && small && large {
			continue
		}
		if !p.backfilled(job, w, partition, hard) && !small {
			large = true
		}
	}
}

// bestFit starts the job with the largest metric, of equal ones the one of higher priority, until none fits. As room
// only shrinks in a window, one pass in that order does it.
func (p *Planner) bestFit(list []int32, w *window, partition int32, hard bool) {
	order := slices.Clone(list)
	slices.SortStableFunc(order, func(a, b int32) int { return compare(p.metric(b), p.metric(a)) })
	room := w.room
	for _, job := range order {
		if size := p.procs(&p.jobs[job]); size <= room && p.backfilled(job, w, partition, hard) {
			room -= size // rules.md P53
		}
	}
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// metric is how much of the machine a job uses (BACKFILLMETRIC).
func (p *Planner) metric(job int32) float64 {
	j := &p.jobs[job]
	procs, seconds := float64(p.procs(j)), float64(j.WalltimeSeconds)
	switch p.settings.Metric {
	case "PROCSECONDS":
		return procs * seconds
	case "SECONDS":
		return seconds
	case "PE":
		return j.Equivalents
	case "PESECONDS":
		return j.Equivalents * seconds
	}
	return procs // NODES is no other (recorded: b02)
}

// preemptible starts jobs without regard to later ones, by priority or, if the site says so, the short or small ones
// first. A random order is not repeated here: it is that of priority.
func (p *Planner) preemptible(list []int32, w *window, partition int32, hard bool) {
	order := slices.Clone(list)
	size := func(job int32) float64 {
		j := &p.jobs[job]
		switch p.settings.PreemptOrder {
		case "DURATION":
			return float64(j.WalltimeSeconds)
		case "HWDURATION":
			return float64(j.WalltimeSeconds) * float64(p.procs(j))
		}
		return 0
	}
	slices.SortStableFunc(order, func(a, b int32) int { return compare(size(a), size(b)) })
	for _, job := range order {
		p.backfilled(job, w, partition, hard)
	}
}
