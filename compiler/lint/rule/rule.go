// Package rule is what all rules of lint share: a rule is a code and a function, and a pass is the policy while rules
// run over it. ask.go has the questions that many of them ask.
package rule

import (
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/diag/pages"
	"github.com/fairway-sched/fairway/lang/source"
)

// Rule is one thing that lint looks for. Its page, lang/diag/pages/lint/…/CODE.txt, has its severity, numbers and
// text.
type Rule struct {
	Code  string
	Check func(*Pass)
}

// Pass is a policy while rules run over it.
type Pass struct {
	*ir.Policy
	Rule  string // the code of the one that runs
	All   bool   // the rules on demand are wanted too
	Found diag.List

	params  map[string]*ir.Param
	Global  *ir.Record              // the settings of no object; nil if there are none
	Records map[string][]*ir.Record // by kind
	// NodesFrom is, by NodeName record, which of all nodes its first one is.
	NodesFrom []int32
	version   int // 2205 for 22.05
}

// NewPass makes parameters and records quick to find; all asks for the rules on demand too.
func NewPass(policy *ir.Policy, all bool) *Pass {
	p := &Pass{Policy: policy, All: all, params: map[string]*ir.Param{}, Records: map[string][]*ir.Record{}}
	for i := range p.Params {
		p.params[p.Params[i].Name] = &p.Params[i]
	}
	for i := range p.Facts.Records {
		r := &p.Facts.Records[i]
		p.Records[r.Kind] = append(p.Records[r.Kind], r)
		if r.Kind == "" && p.Global == nil {
			p.Global = r
		}
	}
	nodes := int32(0)
	for _, r := range p.Records["NodeName"] {
		p.NodesFrom = append(p.NodesFrom, nodes)
		nodes += int32(r.Count)
	}
	p.version = versionNumber(p.Version)
	return p
}

// Report adds a finding of the rule that is running; nil, if it is one on demand that was not asked for.
func (p *Pass) Report(at source.Span, format string, args ...any) *diag.Diagnostic {
	page := pages.Of(p.Rule)
	if page.OnDemand == "yes" && !p.All {
		return nil
	}
	return p.Found.Add(page.Severity, p.Rule, at, format, args...)
}
