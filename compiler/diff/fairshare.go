package diff

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
)

// asleep reports windows without any setting: every Maui policy has them.
func asleep(f *ir.Fairshare) bool {
	return f.Model == "windows" && len(f.Targets) == 0 &&
		!slices.ContainsFunc(f.Settings, func(s ir.Setting) bool { return !s.Span.IsZero() })
}

// sharesAlike reports that both share by windows, or both by a tree, whose formulas have the same settings.
func sharesAlike(a, b *ir.Policy) bool {
	kind := func(p *ir.Policy) string {
		if len(p.Fairshare) == 0 {
			return ""
		}
		if p.Fairshare[0].Model == "windows" {
			return "windows"
		}
		return "tree"
	}
	return kind(a) == kind(b)
}

// fairshare compares models, their settings, targets, shares and bills.
func (c *comparison) fairshare(p *ir.Policy) []item {
	var out []item
	both := sharesAlike(c.before, c.after)
	for i := range p.Fairshare {
		f := &p.Fairshare[i]
		if asleep(f) && !both {
			continue
		}
		out = append(out, item{group: Fairshare, key: "model", name: "fairshare model",
			side: Side{Value: f.Model, Span: f.Span}})
		for _, s := range f.Settings {
			if both || !s.Span.IsZero() {
				x := settingItem(Fairshare, "fairshare ", s)
				if param := familyOf(p).windows[s.Name]; param != "" && f.Model == "windows" {
					x.by = []string{param}
				}
				out = append(out, x)
			}
		}
		for _, t := range f.Targets {
			object := fmt.Sprintf("%s %s", t.Object, t.Name)
			out = append(out, item{group: Fairshare, key: fmt.Sprintf("target %s %v %v", object, t.Others, t.Caps()),
				name: "share of " + object, side: Side{Value: fmt.Sprintf("%s %g", t.Kind, t.Value), Source: t.Source,
					Span: t.Span}})
		}
		for _, b := range f.Billing {
			weights := slices.Clone(b.Weights)
			slices.SortStableFunc(weights, func(a, b slurmtext.TRESWeight) int { return cmp.Compare(a.Name, b.Name) })
			out = append(out, item{group: Fairshare, key: "billing " + b.Partition, name: "billing in " +
				cmp.Or(b.Partition, "all other partitions"),
				side: Side{Value: cmp.Or(weightsText(weights), "processors"), Span: b.Span}})
		}
		for j := range f.Associations {
			a := &f.Associations[j]
			shares := fmt.Sprintf("shares %d", a.Shares)
			if a.UsesParent() {
				shares = "the shares of the account above"
			}
			if a.Parent != "" {
				shares += " below " + a.Parent
			}
			out = append(out, item{group: Fairshare, key: "association " + a.Key(), name: "association " + a.Key(),
				side: Side{Value: shares, Source: a.Source, Span: a.Span}})
		}
	}
	for i := range p.Usage {
		u := &p.Usage[i]
		out = append(out, item{group: Fairshare, key: "usage " + u.Name, name: "usage " + u.Name,
			side: Side{Value: u.Amounts(), Span: u.Span}})
	}
	return out
}
