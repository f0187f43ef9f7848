package slurm

import (
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lint/rule"
)

// besideRules compare what is set with what is written beside it.
var besideRules = []rule.Rule{{Code: "slurm-comment-differs", Check: commentsDiffer}}

// partitionTimes are the keys of a partition that are times, with their units.
var partitionTimes = []struct {
	key     string
	seconds float64
}{{"MaxTime", 60}, {"DefaultTime", 60}, {"OverTimeLimit", 60}, {"GraceTime", 1}, {"SuspendTimeout", 1}, {"ResumeTimeout", 1}}

func commentsDiffer(p *rule.Pass) {
	list := p.TimedParams(rule.SlurmTime)
	for _, k := range partitionTimes {
		p.Each("PartitionName", k.key, func(_ *ir.Record, a *ir.Attr) {
			if !a.Infinite && a.Number() > 0 {
				list = append(list, rule.TimedAttr(a, k.seconds, rule.SlurmTime))
			}
		})
	}
	p.CommentsDiffer(list)
}
