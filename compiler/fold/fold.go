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
		c.Weight, c.Cap = scalar(c.Weight), scalar(c.Cap)
		terms := make([]ir.Term, len(c.Terms))
		for k, t := range c.Terms {
			t.Weight, t.Cap, t.Factor = scalar(t.Weight), scalar(t.Cap), scalar(t.Factor)
			terms[k] = t
		}
		c.Terms = terms
		out.Components[i] = c
	}
	out.Finish.Floor, out.Finish.Ceiling = scalar(p.Finish.Floor), scalar(p.Finish.Ceiling)
	out.Finish.Overrides = make([]ir.Override, len(p.Finish.Overrides))
	for i, o := range p.Finish.Overrides {
		o.When, o.Value = scalar(o.When), scalar(o.Value)
		out.Finish.Overrides[i] = o
	}
	out.Holds = make([]ir.Hold, len(p.Holds))
	for i, h := range p.Holds {
		h.When = scalar(h.When)
		out.Holds[i] = h
	}
	out.Limits = make([]ir.Limit, len(p.Limits))
	for i, l := range p.Limits {
		l.When = scalar(l.When)
		out.Limits[i] = l
	}
	return &out
}

func scalar(s ir.Scalar) ir.Scalar {
	if s.Expr != nil {
		s.Expr = expr.Fold(s.Expr)
	}
	return s
}
