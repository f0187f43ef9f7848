package admit

import (
	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// StartError is a job of Options.Started or Backfilled that cannot start.
type StartError struct{ ID, Problem string }

func (e *StartError) Error() string { return "job " + e.ID + " is to start, but " + e.Problem }

// Startable finds the waiting jobs of the given ids.
func Startable(r *evaluation.Result, ids []string) ([]int32, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	index := map[string]int32{}
	for job := range r.Jobs.Rows {
		index[r.JobID(job)] = int32(job)
	}
	var jobs []int32
	named := make([]bool, r.Jobs.Rows)
	for _, id := range ids {
		job, ok := index[id]
		switch {
		case !ok:
			return nil, &StartError{id, "the snapshot has no such job"}
		case r.State[job] == evaluation.Running || r.State[job] == evaluation.Done:
			return nil, &StartError{id, "it is " + r.State[job].String() + " already"}
		case named[job]:
			return nil, &StartError{id, "it is named twice"}
		}
		named[job] = true
		jobs = append(jobs, job)
	}
	return jobs, nil
}

// Marked is a list as a mark for each of n jobs.
func Marked(list []int32, n int) []bool {
	marks := make([]bool, n)
	for _, job := range list {
		marks[job] = true
	}
	return marks
}
