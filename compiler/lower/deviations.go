package lower

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/policy"
)

// numberedDeviations names those deviations that are chosen by their number in
// the list of differences. It comes first, since dialects are read by them.
func (l *lowering) numberedDeviations() {
	if len(l.opt.Deviations) == 0 {
		return
	}
	l.opt.Deviations = slices.Clone(l.opt.Deviations) // the caller's
	var known []policy.DeviationDecl
	for _, p := range slices.Concat(Library(), l.site) {
		known = append(known, p.DeviationDecls...)
	}
	for i, name := range l.opt.Deviations {
		if j := slices.IndexFunc(
			known,
			func(d policy.DeviationDecl) bool { return d.Number.IsSet() && slices.Contains(numbers(d), name) },
		); j >= 0 {
			l.opt.Deviations[i] = known[j].Name
		}
	}
}

// numbers are those of a deviation; one switch may stand for several differences. Not
// every keyboard has a Δ, so a D will do.
func numbers(d policy.DeviationDecl) []string {
	list := strings.Split(d.Number.Value, ", ")
	for _, n := range list {
		list = append(list, strings.Replace(n, "Δ", "D", 1))
	}
	return list
}

// deviating lists the family's known differences and which side is taken.
func (l *lowering) deviating() map[string]bool {
	documented := map[string]bool{}
	var names []string
	for _, p := range l.layers() {
		for _, d := range p.DeviationDecls {
			on := l.opt.Documented(d.Name)
			documented[d.Name] = on
			names = append(names, d.Name)
			l.out.Deviations = append(
				l.out.Deviations,
				ir.Deviation{Name: d.Name, Number: d.Number.Value, Documented: on,
					Doc: d.Doc.Value, Observed: d.Observed.Value, Manual: d.Documented.Value, Span: d.Span},
			)
		}
	}
	for _, name := range l.opt.Deviations {
		if _, ok := documented[name]; !ok {
			d := l.diags.Errorf(
				"unknown-deviation",
				wordPlace(l.deviations[name], name),
				"there is no deviation %q",
				name,
			)
			if family := deviationFamily(name); family != "" {
				d.Note(
					"it is one of the differences between %s and its manual, and this policy is not for %s",
					family,
					family,
				)
			}
			d.Note("`fairway doc deviations` lists them")
			didYouMean(d, name, names)
		}
	}
	return documented
}

// deviationFamily is the scheduler that a deviation of the library belongs to, "" if it has none.
func deviationFamily(name string) string {
	for _, p := range Library() {
		if slices.ContainsFunc(p.DeviationDecls, func(d policy.DeviationDecl) bool { return d.Name == name }) {
			return families[libraries[p.Name.Value].family].title
		}
	}
	return ""
}
