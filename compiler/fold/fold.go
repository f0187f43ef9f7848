// Package fold computes at compile time what does not depend on a job: parameters
// are constants by now, so whole branches of the library's formulas fall away.
// eval(fold(p)) = eval(p), bit for bit.
package fold

import (
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/expr"
)

// Policy returns the policy with every expression folded.
func Policy(p *ir.Policy) *ir.Policy { return Map(p, Scalar) }

// Map returns the policy with something made of every number.
func Map(p *ir.Policy, each func(ir.Scalar) ir.Scalar) *ir.Policy {
	out := *p
	out.Defines = make([]ir.Define, len(p.Defines))
	for i, d := range p.Defines {
		d.Value = each(d.Value)
		out.Defines[i] = d
	}
	out.Components = make([]ir.Component, len(p.Components))
	for i, c := range p.Components {
		c.Weight, c.Cap = each(c.Weight), each(c.Cap)
		terms := make([]ir.Term, len(c.Terms))
		for k, t := range c.Terms {
			t.Weight, t.Cap, t.Factor = each(t.Weight), each(t.Cap), each(t.Factor)
			terms[k] = t
		}
		c.Terms = terms
		out.Components[i] = c
	}
	out.Finish.Floor, out.Finish.Ceiling = each(p.Finish.Floor), each(p.Finish.Ceiling)
	out.Finish.Overrides = make([]ir.Override, len(p.Finish.Overrides))
	for i, o := range p.Finish.Overrides {
		o.When, o.Value = each(o.When), each(o.Value)
		out.Finish.Overrides[i] = o
	}
	out.Holds = make([]ir.Hold, len(p.Holds))
	for i, h := range p.Holds {
		h.When = each(h.When)
		out.Holds[i] = h
	}
	out.Admission = make([]ir.Hold, len(p.Admission))
	for i, h := range p.Admission {
		h.When = each(h.When)
		out.Admission[i] = h
	}
	out.Queries = nil
	for _, q := range p.Queries {
		q.Value = each(q.Value)
		out.Queries = append(out.Queries, q)
	}
	out.Limits = make([]ir.Limit, len(p.Limits))
	for i, l := range p.Limits {
		l.When = each(l.When)
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
