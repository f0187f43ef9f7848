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
	"slices"
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

// Raise gives findings of earlier stages the severity that they have in lint.
func Raise(list diag.List) {
	for _, d := range list {
		p := pages.Of(d.Code)
		if p != nil && p.InLint != p.Severity && (p.InLint < d.Severity || d.Severity == p.Severity) {
			d.Severity = p.InLint
		}
	}
}

// ForMoab makes notes of what Maui makes of a file that is Moab's, which may do there what it says. A line that sets
// nothing, and hosts as regular expressions, are the same in both.
func ForMoab(list diag.List) {
	if !slices.ContainsFunc(list, func(d *diag.Diagnostic) bool {
		return d.Code == "maui-moab-file" && d.Severity == diag.Info
	}) {
		return
	}
	for _, d := range list {
		if strings.HasPrefix(d.Code, "maui-") && d.Code != "maui-unrecognised-line" && d.Code != "maui-host-pattern" {
			d.Severity = diag.Info
		}
	}
}

// Codes finds a code, and the codes of a number, without regard to case.
func Codes(name string) []string {
	if p := pages.Of(strings.ToLower(name)); p != nil {
		return []string{p.Code}
	}
	var list []string
	for _, p := range pages.Numbered(name) {
		list = append(list, p.Code)
	}
	return list
}

// IDs are the numbers of a code.
func IDs(code string) []string {
	if p := pages.Of(code); p != nil {
		return p.AllNumbers()
	}
	return nil
}

// Unread reports an included file that is missing, or a line that ends before its author meant: what
// it sets is then not known.
func Unread(d *diag.Diagnostic) bool {
	switch d.Code {
	case "slurm-more-findings", "maui-more-findings", "slurm-template", "maui-template":
		return true
	case "slurm-syntax", "slurm-missing-value":
		key, _, ok := strings.Cut(d.Span.File.Line(d.Span.Position().Line), "=")
		return !ok || slices.ContainsFunc([]string{"PartitionName", "NodeName", "NodeSet"}, func(record string) bool {
			return strings.EqualFold(strings.TrimSpace(key), record)
		})
	}
	return strings.HasPrefix(d.Code, "slurm-include") || strings.HasPrefix(d.Code, "maui-include")
}
