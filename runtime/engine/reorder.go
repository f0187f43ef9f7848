package engine

import (
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/evaluation/order"
	"github.com/fairway-sched/fairway/runtime/evaluation/score"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/vm"
)

// Reorder is the order of the waiting jobs by another program's priorities. Who
// waits, and what keeps a job from starting, stays as it is; the program may read
// only what the result's own reads.
func Reorder(r *evaluation.Result, p *program.Program) ([]int32, error) {
	machine, err := vm.Load(p)
	if err != nil {
		return nil, err
	}
	out, err := machine.Run(r.Scored.Binding, []program.Reg{p.Score, p.Priority}, max(1, r.Options.Workers))
	if err != nil {
		return nil, err
	}
	other := *r
	other.Program, other.Order, other.Queued = p, nil, nil
	score.Scores(&other, out)
	order.Rank(&other, r.Scored.Holds, nil)
	return other.Order, nil
}
