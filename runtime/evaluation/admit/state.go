package admit

import (
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// States fills State and Reason of every job.
func States(r *evaluation.Result, holds []column.Bitmap) {
	n := r.Jobs.Rows
	r.State, r.Reason, r.Why = make([]evaluation.State, n), make([]string, n), make([]*evaluation.Block, n)
	for i := range n {
		r.State[i], r.Reason[i] = state(r, i, holds)
	}
}

func state(r *evaluation.Result, i int, holds []column.Bitmap) (evaluation.State, string) {
	recorded := r.Jobs.Value("job.state_reason", i).Str
	switch r.Jobs.Value("job.state", i).Str {
	case "running", evaluation.Suspended, "completing":
		return evaluation.Running, recorded
	case "done":
		return evaluation.Done, recorded
	}
	if r.Jobs.Value("job.held", i).Int != 0 {
		return evaluation.Held, recorded
	}
	if hold, held := r.HeldByPolicy(i, holds); held {
		return evaluation.Held, r.Program.Holds[hold].Reason
	}
	if begin := r.Jobs.Value("job.begin_time", i); begin.Known() && begin.Int > r.Now {
		return evaluation.Blocked, evaluation.Word(recorded, "BeginTime")
	}
	if r.Jobs.Value("job.dependency", i).Str != "" {
		return evaluation.Blocked, evaluation.Word(recorded, "Dependency")
	}
	if r.Program.Family == "" {
		if b := NotAdmitted(r, i); b != nil {
			r.Why[i] = b
			return evaluation.Blocked, b.Text
		}
	}
	return evaluation.Eligible, recorded
}
