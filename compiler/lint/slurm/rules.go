// Package slurm has the rules about slurm.conf and the dumps of its accounts. Each is a function that looks at a
// policy, in the list of its file.
package slurm

import (
	"slices"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lint/rule"
)

// Rules lists them.
func Rules() []rule.Rule {
	return slices.Concat(weightsRules, usageRules, flagsRules, tresRules, partitionsRules, backfillRules,
		pluginsRules, accountsRules, namesRules, dumpRules, machinesRules, pairsRules,
		memoryRules, databaseRules, securityRules, twiceRules, besideRules)
}

// besideRules compare what is set with what is written beside it.
var besideRules = []rule.Rule{{Code: "slurm-comment-differs", Check: commentsDiffer}}

// partitionTimes are the keys of a partition that are times, with their units.
var partitionTimes = []struct {
	key     string
	seconds float64
}{{"MaxTime", 60}, {"DefaultTime", 60}, {"OverTimeLimit", 60},
	{"GraceTime", 1}, {"SuspendTimeout", 1}, {"ResumeTimeout", 1}}

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
	var amounts []rule.Timed
	for _, name := range amountsOfMemory {
		if p.IsSet(name) && p.Number(name) > 0 {
			amounts = append(amounts, rule.Timed{Name: name, Seconds: p.Number(name), At: p.At(name)})
		}
	}
	for _, r := range p.Records["NodeName"] {
		m := r.Machine
		if n := len(amounts); m != nil && !m.MemoryMB.Set.IsZero() && (n == 0 || amounts[n-1].At != m.MemoryMB.Set) {
			mb := float64(m.MemoryMB.Number)
			amounts = append(amounts, rule.Timed{Name: "RealMemory", Seconds: mb, At: m.MemoryMB.Set})
		}
	}
	p.MemoryComments(amounts)
}
