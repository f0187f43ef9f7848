package admit

import (
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/evaluation/order"
	"github.com/fairway-sched/fairway/runtime/limit"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/rank"
	"github.com/fairway-sched/fairway/runtime/vm"
)

// Apply applies the limits and fairshare caps of a policy from scratch, which has no scheduler
// to imitate. Its rule is the simple one: what runs is counted first; then the waiting jobs are
// asked in the order of their priority, each for its hard and then for its soft bounds, and those
// that pass count as idle for the ones after them. Bounds on jobs present are asked in the
// order of submission, running jobs first.
func Apply(run *evaluation.Run, gate *limit.Gate, caps *Caps, started []string) error {
	r := run.Result
	caps.ReportUnknown(r)
	starting, err := Startable(r, started)
	if err != nil {
		return err
	}
	r.Started, r.Limits = starting, gate
	for _, job := range starting {
		r.State[job], r.Reason[job] = evaluation.Running, ""
	}
	bounded := gate.Limits() > 0 || caps.gate != nil
	if bounded {
		countPresent(r, gate)
	}
	for job, state := range r.State {
		if state == evaluation.Running {
			gate.AddActive(job)
		}
	}
	taken := make([]int32, 0, len(r.State))
	for _, job := range order.ByPriority(run) {
		if r.State[job] != evaluation.Eligible || r.JobFailed(int(job)) {
			continue
		}
		if bounded {
			if b := check(gate, caps, int(job)); b != nil {
				r.Blocked(int(job), b)
				continue
			}
			gate.AddIdle(int(job))
		}
		taken = append(taken, job)
	}
	r.Taken = [2][]int32{limit.Soft: taken, limit.Hard: taken}
	return nil
}

// countPresent blocks the jobs that were submitted beyond what may be there at a time.
func countPresent(r *evaluation.Result, gate *limit.Gate) {
	var waiting []int32
	for job, state := range r.State {
		switch state {
		case evaluation.Running:
			gate.AddSubmitted(job)
		case evaluation.Eligible, evaluation.Blocked, evaluation.Held:
			waiting = append(waiting, int32(job))
		}
	}
	submitted := r.Jobs.Column("job.submit_rank")
	for _, job := range rank.Falling(waiting, func(job int) int64 { return -submitted.Ints[job] }) {
		for _, bound := range []limit.Bound{limit.Hard, limit.Soft} {
			if v, over := gate.CheckSubmitted(int(job), bound); over && r.State[job] == evaluation.Eligible {
				v := v
				r.Blocked(int(job), &evaluation.Block{Kind: evaluation.BlockLimit, Limit: &v})
			}
		}
		gate.AddSubmitted(int(job))
	}
}

// check asks one waiting job.
func check(gate *limit.Gate, caps *Caps, job int) *evaluation.Block {
	for _, bound := range []limit.Bound{limit.Hard, limit.Soft} {
		for _, ask := range []func(int, limit.Bound) (limit.Violation, bool){gate.CheckJob, gate.CheckActive,
			gate.CheckIdle} {
			if v, over := ask(job, bound); over {
				v := v // only this one goes to the heap
				return &evaluation.Block{Kind: evaluation.BlockLimit, Limit: &v}
			}
		}
	}
	if v, over := caps.Check(job); over {
		v := v
		return &evaluation.Block{Kind: evaluation.BlockCap, Cap: &v}
	}
	return nil
}

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
