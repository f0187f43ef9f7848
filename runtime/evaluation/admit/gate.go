package admit

import (
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/limit"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/vm"
)

// Gate makes the counters of the policy's limits, all at zero. A condition is asked of a job's
// first row; procs is how many processors of a job count, nil: those that it asks for.
func Gate(r *evaluation.Result, out *vm.Output, procs func(job int) (int64, bool)) *limit.Gate {
	when := make([]column.Bitmap, len(r.Program.Limits))
	for i := range r.Program.Limits {
		reg := r.Program.Limits[i].When
		if reg == program.NoReg {
			continue
		}
		v := out.Vector(reg)
		for job, row := range r.JobRow {
			if v.Failure(int(row)) == 0 && v.Bool(int(row)) {
				when[i].Set(job)
			}
		}
	}
	g, diags := limit.New(r.Program, r.Jobs, limit.Options{Now: r.Now, When: when, Procs: procs})
	r.Findings = append(r.Findings, diags...)
	return g
}
