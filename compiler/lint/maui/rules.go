// Package maui has the rules about maui.cfg: settings without effect, limits that cannot bind, weights that decide
// nothing. Each is a function that looks at a policy, in the list of its file.
package maui

import (
	"slices"

	"github.com/fairway-sched/fairway/compiler/lint/rule"
)

// Rules lists them.
func Rules() []rule.Rule {
	return slices.Concat(weightsRules, fairshareRules, credentialsRules, limitsRules, planningRules, manualRules,
		meantRules, targetsRules, besideRules)
}

// besideRules compare what is set with what is written beside it.
var besideRules = []rule.Rule{{Code: "maui-comment-differs", Check: commentsDiffer}}

func commentsDiffer(p *rule.Pass) { p.CommentsDiffer(p.TimedParams(rule.MauiTime)) }
