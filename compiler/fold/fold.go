// Package fold computes at compile time what does not depend on a job: parameters
// are constants by now, so whole branches of the library's formulas fall away.
// eval(fold(p)) = eval(p), bit for bit.
package fold

import (
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/expr"
)

// Policy returns the policy with every expression folded.
func Policy(p *ir.Policy) *ir.Policy {
	out := *p
	out.Components = make([]ir.Component, len(p.Components))
	for i, c := range p.Components {
		c.Weight, c.Cap = Scalar(c.Weight), Scalar(c.Cap)
		terms := make([]ir.Term, len(c.Terms))
		for k, t := range c.Terms {
			t.Weight, t.Cap, t.Factor = Scalar(t.Weight), Scalar(t.Cap), Scalar(t.Factor)
			terms[k] = t
		}
		c.Terms = terms
		out.Components[i] = c
	}
	out.Finish.Floor, out.Finish.Ceiling = Scalar(p.Finish.Floor), Scalar(p.Finish.Ceiling)
	out.Finish.Overrides = make([]ir.Override, len(p.Finish.Overrides))
	for i, o := range p.Finish.Overrides {
		o.When, o.Value = Scalar(o.When), Scalar(o.Value)
		out.Finish.Overrides[i] = o
	}
	out.Holds = make([]ir.Hold, len(p.Holds))
	for i, h := range p.Holds {
		h.When = Scalar(h.When)
		out.Holds[i] = h
	}
	out.Limits = make([]ir.Limit, len(p.Limits))
	for i, l := range p.Limits {
		l.When = Scalar(l.When)
		out.Limits[i] = l
	}
	return &out
}

// Scalar returns a number with its expression folded.
func Scalar(s ir.Scalar) ir.Scalar {
	if s.Expr != nil {
		s.Expr = expr.Fold(s.Expr)
	}
	return s
}
