package compiler

import (
	"slices"

	"github.com/fairway-sched/fairway/compiler/codegen"
	"github.com/fairway-sched/fairway/compiler/edit"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/optimize"
	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/program"
)

// WithoutTerm is the program of a policy that compiled, as it would score if one of its terms weighed nothing, or with
// edit.AllTerms none of a component.
func WithoutTerm(p *ir.Policy, component, term int) *program.Program {
	other := *p
	other.Components = slices.Clone(p.Components)
	c := &other.Components[component]
	c.Terms = slices.Clone(c.Terms)
	for i := range c.Terms {
		if t := &c.Terms[i]; i == term || term == edit.AllTerms {
			t.Weight = ir.Scalar{Expr: expr.NewConst(schema.DoubleValue(0), t.Span)}
		}
	}
	prog, diags := codegen.Generate(&other)
	if prog == nil {
		panic("INVARIANT: a policy that compiled does not without a term: " + diags[0].Message)
	}
	return optimize.Scores(prog)
}
