package oracle

import "slices"

// EasyJob is a job of the textbook's EASY backfilling on one pool of processors.
type EasyJob struct {
	Submit, Run, Limit, Procs int64
}

// Easy plays EASY backfilling as Lifka and then Mu'alem and Feitelson describe it, with first come, first served as
// the order, and returns when each job starts; -1 for one that is larger than the machine. Whenever a job comes or
// ends, jobs start in order until one does not fit. That one gets a reservation at the shadow time, when enough
// processors will be free by the limits of those that run. A later job starts now if it fits and either ends by then
// or takes no more than the processors that the reservation leaves.
func Easy(jobs []EasyJob, procs int64) []int64 {
	starts := make([]int64, len(jobs))
	var waiting, running []int
	next, now := 0, int64(0)
	end := func(j int) int64 { return starts[j] + jobs[j].Run }
	for {
		now = -1
		if next < len(jobs) {
			now = jobs[next].Submit
		}
		for _, j := range running {
			if now < 0 || end(j) < now {
				now = end(j)
			}
		}
		if now < 0 {
			return starts
		}
		free := procs
		running = slices.DeleteFunc(running, func(j int) bool { return end(j) <= now })
		for _, j := range running {
			free -= jobs[j].Procs
		}
		for ; next < len(jobs) && jobs[next].Submit <= now; next++ {
			if starts[next] = -1; jobs[next].Procs <= procs {
				waiting = append(waiting, next)
			}
		}
		start := func(j int) {
			starts[j], running, free = now, append(running, j), free-jobs[j].Procs
		}
		for len(waiting) > 0 && jobs[waiting[0]].Procs <= free {
			start(waiting[0])
			waiting = waiting[1:]
		}
		if len(waiting) == 0 {
			continue
		}
		shadow, extra := easyShadow(jobs, starts, running, free, jobs[waiting[0]].Procs)
		left := waiting[:1:1]
		for _, j := range waiting[1:] {
			short := now+jobs[j].Limit <= shadow
			if jobs[j].Procs > free || !short && jobs[j].Procs > extra {
				left = append(left, j)
				continue
			}
			if !short {
				extra -= jobs[j].Procs
			}
			start(j)
		}
		waiting = left
	}
}

// easyShadow is when so many processors will be free, and how many more will be then.
func easyShadow(jobs []EasyJob, starts []int64, running []int, free, want int64) (shadow, extra int64) {
	order := slices.Clone(running)
	ends := func(j int) int64 { return starts[j] + jobs[j].Limit }
	slices.SortFunc(order, func(a, b int) int { return int(ends(a) - ends(b)) })
	for k, j := range order {
		free += jobs[j].Procs
		if last := k+1 == len(order) || ends(order[k+1]) > ends(j); last && free >= want {
			return ends(j), free - want
		}
	}
	return 0, 0
}
