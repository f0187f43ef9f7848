package admit

import (
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// States fills State and Reason of every job, and Why of those that a hold of the policy stops.
func States(run *evaluation.Run) {
	r, n := run.Result, run.Jobs.Rows
	r.State, r.Reason, r.Why = make([]evaluation.State, n), make([]string, n), make([]*evaluation.Block, n)
	w := NewReader(run)
	for i := range n {
		r.State[i], r.Reason[i] = w.At(i)
	}
}

// Reader reads the states of jobs as the resource manager and the policy's holds have them.
type Reader struct {
	result                                 *evaluation.Result
	holds                                  []column.Bitmap
	reason, state, held, begin, dependency *column.Column
}

// NewReader finds the columns that it reads.
func NewReader(run *evaluation.Run) *Reader {
	column := run.Jobs.Column
	return &Reader{result: run.Result, holds: run.Holds, reason: column("job.state_reason"), state: column("job.state"),
		held: column("job.held"), begin: column("job.begin_time"), dependency: column("job.dependency")}
}

// At is the state of a job and the reason for it. Of one that a hold of the policy stops it also notes why.
func (w *Reader) At(i int) (evaluation.State, string) {
	recorded := column.TextAt(w.reason, i)
	switch column.TextAt(w.state, i) {
	case "running", evaluation.Suspended, "completing":
		return evaluation.Running, recorded
	case "done":
		return evaluation.Done, recorded
	}
	if column.IntAt(w.held, i) != 0 {
		return evaluation.Held, recorded
	}
	if hold, held := w.result.HeldByPolicy(i, w.holds); held {
		reason := w.result.Program.Holds[hold].Reason
		w.result.Why[i] = &evaluation.Block{Kind: evaluation.BlockPolicy, Text: reason, Hold: hold}
		return evaluation.Held, reason
	}
	if column.Known(w.begin, i) && w.begin.Ints[i] > w.result.Now {
		return evaluation.Blocked, evaluation.Word(recorded, "BeginTime")
	}
	if column.TextAt(w.dependency, i) != "" {
		return evaluation.Blocked, evaluation.Word(recorded, "Dependency")
	}
	return evaluation.Eligible, recorded
}

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
