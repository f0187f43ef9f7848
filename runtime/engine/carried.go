package engine

import (
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// carry hands on what the last evaluation kept and this policy has no use for, so that an evaluation
// with another policy, such as a trial without fairshare, loses nothing.
func carry(r *evaluation.Result, previous *checkpoint.Checkpoint) {
	if previous == nil || r.Next == nil {
		return
	}
	what := ""
	if r.Program.Windows == nil && previous.IntervalSeconds != 0 {
		r.Next.IntervalSeconds, r.Next.Usage = previous.IntervalSeconds, previous.Usage
		what = "fairshare windows"
	}
	if r.Next.Tree == nil && previous.Tree != nil {
		r.Next.Tree = previous.Tree
		what = "the usage of an account tree"
	}
	if what != "" {
		r.Findings.Warnf("state-unused", source.Span{}, "the state has %s, which this policy does not use", what).
			Note("they are kept as they are, and what jobs use meanwhile is not added to them").
			Note("keep one state file for each policy that is evaluated regularly")
	}
}
