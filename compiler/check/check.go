// Package check refuses a policy that could not be run as written. It looks at
// the folded IR, so a model that no job's priority depends on is not demanded.
package check

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// Policy reports what stands in the way of running p.
func Policy(p *ir.Policy) diag.List {
	c := checker{p: p}
	c.components()
	c.limits()
	c.diags.Sort()
	return c.diags
}

type checker struct {
	p     *ir.Policy
	diags diag.List
}

func (c *checker) components() {
	if len(c.p.Components) == 0 {
		c.diags.Errorf("empty-policy", c.p.Span, "policy %q has no component, so every job would get the same priority", c.p.Name).
			Note("inherit a scheduler's formula (use = \"maui\" or \"slurm\"), or write a component block")
	}
	for _, comp := range c.p.Components {
		if comp.Weight.IsZero() {
			continue
		}
		for _, t := range comp.Terms {
			if t.Weight.IsZero() {
				continue
			}
			c.model(comp, t)
		}
	}
}

// model refuses a term that needs a model this version does not have.
func (c *checker) model(comp ir.Component, t ir.Term) {
	for _, id := range slices.Concat(t.Factor.Expr.Columns(), t.Weight.Expr.Columns()) {
		doc := schema.Lookup(id)
		if doc == nil || doc.Origin != schema.Model {
			continue
		}
		span, set := setBy(t.Weight, t.Factor, comp.Weight)
		if span.IsZero() {
			span = t.Span
		}
		d := c.diags.Errorf("unsupported-fairshare", span, "%s.%s needs %s, which this version does not compute", comp.Name, t.Name, id)
		if set != "" {
			d.Note("it is in the sum because of %s", set)
		}
		d.Note("to rank without fairshare, and say so in the result: --without %s", comp.Name)
		return
	}
}

// limits refuses Slurm's throttles: they decide who may start, and are not computed yet.
func (c *checker) limits() {
	if len(c.p.Limits) == 0 || c.p.Family != "slurm" {
		return
	}
	first := c.p.Limits[0]
	d := c.diags.Errorf("unsupported-limits", first.Span, "this version does not apply Slurm's limits; the policy sets %d", len(c.p.Limits))
	d.Note("priorities do not depend on limits, but which jobs are blocked does")
	d.Note("to rank without them, and say so in the result: --without limits")
	for _, l := range c.p.Limits[1:min(len(c.p.Limits), 4)] {
		d.NoteAt(l.Span, "also here")
	}
}

// setBy finds the first parameter the site set among the sources.
func setBy(scalars ...ir.Scalar) (source.Span, string) {
	for _, s := range scalars {
		for _, src := range s.Sources {
			if !src.Span.IsZero() {
				return src.Span, strings.TrimSpace(src.Name + " " + src.Value.String())
			}
		}
	}
	return source.Span{}, ""
}
