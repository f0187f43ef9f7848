// Package check refuses a policy that could not be run as written. It looks at
// the folded IR, so a model that no job's priority depends on is not demanded.
package check

import (
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// Policy reports what stands in the way of running p.
func Policy(p *ir.Policy) diag.List {
	c := checker{p: p}
	c.components()
	c.fairshare()
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
