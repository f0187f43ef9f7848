package evaluation

import (
	"slices"

	"github.com/fairway-sched/fairway/runtime/column"
)

// Earlier is an evaluation of the same state before this one, and what has changed since. What has not is taken over.
type Earlier struct {
	*Run
	Spans   []column.Span // its jobs, where they are now
	Touched []int         // jobs that are new or have changed, in rising order
	Count   int           // how many jobs there are now
	Usage   bool          // a job that runs or ran has changed or left
	Derives bool          // policy, time and state derive the columns of jobs as they did
	Models  bool          // so are all models of the policy, and the options
	Queue   bool          // and queue and columns that are read are the same: only weights differ
}

// InPlace reports that the jobs are where they were, and no others have come.
func (e *Earlier) InPlace() bool {
	return len(e.Spans) == 1 && e.Spans[0] == column.Span{N: len(e.JobRow)} && e.Count == len(e.JobRow)
}

// Carried is a list by job of the earlier evaluation with the jobs where they are now. It is that list itself where no
// job has moved or changed: results are not changed once they are given.
func Carried[T any](e *Earlier, list []T) []T {
	switch {
	case !e.InPlace():
		return column.Rearrange(list, e.Spans, e.Count)
	case len(e.Touched) > 0:
		return slices.Clone(list)
	}
	return list
}

// Was is which job each was before; -1 for one that is new or has changed.
func (e *Earlier) Was() []int32 {
	was := make([]int32, e.Count)
	for job := range was {
		was[job] = -1
	}
	for _, s := range e.Spans {
		for i := range s.N {
			was[s.At+i] = int32(s.From + i)
		}
	}
	for _, job := range e.Touched {
		was[job] = -1
	}
	return was
}

// SameHolds compares the names and words of the policy's holds.
func (e *Earlier) SameHolds(r *Result) bool {
	now, then := r.Program.Holds, e.Program.Holds
	if len(now) != len(then) {
		return false
	}
	for i := range now {
		if now[i].Name != then[i].Name || now[i].Reason != then[i].Reason {
			return false
		}
	}
	return true
}

// AllHeldAlike compares what the policy's holds hold of all jobs that are not touched.
func (e *Earlier) AllHeldAlike(run *Run) bool {
	if len(run.Holds) == 0 {
		return true
	}
	for job, was := range e.Was() {
		if was >= 0 && !e.HeldAlike(run, job, int(was)) {
			return false
		}
	}
	return true
}

// HeldAlike compares what the policy's holds hold of a job, now and then.
func (e *Earlier) HeldAlike(run *Run, job, was int) bool {
	if len(run.Holds) == 0 {
		return true
	}
	row, end := run.Entries(job)
	old, last := e.Entries(was)
	if end-row != last-old {
		return false
	}
	for ; row < end; row, old = row+1, old+1 {
		for i := range run.Holds {
			if run.Holds[i].Get(row) != e.Holds[i].Get(old) {
				return false
			}
		}
	}
	return true
}

// RowSpans are the rows of the jobs of the spans.
func (e *Earlier) RowSpans(r *Result) []column.Span {
	spans := []column.Span{}
	for _, s := range e.Spans {
		if s.N == 0 {
			continue
		}
		at, from := int(r.JobRow[s.At]), int(e.JobRow[s.From])
		_, end := r.Entries(s.At + s.N - 1)
		_, was := e.Entries(s.From + s.N - 1)
		if end-at != was-from {
			return []column.Span{}
		}
		spans = append(spans, column.Span{At: at, From: from, N: end - at})
	}
	return spans
}
