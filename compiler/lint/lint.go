// Package lint finds what a policy says and its author will hardly have meant: settings without
// effect, limits that cannot bind, weights that decide nothing.
//
// In comes an ir.Policy, out go diagnostics; cmd/fairway calls it by way of package compiler. It
// sees the IR alone, so that a rule works alike for maui.cfg, slurm.conf and the policy language.
// What a text shows by itself is reported by the parsers. What a rule means, its severity and its examples are
// on its page in lang/diag/pages/lint.
//
//	maui, slurm, policy    the rules by language: a list and a function each; rule is what they share
//	Policy                 runs them
//	queue                  the rules that ask a recorded queue
//	upgrade                what another version of Slurm makes of the same files
//	report                 findings for other programs
//	Ignore, Baseline, Severities   what a site has decided about findings
package lint

import (
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lint/maui"
	"github.com/fairway-sched/fairway/compiler/lint/policy"
	"github.com/fairway-sched/fairway/compiler/lint/rule"
	"github.com/fairway-sched/fairway/compiler/lint/slurm"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/diag/pages"
)

// Options choose what is reported.
type Options struct {
	All bool // the rules on demand too
}

// Asked reports a code that is looked for: not one that is reported on demand alone where that is not wanted, nor one
// about queues where there is no queue. An upgrade to another version reports what becomes different alone.
func (o Options) Asked(code string, queue, upgrade bool) bool {
	switch p := pages.Of(code); {
	case strings.HasPrefix(code, "upgrade-"):
		return upgrade
	case strings.HasPrefix(code, "queue-"):
		return queue
	default:
		return !upgrade && (o.All || p == nil || p.OnDemand == "")
	}
}

// languages lists the rules by the family of the policies that they are about; those of "" are about all.
var languages = []struct {
	family string
	rules  func() []rule.Rule
}{{"maui", maui.Rules}, {"slurm", slurm.Rules}, {"", policy.Rules}}

// Rules lists the rules that look at a policy.
func Rules() (list []rule.Rule) {
	for _, l := range languages {
		list = append(list, l.rules()...)
	}
	return list
}

// Policy runs the rules over a policy.
func Policy(p *ir.Policy, opt Options) diag.List {
	run := rule.NewPass(p, opt.All)
	for _, l := range languages {
		if l.family != "" && l.family != p.Family {
			continue
		}
		for _, r := range l.rules() {
			run.Rule = r.Code
			r.Check(run)
		}
	}
	run.Found.Sort()
	return run.Found
}
