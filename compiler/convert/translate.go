package convert

import (
	"fmt"
	"slices"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// translate writes a policy for another scheduler than its own, or for one where it has none. Rules take what
// has a counterpart. A setting is taken where it is said, or where the list names it, and nowhere else: all that is left at
// the end and has an effect is reported.
func (w *writer) translate(family string, opt lower.Options) {
	switch {
	case family == "slurm":
		w.toSlurm()
	case w.policy.Family == "":
		w.scratchToMaui(opt)
	default:
		w.toMaui()
	}
	w.left(fileName[family])
}

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

// say sets a parameter of the other scheduler, by what these settings say.
func (w *writer) say(name string, value any, from ...source.Span) {
	first := source.Span{}
	if len(from) > 0 {
		first = from[0]
	}
	w.setParam(name, fmt.Sprint(value), first)
	w.exact(from...)
}

// isSet reports a parameter that the site sets.
func (w *writer) isSet(name string) (*ir.Param, bool) {
	p := w.params[name]
	return p, p != nil && !p.Set.IsZero()
}

// number is a parameter's value, 0 if there is none.
func (w *writer) number(name string) float64 {
	if p := w.params[name]; p != nil {
		return p.Value.Number()
	}
	return 0
}

func (w *writer) word(name string) string {
	if p := w.params[name]; p != nil {
		return p.Value.Str
	}
	return ""
}

// span is where a parameter is set.
func (w *writer) span(name string) source.Span {
	if p := w.params[name]; p != nil {
		return p.Set
	}
	return source.Span{}
}

// part is a term of the library's formula as the policy weighs it.
type part struct {
	weight float64 // the component's times its own
	cap    float64 // of the factor; 0 is none
	from   []source.Span
	capped []source.Span // what sets the cap
}

// at is the place that a finding about the part shows.
func (p part) at() source.Span {
	for _, s := range slices.Backward(p.from) {
		if !s.IsZero() {
			return s
		}
	}
	return source.Span{}
}

// part of a weight that is no number, or of a factor that is not the library's, is none: it is left.
func (w *writer) part(of, name string) (p part) {
	if w.own != nil {
		return w.own[of+" / "+name]
	}
	c, from := component(w.policy, of), component(w.library, of)
	if c == nil || from == nil {
		return part{}
	}
	t, usual := term(c, name), term(from, name)
	if t == nil || usual == nil || !usualHere(t.Factor) {
		return part{}
	}
	all, at, ok := w.value(c.Weight, from.Weight, "WEIGHT")
	own, place, is := w.value(t.Weight, usual.Weight, "WEIGHT")
	if !ok || !is {
		return part{}
	}
	p.weight, p.from = all*own, []source.Span{at, place}
	if top, place, ok := w.value(t.Cap, usual.Cap, "CAP"); ok && top > 0 {
		p.cap, p.capped = top, append(p.capped, place)
	}
	if top, place, ok := w.value(c.Cap, from.Cap, "CAP"); ok && top > 0 && own > 0 && w.only(c, from, t) {
		if all > 0 && w.documented("component_cap") {
			top /= all
		}
		if top /= own; p.cap == 0 || top < p.cap {
			p.cap = top
		}
		p.capped = append(p.capped, place)
	}
	return p
}

// value is a weight or a cap, with what sets it. One that is the library's is the parameter's.
func (w *writer) value(s, usual ir.Scalar, suffix string) (float64, source.Span, bool) {
	if usualHere(s) {
		for _, from := range usual.Sources {
			if is(from.Name, suffix) {
				return w.number(from.Name), w.span(from.Name), true
			}
		}
	}
	value, ok := constant(s)
	return value, placeOf(s), ok
}

// only reports a term beside which the component has no other that counts.
func (w *writer) only(c, from *ir.Component, t *ir.Term) bool {
	return !slices.ContainsFunc(c.Terms, func(other ir.Term) bool { return other.Name != t.Name && w.counts(&other, from) })
}

// counts reports a term that is weighed.
func (w *writer) counts(t *ir.Term, from *ir.Component) bool {
	var usual ir.Scalar
	if from != nil {
		if u := term(from, t.Name); u != nil {
			usual = u.Weight
		}
	}
	value, _, ok := w.value(t.Weight, usual, "WEIGHT")
	for _, id := range t.Weight.Expr.Columns() {
		ok = ok && len(w.rows(id)) == 0
	}
	return !ok || value != 0
}

func (w *writer) documented(deviation string) bool {
	return slices.ContainsFunc(w.policy.Deviations, func(d ir.Deviation) bool { return d.Name == deviation && d.Documented })
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
