package score

import (
	"strings"

	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
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
func failures(r *evaluation.Result, out *vm.Output) {
	final := out.Vector(r.Program.Priority)
	lost := make([]column.Bitmap, len(out.Failures))
	for row := range r.RowJob {
		if f := final.Failure(row); f != 0 {
			lost[f-1].Set(row)
		}
	}
	for i, f := range out.Failures {
		rows, what := lost[i], "%d of %d jobs have no priority: %s"
		if rows.Any() {
			r.Losses = append(r.Losses, evaluation.Loss{Rows: rows, Message: f.Message, Span: f.Span})
		} else {
			if rows = failedAnywhere(r, out, i, false); rows.Any() {
				what = "this fails for %d of %d jobs, whose priority does not depend on it: %s"
			} else {
				rows, what = failedAnywhere(r, out, i, true), "this fails too for %d of %d jobs: %s"
			}
		}
		switch r.Program.Instrs[f.Instr].Op {
		case program.OpNumber, program.OpFinite, program.OpStorable:
			outOfBounds(r, out, f, rows, what)
			continue
		}
		count := jobsOf(r, rows)
		d := r.Findings.Warnf("expression-failed", f.Span, what, count.n, r.Jobs.Rows, f.Message)
		d.Note("the first is job %s", r.JobID(count.first))
		d.Note("%s", guard(r.Program, f))
	}
}

// guard is what to write against a failure.
func guard(p *program.Program, f vm.Failure) string {
	in := &p.Instrs[f.Instr]
	switch in.Op {
	case program.OpColumn:
		return "guard the expression, as in has(" + string(in.Column) + ") ? … : 0.0"
	case "divide_int64", "modulo_int64":
		divisor := string(columnOf(p, in.Args[1]))
		if divisor == "" {
			return "guard the expression with a condition, as in job.gpus > 0 ? job.procs / job.gpus : 0"
		}
		divided := "…"
		if text := strings.Join(strings.Fields(f.Span.Text()), " "); strings.Contains(text, divisor) {
			divided = text
		}
		return "guard the expression, as in " + divisor + " > 0 ? " + divided + " : 0"
	}
	return "guard the expression with a condition, as in job.gpus > 0 ? … : 0.0, " +
		"or has(…) ? … : 0.0 where something is unknown"
}

// failedAnywhere are the rows with a failure among all that is kept, of those with a priority or of those
// without.
func failedAnywhere(r *evaluation.Result, out *vm.Output, failure int, without bool) column.Bitmap {
	var rows column.Bitmap
	for k := range out.Vectors {
		for row := range out.Rows {
			if out.Vectors[k].Failure(row) == failure+1 && r.Failed.Get(row) == without {
				rows.Set(row)
			}
		}
	}
	return rows
}

func jobsOf(r *evaluation.Result, rows column.Bitmap) (count jobCount) {
	for row, job := range r.RowJob {
		if rows.Get(row) {
			count.add(job)
		}
	}
	return count
}
