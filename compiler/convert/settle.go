package convert

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/fold"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/slurmconf"
	"github.com/fairway-sched/fairway/lang/source"
)

// settle says with parameters what policy files override of the library's terms: component "service" { weight = 3 }
// is SERVICEWEIGHT 3. What no parameter can hold stays.
func (w *writer) settle() {
	w.library = libraryOf(w.policy, false)
	if w.library == nil {
		return
	}
	p := *w.policy
	p.Params, p.Components = slices.Clone(p.Params), slices.Clone(p.Components)
	w.policy, w.params = &p, paramsOf(&p)
	var settled []func(library *ir.Policy)
	for i := range p.Components {
		c := &p.Components[i]
		from := component(w.library, c.Name)
		if from == nil {
			continue
		}
		c.Terms = slices.Clone(c.Terms)
		if len(c.Terms) == 1 && len(from.Terms) == 1 {
			oneWeight(c, from)
		}
		if w.settled(c.Weight, from.Weight, "WEIGHT") {
			settled = append(settled, func(l *ir.Policy) { c.Weight = component(l, c.Name).Weight })
		}
		if w.settled(c.Cap, from.Cap, "CAP") {
			settled = append(settled, func(l *ir.Policy) { c.Cap = component(l, c.Name).Cap })
		}
		for k := range c.Terms {
			t := &c.Terms[k]
			usual := term(from, t.Name)
			if usual == nil {
				continue
			}
			if w.settled(t.Weight, usual.Weight, "WEIGHT") {
				settled = append(settled, func(l *ir.Policy) { t.Weight = term(component(l, c.Name), t.Name).Weight })
			}
			if w.settled(t.Cap, usual.Cap, "CAP") {
				settled = append(settled, func(l *ir.Policy) { t.Cap = term(component(l, c.Name), t.Name).Cap })
			}
		}
	}
	for i := range w.library.Components {
		from := &w.library.Components[i]
		own := component(&p, from.Name)
		if own == nil {
			w.removed(from.Weight)
			continue
		}
		for k := range from.Terms {
			if term(own, from.Terms[k].Name) == nil {
				w.removed(from.Terms[k].Weight)
			}
		}
	}
	if p.Family == "maui" {
		settled = append(settled, w.settleOwn()...)
	}
	if len(settled) == 0 {
		return
	}
	library := libraryOf(w.policy, true)
	for _, set := range settled {
		set(library)
	}
	p.Components = slices.DeleteFunc(p.Components, func(c ir.Component) bool { return len(c.Terms) == 0 })
}

// settleOwn adds terms of the policy's own that are Maui's to the weights there: two terms of one factor are one, of both
// weights.
func (w *writer) settleOwn() (settled []func(library *ir.Policy)) {
	known := subcomponents(libraryOf(w.policy, true))
	for i := range w.policy.Components {
		c := &w.policy.Components[i]
		whole, is := numberOr(c.Weight, 1)
		if component(w.library, c.Name) != nil || !is || c.Cap.IsSet() {
			continue
		}
		c.Terms = slices.DeleteFunc(slices.Clone(c.Terms), func(t ir.Term) bool {
			each, ok := numberOr(t.Weight, 1)
			as, said := known[fold.Scalar(t.Factor).String()]
			if !ok || !said || t.Cap.IsSet() || !w.joined(as, whole*each, &t) {
				return false
			}
			settled = append(settled, func(l *ir.Policy) {
				of := component(w.policy, as.of)
				of.Weight, term(of, as.term).Weight = component(l, as.of).Weight, term(component(l, as.of), as.term).Weight
			})
			return true
		})
	}
	return settled
}

// joined adds points to what Maui's subcomponent gives, if its weights can say the sum and nothing else gets another one by it.
func (w *writer) joined(as subcomponent, points float64, own *ir.Term) bool {
	c, from := component(w.policy, as.of), component(w.library, as.of)
	if c == nil || term(c, as.term) == nil {
		return false
	}
	t, usual := term(c, as.term), term(from, as.term)
	all, each := w.params[as.wholeWeight], w.params[as.weight]
	for _, s := range []ir.Scalar{c.Weight, t.Weight, c.Cap, t.Cap, t.Factor} {
		if !usualHere(s) {
			return false
		}
	}
	if all == nil || each == nil || !w.alone(from.Weight, all) || !w.alone(usual.Weight, each) || w.number(as.wholeBound) > 0 || w.number(as.cap) > 0 {
		return false
	}
	weight, becomes := all.Value.Int, points
	if weight == 0 && w.only(c, from, t) {
		weight = 1
	} else if weight != 0 {
		becomes = each.Value.Number() + points/float64(weight)
	}
	if weight == 0 || becomes != math.Trunc(becomes) || math.Abs(becomes) > math.MaxInt32 {
		return false
	}
	at := cmp.Or(placeOf(own.Weight), own.Span)
	for _, set := range []struct {
		p     *ir.Param
		value int64
	}{{all, weight}, {each, int64(becomes)}} {
		if set.p.Value.Int != set.value {
			set.p.Value, set.p.Set, set.p.Raw = schema.IntValue(set.value), at, ""
			w.overridden[set.p.Name] = true
		}
	}
	return true
}

