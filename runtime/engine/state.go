package engine

import (
	"slices"

	"github.com/fairway-sched/fairway/runtime/column"
)

// states fills State and Reason of every job.
func (r *Result) states(holds []column.Bitmap) {
	n := r.Jobs.Rows
	r.State, r.Reason, r.Why = make([]State, n), make([]string, n), make([]*Block, n)
	for i := range n {
		r.State[i], r.Reason[i] = r.state(i, holds)
	}
}

func (r *Result) state(i int, holds []column.Bitmap) (State, string) {
	recorded := r.Jobs.Value("job.state_reason", i).Str
	switch r.Jobs.Value("job.state", i).Str {
	case "running", suspended, "completing":
		return Running, recorded
	case "done":
		return Done, recorded
	}
	if r.Jobs.Value("job.held", i).Int != 0 {
		return Held, recorded
	}
	if hold, held := r.heldByPolicy(i, holds); held {
		return Held, r.Program.Holds[hold].Reason
	}
	if begin := r.Jobs.Value("job.begin_time", i); begin.Known() && begin.Int > r.Now {
		return Blocked, word(recorded, "BeginTime")
	}
	if r.Jobs.Value("job.dependency", i).Str != "" {
		return Blocked, word(recorded, "Dependency")
	}
	if r.Program.Family == "" {
		if b := r.notAdmitted(i); b != nil {
			r.Why[i] = b
			return Blocked, b.Text
		}
	}
	return Eligible, recorded
}

// suspended is the state of a job that started and stands still. It is listed with those that run.
const suspended = "suspended"

// Suspended reports a job that stands still. Maui walks the queue with it as with those that wait: it
// uses nothing, and may be resumed (recorded: b07, where one passes every filter).
func (r *Result) Suspended(job int) bool { return r.Jobs.Value("job.state", job).Str == suspended }

// heldByPolicy reports a job whose every entry is held, and which hold has its first one: a hold
// in one partition leaves the job's entries in the others.
func (r *Result) heldByPolicy(i int, holds []column.Bitmap) (hold int, held bool) {
	first, end := r.Entries(i)
	for row := end - 1; row >= first; row-- {
		hold = slices.IndexFunc(holds, func(hold column.Bitmap) bool { return hold.Get(row) })
		if hold < 0 {
			return 0, false
		}
	}
	return hold, true
}

func word(recorded, fallback string) string {
	if recorded == "" || recorded == "None" {
		return fallback
	}
	return recorded
}
