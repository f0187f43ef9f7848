package maui

import (
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// greedy starts the combination of jobs that uses most of a window by the site's metric (the manual, 8.2; the program
// starts nothing). It looks at as many combinations as the site allows, those of high priority first, and again at
// what is left.
func (p *Planner) greedy(list []int32, w *window, partition int32, hard bool) {
	room := w.room
	for {
		list = slices.DeleteFunc(slices.Clone(list),
			func(job int32) bool { return !p.waits(job) || p.procs(&p.jobs[job]) > room })
		best := p.combination(list, room)
		if p.unwanted() {
			return
		}
		started := false
		for _, job := range best {
			if p.backfilled(job, w, partition, hard) {
				started, room = true, room-p.procs(&p.jobs[job])
			}
		}
		if !started {
			return
		}
	}
}

// unwanted reports that the plan is not wanted any more.
func (p *Planner) unwanted() bool { return p.context != nil && p.context.Err() != nil }

// combination is the one of largest metric with no more processors than there are.
func (p *Planner) combination(list []int32, room int64) (chosen []int32) {
	worth := make([]float64, len(list))
	for n, job := range list {
		worth[n] = p.metric(job)
	}
	best := backfill.Combine(worth, max(1, p.settings.Combinations), p.unwanted, func(n int) (func(), bool) {
		procs := p.procs(&p.jobs[list[n]])
		if procs > room {
			return nil, false
		}
		room -= procs
		return func() { room += procs }, true
	})
	for _, n := range best {
		chosen = append(chosen, list[n])
	}
	return chosen
}
