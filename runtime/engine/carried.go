package engine

import (
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// carry hands on what the last evaluation kept and this policy has no use for, so that an evaluation
// with another policy, such as a trial without fairshare, loses nothing.
func carry(r *evaluation.Result, next *checkpoint.Checkpoint) {
	windows, tree := unused(r)
	if previous := r.Options.Previous; windows {
		next.IntervalSeconds, next.Usage = previous.IntervalSeconds, previous.Usage
	}
	if tree {
		next.Tree = r.Options.Previous.Tree
	}
}

// unused says what of the state that was left this policy does not use.
func unused(r *evaluation.Result) (windows, tree bool) {
	previous := r.Options.Previous
	if previous == nil {
		return false, false
	}
	return r.Program.Windows == nil && previous.IntervalSeconds != 0, r.Tree == nil && previous.Tree != nil
}

// sayUnused reports it.
func sayUnused(r *evaluation.Result) {
	what := ""
	windows, tree := unused(r)
	if windows {
		what = "fairshare windows"
	}
	if tree {
		what = "the usage of an account tree"
	}
	if what != "" {
		r.Findings.Warnf("state-unused", source.Span{}, "the state has %s, which this policy does not use", what).
			Note("they are kept as they are, and what jobs use meanwhile is not added to them").
			Note("keep one state file for each policy that is evaluated regularly")
	}
}
