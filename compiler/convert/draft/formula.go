package draft

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/fold"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/source"
)

// Part is a term of the library's formula as the policy weighs it.
type Part struct {
	Weight float64 // the component's times its own
	Cap    float64 // of the factor; 0 is none
	From   []source.Span
	Capped []source.Span // what sets the cap
}

// At is the place that a finding about the part shows.
func (p Part) At() source.Span {
	for _, s := range slices.Backward(p.From) {
		if !s.IsZero() {
			return s
		}
	}
	return source.Span{}
}

// Part of a weight that is no number, or of a factor that is not the library's, is none: it is left.
func (w *Writer) Part(of, name string) (p Part) {
	if w.Own != nil {
		return w.Own[of+" / "+name]
	}
	c, from := Component(w.Policy, of), Component(w.Library, of)
	if c == nil || from == nil {
		return Part{}
	}
	t, usual := Term(c, name), Term(from, name)
	if t == nil || usual == nil || !UsualHere(t.Factor) {
		return Part{}
	}
	all, at, ok := w.Value(c.Weight, from.Weight, "WEIGHT")
	own, place, is := w.Value(t.Weight, usual.Weight, "WEIGHT")
	if !ok || !is {
		return Part{}
	}
	p.Weight, p.From = all*own, []source.Span{at, place}
	if top, place, ok := w.Value(t.Cap, usual.Cap, "CAP"); ok && top > 0 {
		p.Cap, p.Capped = top, append(p.Capped, place)
	}
	if top, place, ok := w.Value(c.Cap, from.Cap, "CAP"); ok && top > 0 && own > 0 && w.only(c, from, t) {
		if all > 0 && w.documented("component_cap") {
			top /= all
		}
		if top /= own; p.Cap == 0 || top < p.Cap {
			p.Cap = top
		}
		p.Capped = append(p.Capped, place)
	}
	return p
}

// Value is a weight or a cap, with what sets it. One that is the library's is the parameter's.
func (w *Writer) Value(s, usual ir.Scalar, suffix string) (float64, source.Span, bool) {
	if UsualHere(s) {
		for _, from := range usual.Sources {
			if Is(from.Name, suffix) {
				return w.Number(from.Name), w.Span(from.Name), true
			}
		}
	}
	value, ok := Constant(s)
	return value, PlaceOf(s), ok
}

// only reports a term beside which the component has no other that counts.
func (w *Writer) only(c, from *ir.Component, t *ir.Term) bool {
	return !slices.ContainsFunc(c.Terms,
		func(other ir.Term) bool { return other.Name != t.Name && w.Counts(&other, from) })
}

// Counts reports a term that is weighed.
func (w *Writer) Counts(t *ir.Term, from *ir.Component) bool {
	var usual ir.Scalar
	if from != nil {
		if u := Term(from, t.Name); u != nil {
			usual = u.Weight
		}
	}
	value, _, ok := w.Value(t.Weight, usual, "WEIGHT")
	for _, id := range t.Weight.Expr.Columns() {
		ok = ok && len(w.Rows(id)) == 0
	}
	return !ok || value != 0
}

// LibraryOf is the library's policy that a policy uses, with the same choices and, if asked for, parameters;
// nil if it uses none.
func LibraryOf(p *ir.Policy, params bool) *ir.Policy {
	if p.Family == "" {
		return nil
	}
	opt := lower.Options{Version: p.Version, Semantics: p.Semantics, Lenient: params}
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
	return Library("use = "+Quote(LibraryName(p, p.Family)), opt)
}

// Library lowers a policy of these blocks.
func Library(text string, opt lower.Options) *ir.Policy {
	file := source.NewFile("library", []byte("policy \"library\" {\n"+text+"\n}\n"))
	unit, _ := lower.Parse(file, lower.HCL, lower.Files{})
	p, _ := lower.Lower([]lower.Unit{unit}, opt)
	return p
}

func Component(p *ir.Policy, name string) *ir.Component {
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

func Term(c *ir.Component, name string) *ir.Term {
	for i := range c.Terms {
		if c.Terms[i].Name == name {
			return &c.Terms[i]
		}
	}
	return nil
}

func ParamsOf(p *ir.Policy) map[string]*ir.Param {
	m := make(map[string]*ir.Param, len(p.Params))
	for i := range p.Params {
		m[p.Params[i].Name] = &p.Params[i]
	}
	return m
}

// UsualHere reports a number that is as the library has it, or that is not set.
func UsualHere(s ir.Scalar) bool { return s.Expr == nil || FromLibrary(s.Expr.Span) }

// Constant is the value of a number that no job changes.
func Constant(s ir.Scalar) (float64, bool) {
	s = fold.Scalar(s)
	if !s.Expr.IsConst() {
		return 0, false
	}
	return s.Expr.Value.Number(), true
}

// PlaceOf is where a site wrote a number, zero if the library did.
func PlaceOf(s ir.Scalar) source.Span {
	if s.Expr != nil && !s.Expr.Span.IsZero() && !FromLibrary(s.Expr.Span) {
		return s.Expr.Span
	}
	for _, from := range s.Sources {
		if !from.Span.IsZero() {
			return from.Span
		}
	}
	return source.Span{}
}

func FromLibrary(s source.Span) bool {
	return s.File != nil && strings.HasPrefix(s.File.Name, "stdlib:")
}

// Is reports a parameter that is a weight, or a cap, by its name.
func Is(param, suffix string) bool {
	return strings.HasSuffix(param, suffix) || suffix == "WEIGHT" && strings.HasPrefix(param, "PriorityWeight")
}

// Windows is the model of Maui, if the policy has it.
func (w *Writer) Windows() *ir.Fairshare {
	for i := range w.Policy.Fairshare {
		if f := &w.Policy.Fairshare[i]; f.Model == "windows" {
			return f
		}
	}
	return nil
}

// Counted is a row's number as far as the part's cap lets it count.
func (p Part) Counted(r ir.TableRow) float64 {
	if value := r.Value.Number(); p.Cap <= 0 || value < p.Cap {
		return value
	}
	return p.Cap
}
