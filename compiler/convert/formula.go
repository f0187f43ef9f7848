package convert

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/fold"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/source"
)

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
	return !slices.ContainsFunc(c.Terms,
		func(other ir.Term) bool { return other.Name != t.Name && w.counts(&other, from) })
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

// libraryOf is the library's policy that a policy uses, with the same choices and, if asked for, parameters;
// nil if it uses none.
func libraryOf(p *ir.Policy, params bool) *ir.Policy {
	if p.Family == "" {
		return nil
	}
	opt := lower.Options{Version: p.Version, Semantics: p.Semantics}
	for _, d := range p.Deviations {
		if d.Documented && p.Semantics != "documented" {
			opt.Deviations = append(opt.Deviations, d.Name)
		}
	}
	for i := range p.Params {
		v := &p.Params[i]
		if text, ok := lower.ParamText(p.Family, v, v.Value); ok && params && !v.Set.IsZero() &&
			v.Name != "PriorityType" {
			opt.Params = append(opt.Params, lower.ParamOverride{Name: v.Name, Value: text, Span: v.Set})
		}
	}
	return library("use = "+quote(libraryName(p, p.Family)), opt)
}

// library lowers a policy of these blocks.
func library(text string, opt lower.Options) *ir.Policy {
	file := source.NewFile("library", []byte("policy \"library\" {\n"+text+"\n}\n"))
	unit, _ := lower.Parse(file, lower.HCL, lower.Files{})
	p, _ := lower.Lower([]lower.Unit{unit}, opt)
	return p
}

func component(p *ir.Policy, name string) *ir.Component {
	if p == nil {
		return nil
	}
	for i := range p.Components {
		if p.Components[i].Name == name {
			return &p.Components[i]
		}
	}
	return nil
}

func term(c *ir.Component, name string) *ir.Term {
	for i := range c.Terms {
		if c.Terms[i].Name == name {
			return &c.Terms[i]
		}
	}
	return nil
}

func paramsOf(p *ir.Policy) map[string]*ir.Param {
	m := make(map[string]*ir.Param, len(p.Params))
	for i := range p.Params {
		m[p.Params[i].Name] = &p.Params[i]
	}
	return m
}

// usualHere reports a number that is as the library has it, or that nobody has.
func usualHere(s ir.Scalar) bool { return s.Expr == nil || fromLibrary(s.Expr.Span) }

// constant is the value of a number that no job changes.
func constant(s ir.Scalar) (float64, bool) {
	s = fold.Scalar(s)
	if !s.Expr.IsConst() {
		return 0, false
	}
	return s.Expr.Value.Number(), true
}

// placeOf is where a site wrote a number, zero if the library did.
func placeOf(s ir.Scalar) source.Span {
	if s.Expr != nil && !s.Expr.Span.IsZero() && !fromLibrary(s.Expr.Span) {
		return s.Expr.Span
	}
	for _, from := range s.Sources {
		if !from.Span.IsZero() {
			return from.Span
		}
	}
	return source.Span{}
}

func fromLibrary(s source.Span) bool {
	return s.File != nil && strings.HasPrefix(s.File.Name, "stdlib:")
}

// is reports a parameter that is a weight, or a cap, by its name.
func is(param, suffix string) bool {
	return strings.HasSuffix(param, suffix) || suffix == "WEIGHT" && strings.HasPrefix(param, "PriorityWeight")
}

// scalars visits the numbers of the formula.
func scalars(p *ir.Policy, visit func(name string, s ir.Scalar)) {
	for i := range p.Components {
		c := &p.Components[i]
		visit("the weight of component "+c.Name, c.Weight)
		visit("the cap of component "+c.Name, c.Cap)
		for k := range c.Terms {
			t := &c.Terms[k]
			name := "term " + c.Name + " / " + t.Name
			visit("the weight of "+name, t.Weight)
			visit("the cap of "+name, t.Cap)
			visit("the factor of "+name, t.Factor)
		}
	}
	visit("the floor of priorities", p.Finish.Floor)
	visit("the ceiling of priorities", p.Finish.Ceiling)
	for _, o := range p.Finish.Overrides {
		visit("the condition of override "+o.Name, o.When)
		visit("the value of override "+o.Name, o.Value)
	}
	for _, h := range p.Holds {
		visit("hold "+h.Name, h.When)
	}
}

// windows is the model of Maui, if the policy has it.
func (w *writer) windows() *ir.Fairshare {
	for i := range w.policy.Fairshare {
		if f := &w.policy.Fairshare[i]; f.Model == "windows" {
			return f
		}
	}
	return nil
}
