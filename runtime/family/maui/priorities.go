package maui

import (
	"math"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
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

// priorityRange is what `setspri` takes: 0 to 1000, where 0 takes the priority away, or with -r what
// the command's manual page says. The library's policy has the same bounds.
func priorityRange(p *program.Program, relative bool) (low, high int64) {
	if relative && p.Documented("relative_priority_range") {
		return -1_000_000_000, 1_000_000_000
	}
	return 0, 1000
}

// refusedPriorities reports system priorities that Maui's client would have refused: the library's
// policy leaves them out.
func refusedPriorities(jobs *column.Table, p *program.Program) diag.List {
	value, relative := jobs.Column("job.system_priority"), jobs.Column("job.system_priority_relative")
	if value == nil {
		return nil
	}
	var found diag.List
	for _, kind := range []struct {
		relative      bool
		word, command string
	}{{false, "absolute", "`setspri`"}, {true, "relative", "`setspri -r`"}} {
		low, high := priorityRange(p, kind.relative)
		first, count := -1, 0
		for i := range jobs.Rows {
			if v := column.IntAt(value, i); (column.IntAt(relative, i) != 0) == kind.relative && (v < low || v > high) {
				if count++; first < 0 {
					first = i
				}
			}
		}
		if count == 0 {
			continue
		}
		d := found.Warnf("system-priority-range", source.Span{},
			"the %s system priority %d of job %s is outside %d to %d, so its computed priority counts",
			kind.word, value.Ints[first], jobs.Text("job.id", first), low, high)
		if count > 1 {
			d.Note("so it is with %d jobs", count)
		}
		switch {
		case kind.relative && low == 0:
			d.Note("%s refuses it; with --deviation relative_priority_range the manual's range counts", kind.command)
		case kind.relative:
			d.Note("%s refuses it by its manual too", kind.command)
		default:
			d.Note("%s refuses it", kind.command)
		}
	}
	return found
}
