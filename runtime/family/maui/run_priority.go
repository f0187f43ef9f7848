package maui

import (
	"math"

	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// runPriorities are the priorities of running jobs, by which Maui chooses which jobs to preempt: the
// priority as a waiting job plus what the run has used and has left (MJobGetRunPriority). NaN
// for a job that does not run or whose times are unknown.
//
// Maui's table of caps is shifted against that of weights: CONSUMEDCAP and USAGEEXECUTIONTIMECAP
// bound nothing here, REMAININGCAP bounds what was consumed and PERCENTCAP the execution time,
// which is switched off.
func (s *selection) runPriorities() []float64 {
	out := make([]float64, len(s.running))
	w := s.queue.Run
	for job := range out {
		out[job] = math.NaN()
		if !s.running[job] || s.scorer.failed.Get(job) {
			continue
		}
		used, left, ok := s.runTimes(job)
		if !ok {
			continue
		}
		procs := float64(s.result.Jobs.Int("job.procs", job))
		percent := used * 100 / max(1, left)
		sum := float64(w.Consumed*capped(w.RemainingCap, procs*float64(used))) +
			float64(w.Remaining*procs*float64(left)) + float64(w.Percent*float64(percent))
		out[job] = float64(s.scorer.priority[job]) + float64(w.Weight*capped(w.Cap, sum))
	}
	return out
}

// runTimes are the seconds that a running job has run and those that its limit leaves.
func (s *selection) runTimes(job int) (used, left int64, ok bool) {
	jobs := s.result.Jobs
	start, limit := jobs.Value("job.start_time", job), jobs.Value("job.walltime_seconds", job)
	if s.result.State[job] == evaluation.Running && jobs.Text("job.state", job) == "pending" {
		return 0, limit.Int, limit.Known() // it starts now
	}
	if !start.Known() || !limit.Known() {
		return 0, 0, false
	}
	used = max(0, s.result.Now-start.Int)
	return used, limit.Int - used, true
}

// capped bounds x from above; a cap that is not above zero is none.
func capped(limit, x float64) float64 {
	if limit > 0 && x > limit {
		return limit
	}
	return x
}
