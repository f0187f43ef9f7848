package maui

import "slices"

// greedy starts the combination of jobs that uses most of a window by the site's metric (the manual, 8.2; the program
// starts nothing). It looks at as many combinations as the site allows, those of high priority first, and again at
// what is left.
func (p *Planner) greedy(list []int32, w *window, partition int32, hard bool) {
	room := w.room
	for {
		list = slices.DeleteFunc(slices.Clone(list), func(job int32) bool { return !p.waits(job) || p.procs(&p.jobs[job]) > room })
		best := p.combination(list, room)
		started := false
		for _, job := range best {
			if p.try(job, w, partition, hard) {
				started, room = true, room-p.procs(&p.jobs[job])
			}
		}
		if !started {
			return
		}
	}
}

// combination is the one of largest metric with no more processors than there are. rest bounds what a combination can still gain.
func (p *Planner) combination(list []int32, room int64) []int32 {
	rest := make([]float64, len(list)+1)
	for k := len(list) - 1; k >= 0; k-- {
		rest[k] = rest[k+1] + p.metric(list[k])
	}
	budget := max(1, p.settings.Combinations)
	var chosen, best []int32
	bestValue := -1.0
	var search func(k int, room int64, value float64)
	search = func(k int, room int64, value float64) {
		if value > bestValue {
			bestValue, best = value, slices.Clone(chosen)
		}
		if k == len(list) || value+rest[k] <= bestValue || budget <= 0 {
			return
		}
		budget--
		if procs := p.procs(&p.jobs[list[k]]); procs <= room {
			chosen = append(chosen, list[k])
			search(k+1, room-procs, value+p.metric(list[k]))
			chosen = chosen[:len(chosen)-1]
		}
		search(k+1, room, value)
	}
	search(0, room, 0)
	return best
}
