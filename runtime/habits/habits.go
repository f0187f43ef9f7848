// Package habits says how long jobs run, from what users' own jobs did: which share of their limits they used.
//
// In: jobs that ended. Out: for a job that waits or runs, run times that jobs like it had. It knows neither queue nor
// scheduler, and draws nothing itself. Called by runtime/replay and runtime/estimate.
package habits

import (
	"cmp"
	"math/bits"
	"slices"
	"strconv"
)

// Job is a job that has ended, or one that a run time is drawn for.
type Job struct {
	User, Account string
	Procs         int64
	Limit         int64 // seconds that it may run; 0 is without a limit
	Ran           int64 // seconds that it ran; of a job that runs, so far; 0 of one that waits
	End           int64 // epoch seconds
}

// Levels are what jobs are alike in, the closest first. A run time is drawn from the first level at which enough jobs
// ended that ran for longer than the job has by now.
var Levels = []struct {
	Name string
	key  func(j *Job) string // "" is a job without one
}{
	{"user, account, size and limit", func(j *Job) string {
		if j.User == "" || j.Limit == 0 {
			return ""
		}
		return j.User + "\x00" + j.Account + "\x00" + size(j.Procs) + "\x00" + strconv.FormatInt(j.Limit, 10)
	}},
	{"user, account and size", func(j *Job) string {
		if j.User == "" {
			return ""
		}
		return j.User + "\x00" + j.Account + "\x00" + size(j.Procs)
	}},
	{"user", func(j *Job) string { return j.User }},
	{"account", func(j *Job) string { return j.Account }},
	{"size", func(j *Job) string { return size(j.Procs) }},
	{"all jobs", func(*Job) string { return "all" }},
}

const (
	least = 5  // jobs of a level that are enough
	most  = 60 // jobs of a level that are remembered, the last to end: habits change
)

// size is the class of a number of processors, by powers of two.
func size(procs int64) string { return strconv.Itoa(bits.Len64(uint64(max(0, procs-1)))) }

// Habits are what is remembered.
type Habits struct {
	levels []map[string][]past // by Levels
	Jobs   int                 // that were learnt from
}

// past is a job that ended.
type past struct {
	ran   int64
	share float64 // of its limit; below 0 for a job without one
}

// Learn remembers jobs. Those without a run time are ignored.
func Learn(jobs []Job) *Habits {
	h := &Habits{levels: make([]map[string][]past, len(Levels))}
	for k := range h.levels {
		h.levels[k] = map[string][]past{}
	}
	ended := make([]*Job, 0, len(jobs))
	for i := range jobs {
		if jobs[i].Ran > 0 {
			ended = append(ended, &jobs[i])
		}
	}
	slices.SortStableFunc(ended, func(a, b *Job) int { return cmp.Compare(a.End, b.End) })
	for _, j := range ended {
		h.Add(j)
	}
	return h
}

// Add remembers a job that ended after all others.
func (h *Habits) Add(j *Job) {
	p := past{ran: j.Ran, share: -1}
	if j.Limit > 0 {
		p.share = min(1, float64(j.Ran)/float64(j.Limit))
	}
	for k := range Levels {
		key := Levels[k].key(j)
		if key == "" {
			continue
		}
		list := h.levels[k][key]
		if len(list) >= most {
			list = append(list[:0], list[1:]...)
		}
		h.levels[k][key] = append(list, p)
	}
	h.Jobs++
}

// At is a run time of a job, from its start, that so large a part of the jobs like it did not exceed, from 0 to 1:
// longer than it has run, and not longer than it may. Without anything to go by, that is its limit; 0 if it has none.
func (h *Habits) At(j *Job, part float64) int64 {
	var fits []int64
	for k := range Levels {
		fits = h.fits(fits[:0], k, j)
		if len(fits) >= least {
			break
		}
	}
	switch {
	case len(fits) > 0:
		slices.Sort(fits)
		return fits[min(len(fits)-1, int(part*float64(len(fits))))]
	case j.Limit > j.Ran && j.Ran > 0: // no job has run for so long
		return j.Ran + 1 + int64(part*float64(j.Limit-j.Ran-1))
	}
	return max(j.Limit, 0)
}

// fits are the run times that a job of a level would have.
func (h *Habits) fits(list []int64, level int, j *Job) []int64 {
	for _, p := range h.levels[level][Levels[level].key(j)] {
		ran := p.ran
		if j.Limit > 0 && p.share >= 0 {
			ran = max(1, int64(p.share*float64(j.Limit)+0.5))
		}
		if j.Limit > 0 {
			ran = min(ran, j.Limit)
		}
		if ran > j.Ran {
			list = append(list, ran)
		}
	}
	return list
}
