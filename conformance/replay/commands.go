package replay

import (
	"strconv"

	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/limit"
	"github.com/fairway-sched/fairway/runtime/program"
)

// systemPriority is what the command setspri sets.
type systemPriority struct {
	value    int64
	relative bool
}

// setPriorities does what the administrator typed, as far as Maui took it: its client refuses a negative
// relative priority (recorded: p37). changed is false if there was nothing to do.
func (q *queue) setPriorities(commands []Command) (changed bool) {
	for _, c := range commands {
		if c.Words[0] != "setspri" || c.Answer != "job system priority adjusted" {
			continue
		}
		n := len(c.Words)
		if value, err := strconv.ParseInt(c.Words[n-2], 10, 64); err == nil {
			q.priority[c.Words[n-1]], changed = systemPriority{value, c.Words[1] == "-r"}, true
		}
	}
	return changed
}

// checkJobResets does what the command checkjob, with which every job was recorded, does to the
// scheduler that it asks: it tests the job against hard limits, and, unless queue time always
// accrues, a job that fails waits anew.
func checkJobResets(state *checkpoint.Checkpoint, r *evaluation.Result) {
	if r.Program.Queue.Accrual == program.AccrualAlways {
		return
	}
	over := map[string]bool{}
	for job := range r.Jobs.Rows {
		if overHard(r.Program, r.Why[int32(job)]) {
			over[r.Jobs.Value("job.id", job).Str] = true
		}
	}
	for k := range state.Jobs {
		if job := &state.Jobs[k]; over[job.ID] {
			job.QueueStart = r.Now
		}
	}
}

func overHard(p *program.Program, b *evaluation.Block) bool {
	if b == nil || b.Kind != evaluation.BlockLimit || b.Limit == nil || b.Limit.Phase == limit.Idle {
		return false
	}
	return b.Limit.InUse+b.Limit.Request > p.Limits[b.Limit.Limit].Hard
}
