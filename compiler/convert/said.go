package convert

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// exact marks settings as said.
func (t *translation) exact(list ...source.Span) {
	for _, s := range list {
		if !t.collided[s] {
			t.taken[s] = true
		}
	}
}

// near marks a setting as said nearly, and how.
func (w *writer) near(s source.Span, how, format string, args ...any) {
	if w.collided[s] {
		return
	}
	w.taken[s] = true
	w.diags.Infof("convert-approximated", s, format, args...).Note("%s", how)
}

// unsaid is something that has no words there, or that nothing is computed from.
type unsaid struct {
	name  string
	span  source.Span
	about bool   // nothing is computed from it
	why   string // where one place of a file has several
}

// miss remembers what is not said.
func (t *translation) miss(name string, at source.Span) { t.lacks(name, at, "") }

// lacks is miss with the reason.
func (t *translation) lacks(name string, at source.Span, why string) {
	if !at.IsZero() {
		t.missed = append(t.missed, unsaid{name: name, span: at, why: why})
	}
}

// because says why something is left.
func (t *translation) because(at source.Span, why string) { t.reasons[at] = why }

// say sets a parameter of the other scheduler, by what these settings say.
func (w *writer) say(name string, value any, from ...source.Span) {
	first := source.Span{}
	if len(from) > 0 {
		first = from[0]
	}
	w.setParam(name, fmt.Sprint(value), first)
	w.exact(from...)
}

// leftOut says that something of the file has no meaning that could be kept.
func (w *writer) leftOut(span source.Span, what, why string) {
	w.diags.Infof("convert-left-out", span, "%s is left out, as the scheduler passes over it", what).Note("%s", why)
}

// isSet reports a parameter that the site sets.
func (w *writer) isSet(name string) (*ir.Param, bool) {
	p := w.params[name]
	return p, p != nil && !p.Set.IsZero()
}

// of is a parameter as the policy has it, its zero if there is none.
func (w *writer) of(name string) (p ir.Param) {
	if w.params[name] != nil {
		p = *w.params[name]
	}
	return p
}

func (w *writer) number(name string) float64   { return w.of(name).Value.Number() }
func (w *writer) word(name string) string      { return w.of(name).Value.Str }
func (w *writer) span(name string) source.Span { return w.of(name).Set }

// flag reports a word of PriorityFlags.
func (w *writer) flag(name string) bool {
	return strings.Contains(strings.ToUpper(w.word("PriorityFlags")), name)
}

func (w *writer) documented(deviation string) bool {
	return slices.ContainsFunc(w.policy.Deviations,
		func(d ir.Deviation) bool { return d.Name == deviation && d.Documented })
}

// rows of a column, DEFAULT for all other names.
func (w *writer) rows(column schema.ColumnID) (list []ir.TableRow) {
	for i := range w.policy.Tables {
		t := &w.policy.Tables[i]
		if t.Column != column {
			continue
		}
		if t.Others != nil && !t.Others.Span.IsZero() {
			others := *t.Others
			others.Name = "DEFAULT"
			list = append(list, others)
		}
		list = append(list, t.Rows...)
	}
	return list
}

// associations are those of a policy's trees.
func associations(p *ir.Policy) iter.Seq[*ir.Association] {
	return func(yield func(*ir.Association) bool) {
		for i := range p.Fairshare {
			for k := range p.Fairshare[i].Associations {
				if !yield(&p.Fairshare[i].Associations[k]) {
					return
				}
			}
		}
	}
}

// targets are those of a policy's windows.
func targets(p *ir.Policy) iter.Seq[*ir.Target] {
	return func(yield func(*ir.Target) bool) {
		for i := range p.Fairshare {
			for k := range p.Fairshare[i].Targets {
				if !yield(&p.Fairshare[i].Targets[k]) {
					return
				}
			}
		}
	}
}

// hasAssociation reports one of a kind.
func hasAssociation(p *ir.Policy, is func(a *ir.Association) bool) bool {
	for a := range associations(p) {
		if is(a) {
			return true
		}
	}
	return false
}

// placed is a credential, where the policy first has something for it.
type placed struct {
	name string
	span source.Span
}

// placesOf are those of a kind that the policy has something for.
func placesOf(p *ir.Policy, object string) (list []placed) {
	for i := range p.Tables {
		if p.Tables[i].Column.Object() == object {
			for _, r := range p.Tables[i].Rows {
				list = append(list, placed{r.Name, r.Span})
			}
		}
	}
	for i := range p.Limits {
		if l := &p.Limits[i]; l.Object == object {
			list = append(list, placed{l.Row, l.Span})
		}
	}
	for t := range targets(p) {
		if t.Object == object {
			list = append(list, placed{t.Name, t.Span})
		}
	}
	return list
}

func named(p *ir.Policy, object string) (names []string) {
	for _, c := range placesOf(p, object) {
		names = append(names, c.name)
	}
	return names
}

// free is a name that none of the list has, in any case: Slurm takes names so.
func free(name string, list []string) string {
	for slices.ContainsFunc(list, func(old string) bool { return strings.EqualFold(old, name) }) {
		name += "_"
	}
	return name
}
