package compiler

import (
	"strconv"

	"github.com/fairway-sched/fairway/compiler/codegen"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/optimize"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/program"
)

// Queries is a program of the policy's queries alone, a term each of its only component: what is asked of jobs never
// has a part in what is evaluated.
func Queries(p *ir.Policy) (*program.Program, diag.List) {
	asks := *p
	one := ir.Scalar{Expr: expr.NewConst(schema.DoubleValue(1), p.Span)}
	c := ir.Component{Name: "query", Weight: one}
	for i, q := range p.Queries {
		c.Terms = append(c.Terms, ir.Term{Name: strconv.Itoa(i), Weight: one, Factor: q.Value, Span: q.Span})
	}
	asks.Components, asks.Holds, asks.Finish = []ir.Component{c}, nil, ir.Finish{Span: p.Finish.Span}
	out, diags := codegen.Generate(&asks)
	if out == nil {
		return nil, diags
	}
	return optimize.Explained(out), diags
}
