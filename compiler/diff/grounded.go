package diff

import (
	"slices"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/schema"
)

// Grounded folds a number with what Maui's credentials have: 0 where none of these policies gives anybody of a kind a
// value, or a target.
func Grounded(policies ...*ir.Policy) func(ir.Scalar) ir.Scalar {
	given := map[schema.ColumnID]bool{}
	for _, p := range policies {
		for i := range p.Tables {
			given[p.Tables[i].Column] = true
		}
		for i := range p.Fairshare {
			for _, t := range p.Fairshare[i].Targets {
				given[schema.ColumnID(t.Object+".fairshare_delta")] = true
			}
		}
	}
	var ground func(x *expr.Expr) *expr.Expr
	ground = func(x *expr.Expr) *expr.Expr {
		if x.Op == expr.Column && !given[x.Column] {
			zero := schema.Value{Type: x.Type}
			column := schema.Lookup(x.Column)
			if column != nil && column.Origin == schema.Policy && column.Absent == schema.AbsentZero ||
				x.Column.Name() == "fairshare_delta" {
				return expr.NewConst(zero, x.Span)
			}
		}
		if len(x.Args) == 0 || x.Op == expr.Opaque {
			return x
		}
		copied := *x
		copied.Args = make([]*expr.Expr, len(x.Args))
		for i, a := range x.Args {
			copied.Args[i] = ground(a)
		}
		return &copied
	}
	return func(s ir.Scalar) ir.Scalar {
		if s.Expr != nil {
			s.Expr = expr.Fold(ground(s.Expr))
		}
		return s
	}
}

// Weights returns Maui's policy with its weights and caps as they are where none of these policies has one of his
// own: so two policies are compared by the terms that count. Those of Slurm have theirs as they are.
func Weights(p *ir.Policy, policies ...*ir.Policy) *ir.Policy {
	if !familyOf(p).ownWeights {
		return p
	}
	number := Grounded(policies...)
	out := *p
	out.Components = slices.Clone(p.Components)
	for i := range out.Components {
		c := &out.Components[i]
		c.Weight, c.Cap, c.Terms = number(c.Weight), number(c.Cap), slices.Clone(c.Terms)
		for k := range c.Terms {
			t := &c.Terms[k]
			t.Weight, t.Cap = number(t.Weight), number(t.Cap)
		}
	}
	return &out
}
