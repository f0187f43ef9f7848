package lint

import (
	"slices"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// Rule is one thing that lint looks for.
type Rule struct {
	ID string // its number: M of Maui, SL of Slurm, P of policy files and lint itself, Q of queues, U of upgrades
	diag.CodeDoc
	Source   string // where the fact is documented
	OnDemand bool   // true of most files, or a question of intent: reported only when asked for

	UnsetOnDemand bool // reported of a setting that is left out only when asked for

	check func(*pass) // nil: Queue or Upgrade has it
}

// Options choose what is reported.
type Options struct {
	All bool // the rules on demand too
}

// Asked reports a code that is looked for: not one that is reported on demand alone where that is not wanted, nor one about
// queues where there is no queue. An upgrade to another version tells what becomes different alone.
func (o Options) Asked(code string, queue, upgrade bool) bool {
	for _, r := range Rules() {
		if r.Code != code {
			continue
		}
		switch r.ID[0] {
		case 'U':
			return upgrade
		case 'Q':
			return queue
		}
		return !upgrade && (o.All || !r.OnDemand && !r.UnsetOnDemand)
	}
	return !upgrade
}

// Rules lists every rule in the order of their numbers.
func Rules() []Rule {
	return slices.Concat(mauiWeights, mauiFairshare, mauiCredentials, mauiLimits, mauiPlanning, mauiManual, mauiMeant,
		slurmWeights, slurmUsage, slurmFlags, slurmTRES, slurmPartitions, slurmBackfill, slurmPlugins, slurmAccounts, slurmNames, slurmDump, slurmMachines, slurmPairs,
		expressions, queueRules, upgradeRules, ignoreRules)
}

// Policy runs the rules over a policy.
func Policy(p *ir.Policy, opt Options) diag.List {
	run := &pass{Policy: p, all: opt.All}
	run.index()
	for _, r := range Rules() {
		if r.check != nil && (opt.All || !r.OnDemand) {
			run.rule = r
			r.check(run)
		}
	}
	run.found.Sort()
	return run.found
}

// pass is a policy while rules run over it.
type pass struct {
	*ir.Policy
	rule  Rule
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

// report adds a finding of the rule that is running.
func (p *pass) report(at source.Span, format string, args ...any) *diag.Diagnostic {
	return p.found.Add(p.rule.Severity, p.rule.Code, at, format, args...)
}
