package engine

import (
	"github.com/fairway-sched/fairway/runtime/limit"
)

// throttle applies the limits and fairshare caps of a policy from scratch, which has no scheduler
// to imitate. Its rule is the simple one: what runs is counted first; then the waiting jobs are
// asked in the order of their priority, each for its hard and then for its soft bounds, and those
// that pass count as idle for the ones after them. Bounds on jobs present are asked in the
// order of submission, running jobs first.
func (r *Result) throttle(gate *limit.Gate, caps *caps, started []string) error {
	starting, err := r.startable(started)
	if err != nil {
		return err
	}
	r.Started, r.Limits = starting, gate
	for _, job := range starting {
		r.State[job], r.Reason[job] = Running, ""
	}
	r.countPresent(gate)
	for job, state := range r.State {
		if state == Running {
			gate.AddActive(job)
		}
	}
	order := make([]int32, 0, len(r.State))
	for job, state := range r.State {
		switch {
		case state != Eligible:
		case r.JobFailed(job) && r.Program.Family == "": // Slurm's jobs have limits of their own, which decide
			r.blocked(job, &Block{Kind: BlockFailed, Text: noPriority})
		case !r.JobFailed(job):
			order = append(order, int32(job))
		}
	}
	for _, job := range descending(order, func(job int) int64 { return r.Priority[r.JobRow[job]] }) {
		if b := check(gate, caps, int(job)); b != nil {
			r.blocked(int(job), b)
			continue
		}
		gate.AddIdle(int(job))
		r.Taken[limit.Hard] = append(r.Taken[limit.Hard], job)
	}
	r.Taken[limit.Soft] = r.Taken[limit.Hard]
	return nil
}

// countPresent blocks the jobs that were submitted beyond what may be there at a time.
func (r *Result) countPresent(gate *limit.Gate) {
	var waiting []int32
	for job, state := range r.State {
		switch state {
		case Running:
			gate.AddSubmitted(job)
		case Eligible, Blocked, Held:
			waiting = append(waiting, int32(job))
		}
	}
	submitted := r.Jobs.Column("job.submit_rank")
	for _, job := range descending(waiting, func(job int) int64 { return -submitted.Ints[job] }) {
		for _, bound := range []limit.Bound{limit.Hard, limit.Soft} {
			if v, over := gate.CheckSubmitted(int(job), bound); over && r.State[job] == Eligible {
				v := v
				r.blocked(int(job), &Block{Kind: BlockLimit, Limit: &v})
			}
		}
		gate.AddSubmitted(int(job))
	}
}

// check asks one waiting job.
func check(gate *limit.Gate, caps *caps, job int) *Block {
	for _, bound := range []limit.Bound{limit.Hard, limit.Soft} {
		for _, ask := range []func(int, limit.Bound) (limit.Violation, bool){gate.CheckJob, gate.CheckActive, gate.CheckIdle} {
			if v, over := ask(job, bound); over {
				v := v // only this one goes to the heap
				return &Block{Kind: BlockLimit, Limit: &v}
			}
		}
	}
	if v, over := caps.check(job); over {
		v := v
		return &Block{Kind: BlockCap, Cap: &v}
	}
	return nil
}

// blocked notes why a job may not start. A limit's own word comes first, then its name.
func (r *Result) blocked(job int, b *Block) {
	r.State[job], r.Why[job] = Blocked, b
	if b.Limit != nil && b.Text == "" && r.Program.Family != "maui" {
		l := &r.Program.Limits[b.Limit.Limit]
		if b.Text = l.Reason; b.Text == "" {
			b.Text = l.Name
		}
	}
	if b.Cap != nil && b.Text == "" {
		b.Text = "fairshare_cap"
	}
	r.Reason[job] = b.Text
}