// oneWeight moves the weight of a component's only term, which the library has as 1, to the component: Slurm has a
// parameter for that.
func oneWeight(c, from *ir.Component) {
	own, is := constant(c.Terms[0].Weight)
	all, whole := constant(c.Weight)
	if usual, ok := constant(from.Terms[0].Weight); !ok || usual != 1 || !is || own == 1 || c.Terms[0].Cap.IsSet() || !whole || usualHere(c.Weight) {
		return
	}
	weight := *c.Weight.Expr
	weight.Value = schema.DoubleValue(all * own)
	c.Weight = ir.Scalar{Expr: &weight, Sources: slices.Concat(c.Weight.Sources, c.Terms[0].Weight.Sources)}
	c.Terms[0].Weight = from.Terms[0].Weight
}

// removed gives what a policy file removes the weight 0.
func (w *writer) removed(weight ir.Scalar) {
	zero := *weight.Expr
	zero.Op, zero.Args, zero.Value, zero.Span = expr.Const, nil, schema.DoubleValue(0), w.policy.Span
	w.settled(ir.Scalar{Expr: &zero}, weight, "WEIGHT")
}

// settled sets the parameter that the library makes a number of.
func (w *writer) settled(own, from ir.Scalar, suffix string) bool {
	value, ok := constant(own)
	if !ok || usualHere(own) || value != math.Trunc(value) {
		return false
	}
	for _, s := range from.Sources {
		p := w.params[s.Name]
		switch {
		case p == nil || p.Type != schema.Int || !is(s.Name, suffix) || !w.alone(from, p):
			continue
		case w.policy.Family == "slurm" && (value < 0 || value > maxWeight), math.Abs(value) > maxWeight, w.policy.Family == "maui" && math.Abs(value) > math.MaxInt32:
			continue
		}
		p.Value, p.Set, p.Raw = schema.IntValue(int64(value)), placeOf(own), ""
		w.overridden[p.Name] = true
		return true
	}
	return false
}

// is reports a parameter that is a weight, or a cap, by its name.
func is(param, suffix string) bool {
	return strings.HasSuffix(param, suffix) || suffix == "WEIGHT" && strings.HasPrefix(param, "PriorityWeight")
}

// alone reports that a number of the library is a parameter's here, whatever else it is made of.
func (w *writer) alone(s ir.Scalar, p *ir.Param) bool {
	for _, id := range s.Expr.Columns() {
		if slices.ContainsFunc(w.policy.Tables, func(t ir.Table) bool { return t.Column == id }) {
			return false
		}
	}
	for _, d := range w.policy.Deviations {
		if d.Documented && d.Name == "component_cap" && strings.HasSuffix(p.Name, "CAP") {
			return false
		}
	}
	accounted := p.Name == "PriorityWeightAge" && !slurmconf.Older(w.policy.Version, "20.02") || p.Name == "PriorityWeightFairshare"
	return !accounted || w.slurmdbd()
}

// slurmdbd: without it Slurm takes the weight of fairshare as 0, and since 20.02 that of age.
func (w *writer) slurmdbd() bool {
	return strings.Contains(w.word("AccountingStorageType"), "slurmdbd")
}

// libraryOf is the library's policy that a policy uses, with the same choices and, if asked for, parameters; nil if it uses
// none.
func libraryOf(p *ir.Policy, params bool) *ir.Policy {
	if p.Family == "" {
		return nil
	}
	use := p.Family
	if isBasic(p) {
		use = "slurm_basic"
	}
	opt := lower.Options{Version: p.Version, Semantics: p.Semantics}
	for _, d := range p.Deviations {
		if d.Documented && p.Semantics != "documented" {
			opt.Deviations = append(opt.Deviations, d.Name)
		}
	}
	for i := range p.Params {
		v := &p.Params[i]
		if text, ok := lower.ParamText(p.Family, v, v.Value); ok && params && !v.Set.IsZero() && v.Name != "PriorityType" {
			opt.Params = append(opt.Params, lower.ParamOverride{Name: v.Name, Value: text, Span: v.Set})
		}
	}
	unit, _ := lower.Parse(source.NewFile("library", []byte("policy \"library\" {\n  use = "+quote(use)+"\n}\n")), lower.HCL, lower.Files{})
	library, _ := lower.Lower([]lower.Unit{unit}, opt)
	return library
}

// isBasic reports a policy that is first come, first served.
func isBasic(p *ir.Policy) bool {
	return p.Family == "slurm" && component(p, "order") != nil && component(p, "age") == nil
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
