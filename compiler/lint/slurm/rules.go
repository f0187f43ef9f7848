// Package slurm has the rules about slurm.conf and the dumps of its accounts. Each is a function that looks at a
// policy, in the list of its file.
package slurm

import (
	"slices"

	"github.com/fairway-sched/fairway/compiler/lint/rule"
)

// Rules lists them.
func Rules() []rule.Rule {
	return slices.Concat(weightsRules, usageRules, flagsRules, tresRules, partitionsRules, backfillRules,
		pluginsRules, accountsRules, namesRules, dumpRules, machinesRules, pairsRules,
		memoryRules, databaseRules, securityRules, twiceRules, besideRules)
}
