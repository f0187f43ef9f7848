package lint

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/diag/pages"
	"github.com/fairway-sched/fairway/lang/source"
)

// Rule is one thing that lint looks for. Its page, lang/diag/pages/lint/…/CODE.txt, has its severity, numbers and text.
type Rule struct {
	Code  string
	check func(*pass)
}

// Options choose what is reported.
type Options struct {
	All bool // the rules on demand too
}

// Asked reports a code that is looked for: not one that is reported on demand alone where that is not wanted, nor one about
// queues where there is no queue. An upgrade to another version reports what becomes different alone.
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

// Rules lists the rules that look at a policy.
func Rules() []Rule {
	return slices.Concat(mauiWeights, mauiFairshare, mauiCredentials, mauiLimits, mauiPlanning, mauiManual, mauiMeant,
		slurmWeights, slurmUsage, slurmFlags, slurmTRES, slurmPartitions, slurmBackfill, slurmPlugins, slurmAccounts,
		slurmNames, slurmDump, slurmMachines, slurmPairs, expressions)
}

// Policy runs the rules over a policy.
func Policy(p *ir.Policy, opt Options) diag.List {
	run := &pass{Policy: p, all: opt.All}
	run.index()
	for _, r := range Rules() {
		run.rule = r.Code
		r.check(run)
	}
	run.found.Sort()
	return run.found
}

// pass is a policy while rules run over it.
type pass struct {
	*ir.Policy
	rule  string // the code of the rule that is running
	all   bool
	found diag.List

	params  map[string]*ir.Param
	global  *ir.Record
	records map[string][]*ir.Record // by kind
	tiers   map[string]int64        // of partitions; see tier
	version int                     // 2205 for 22.05
}

// index makes parameters and records quick to find.
func (p *pass) index() {
	p.params, p.records = map[string]*ir.Param{}, map[string][]*ir.Record{}
	for i := range p.Params {
		p.params[p.Params[i].Name] = &p.Params[i]
	}
	for i := range p.Facts.Records {
		r := &p.Facts.Records[i]
		p.records[r.Kind] = append(p.records[r.Kind], r)
		if r.Kind == "" && p.global == nil {
			p.global = r
		}
	}
	p.version = versionNumber(p.Version)
}

// report adds a finding of the rule that is running; nil, if it is one on demand that was not asked for.
func (p *pass) report(at source.Span, format string, args ...any) *diag.Diagnostic {
	page := pages.Of(p.rule)
	if page.OnDemand == "yes" && !p.all {
		return nil
	}
	return p.found.Add(page.Severity, p.rule, at, format, args...)
}
