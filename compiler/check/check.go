// Package check refuses a policy that could not be run as written. It looks at
// the folded IR, so a model that no job's priority depends on is not demanded.
package check

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// Policy reports what is in the way of running p.
func Policy(p *ir.Policy) diag.List {
	c := checker{p: p}
	c.components()
	c.fairshare()
	c.usage()
	c.limits()
	c.plan()
	c.diags.Sort()
	return c.diags
}

type checker struct {
	p     *ir.Policy
	diags diag.List
}

func (c *checker) components() {
	if len(c.p.Components) == 0 {
		c.diags.Errorf("empty-policy", c.p.Span, "policy %q has no component, so every job would get the same priority",
			c.p.Name).
			Note("inherit a scheduler's formula (use = \"maui\" or \"slurm\"), or write a component block")
	}
}

// limits says of Slurm's limits that they do not count where nothing enforces them. Those of a dump
// are not there then; a policy file's block is meant.
func (c *checker) limits() {
	e := c.p.Enforced
	if e == nil || e.Limits || slices.Contains(c.p.Without, "limits") {
		return
	}
	i := slices.IndexFunc(c.p.Limits, func(l ir.Limit) bool { return l.Kind != "" })
	if i < 0 {
		return
	}
	c.diags.Warnf("limits-not-enforced", c.p.Limits[i].Span,
		"%s has no effect: AccountingStorageEnforce does not name limits", c.p.Limits[i].Name).
		Note("slurmctld ignores the limits of associations and QOS then").
		Note("write params = { AccountingStorageEnforce = \"limits\" }, or the key in slurm.conf")
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
