package engine

import (
	"github.com/fairway-sched/fairway/runtime/checkpoint"
)

// next is what the following iteration needs to know of this one. Of jobs without an id, or with that
// of an earlier one, nothing can be known later. Also returned are the jobs of its records.
func (r *Result) next(c *clock) (out *checkpoint.Checkpoint, jobs []int32) {
	out = &checkpoint.Checkpoint{Family: r.Program.Family, Time: r.Now}
	known := map[string]bool{"": true}
	for job := range r.Jobs.Rows {
		if known[r.jobID(job)] {
			continue
		}
		known[r.jobID(job)] = true
		j := checkpoint.Job{ID: r.jobID(job), SubmitTime: r.Jobs.Value("job.submit_time", job).Int, FirstSeen: c.firstSeen[job],
			QueueStart: c.start[job], EligibleSeconds: max(0, c.eligible[job]), Bypass: max(0, c.bypass[job]), OverSoftLimit: c.overSoft[job]}
		switch r.State[job] {
		case Done:
			continue
		case Running:
			j.State = checkpoint.Running
		default:
			j.State = recordedState(r.Jobs, job)
		}
		out.Jobs, jobs = append(out.Jobs, j), append(jobs, int32(job))
	}
	r.keepUsage(out)
	return out, jobs
}
