package slurm

import (
	"github.com/fairway-sched/fairway/runtime/backfill/profile"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	slurmlimit "github.com/fairway-sched/fairway/runtime/limit/slurm"
	"github.com/fairway-sched/fairway/runtime/limit/timeline"
)

// NodesFree is when a limit on nodes has room for a job, if no other starts, and the job whose end makes it. Of jobs
// that share a node of their group the last one to end gives it back. The job is counted with nodes of its own, as a
// plan counts it: which ones it may share is known only when they are chosen.
func NodesFree(r *evaluation.Result, job int, stop *slurmlimit.Stop) (at int64, by int, ok bool) {
	row := int(r.JobRow[job])
	for i, end := r.Entries(job); i < end; i++ {
		if b := r.Barred[int32(i)]; b != nil && b.Slurm == stop {
			row = i
		}
	}
	var rows []int
	var ids []int32
	var ends []int64
	for other := range r.Jobs.Rows {
		end, known := plannedEnd(r, other)
		if r.Jobs.Text("job.state", other) == "running" && known {
			rows, ids, ends = append(rows, int(r.JobRow[other])), append(ids, int32(other)), append(ends, end)
		}
	}
	line := r.SlurmLimits.Timeline(r.Now)
	line.AddRunning(rows, ids, ends)
	for _, h := range line.Holdings(row, timeline.Got{}, r.Now, profile.Forever, 1) {
		if h.Limit == stop.Limit && h.Whose == stop.Whose() {
			return h.Until, int(h.By), h.Until < profile.Forever
		}
	}
	return 0, -1, false
}

// plannedEnd is when a running job's limit ends it: after now, as it runs.
func plannedEnd(r *evaluation.Result, job int) (int64, bool) {
	end := r.Jobs.Value("job.end_time", job)
	if !end.Known() {
		start, seconds := r.Jobs.Value("job.start_time", job), r.Jobs.Value("job.walltime_seconds", job)
		if !start.Known() || !seconds.Known() {
			return 0, false
		}
		end.Int = profile.End(start.Int, seconds.Int)
	}
	return max(end.Int, r.Now+1), true
}
