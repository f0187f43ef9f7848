package engine

import (
	"cmp"

	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/evaluation/windows"
)

// next is what the following iteration needs to know of this one. Of jobs without an id, or with that
// of an earlier one, nothing can be known later. Also returned are the jobs of its records.
func next(r *evaluation.Result, c *evaluation.Clock) (out *checkpoint.Checkpoint, jobs []int32) {
	out = &checkpoint.Checkpoint{Family: r.Program.Family, Time: cmp.Or(r.Pass, r.Now)}
	known := map[string]bool{"": true}
	for job := range r.Jobs.Rows {
		if known[r.JobID(job)] {
			continue
		}
		known[r.JobID(job)] = true
		j := checkpoint.Job{ID: r.JobID(job), SubmitTime: r.Jobs.Int("job.submit_time", job),
			FirstSeen:  c.FirstSeen[job],
			QueueStart: c.Start[job], EligibleSeconds: max(0, c.Eligible[job]), Bypass: max(0, c.Bypass[job]),
			OverSoftLimit: c.OverSoft[job]}
		switch r.State[job] {
		case evaluation.Done:
			continue
		case evaluation.Running:
			j.State = checkpoint.Running
		default:
			j.State = evaluation.RecordedState(r.Jobs, job)
		}
		out.Jobs, jobs = append(out.Jobs, j), append(jobs, int32(job))
	}
	windows.Keep(r, out)
	return out, jobs
}
