package engine

import (
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/vm"
)

// jobCount counts distinct jobs while rows go by in order.
type jobCount struct{ n, first, last int }

func (c *jobCount) add(job int32) {
	if c.n > 0 && c.last == int(job) {
		return
	}
	if c.n == 0 {
		c.first = int(job)
	}
	c.n, c.last = c.n+1, int(job)
}

// failures reports each way in which expressions failed. A failure does not always cost
// the priority: an override may have decided it, or a hold failed.
func (r *Result) failures(out *vm.Output) {
	final := out.Vector(r.Program.Priority)
	priority := make([]jobCount, len(out.Failures))
	var nan jobCount
	for row, job := range r.RowJob {
		switch f := final.Failure(row); {
		case f != 0:
			priority[f-1].add(job)
		case r.Failed.Get(row):
			nan.add(job)
		}
	}
	for i, f := range out.Failures {
		count, what := priority[i], "%d of %d jobs have no priority: %s"
		if count.n == 0 {
			if count = r.failedAnywhere(out, i, false); count.n > 0 {
				what = "this fails for %d of %d jobs, whose priority does not depend on it: %s"
			} else {
				count, what = r.failedAnywhere(out, i, true), "this fails too for %d of %d jobs: %s"
			}
		}
		d := r.Findings.Warnf("expression-failed", f.Span, what, count.n, r.Jobs.Rows, f.Message)
		d.Note("the first is job %s", r.jobID(count.first))
		d.Note("guard the expression, for instance with has(…) ? … : …")
	}
	if nan.n > 0 {
		d := r.Findings.Warnf("priority-not-a-number", r.Program.Components[0].Span, "%d of %d jobs have no priority: it is not a number (NaN)", nan.n, r.Jobs.Rows)
		d.Note("the first is job %s; `fairway explain` shows its terms", r.jobID(nan.first))
		d.Note("0 times infinity, infinity minus infinity and 0.0 / 0.0 are no numbers: guard the division or bound the factor with clamp")
	}
}

// failedAnywhere counts the jobs with a failure among all that is kept, of rows with a
// priority or of those without.
func (r *Result) failedAnywhere(out *vm.Output, failure int, without bool) jobCount {
	var rows column.Bitmap
	for k := range out.Vectors {
		for row := range out.Rows {
			if out.Vectors[k].Failure(row) == failure+1 && r.Failed.Get(row) == without {
				rows.Set(row)
			}
		}
	}
	var count jobCount
	for row, job := range r.RowJob {
		if rows.Get(row) {
			count.add(job)
		}
	}
	return count
}

func (r *Result) jobID(job int) string { return r.Jobs.Value("job.id", job).Str }
