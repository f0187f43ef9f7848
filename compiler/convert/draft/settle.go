package draft

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/slurmconf"
)

// Settle says with parameters what policy files override of the library's terms: component "service" { weight =
// 3 } is SERVICEWEIGHT 3. What no parameter can hold stays.
func (w *Writer) Settle() {
	w.Library = LibraryOf(w.Policy, false)
	if w.Library == nil {
		return
	}
	p := *w.Policy
	p.Params, p.Components = slices.Clone(p.Params), slices.Clone(p.Components)
	w.Policy, w.params = &p, ParamsOf(&p)
	var settled []func(library *ir.Policy)
	scalar := func(own *ir.Scalar, from ir.Scalar, suffix string, of func(l *ir.Policy) ir.Scalar) {
		if w.settled(*own, from, suffix) {
			settled = append(settled, func(l *ir.Policy) { *own = of(l) })
		}
	}
	for i := range p.Components {
		c := &p.Components[i]
		from := Component(w.Library, c.Name)
		if from == nil {
			continue
		}
		c.Terms = slices.Clone(c.Terms)
		if len(c.Terms) == 1 && len(from.Terms) == 1 {
			oneWeight(c, from)
		}
		scalar(&c.Weight, from.Weight, "WEIGHT", func(l *ir.Policy) ir.Scalar { return Component(l, c.Name).Weight })
		scalar(&c.Cap, from.Cap, "CAP", func(l *ir.Policy) ir.Scalar { return Component(l, c.Name).Cap })
		for k := range c.Terms {
			t := &c.Terms[k]
			if usual := Term(from, t.Name); usual != nil {
				of := func(l *ir.Policy) *ir.Term { return Term(Component(l, c.Name), t.Name) }
				scalar(&t.Weight, usual.Weight, "WEIGHT", func(l *ir.Policy) ir.Scalar { return of(l).Weight })
				scalar(&t.Cap, usual.Cap, "CAP", func(l *ir.Policy) ir.Scalar { return of(l).Cap })
			}
		}
	}
	for i := range w.Library.Components {
		from := &w.Library.Components[i]
		own := Component(&p, from.Name)
		if own == nil {
			w.removed(from.Weight)
			continue
		}
		for k := range from.Terms {
			if Term(own, from.Terms[k].Name) == nil {
				w.removed(from.Terms[k].Weight)
			}
		}
	}
	if w.From.adds {
		settled = append(settled, w.settleOwn()...)
	}
	if len(settled) == 0 {
		return
	}
	library := LibraryOf(w.Policy, true)
	for _, set := range settled {
		set(library)
	}
	p.Components = slices.DeleteFunc(p.Components, func(c ir.Component) bool { return len(c.Terms) == 0 })
}

// settleOwn adds terms of the policy's own that are Maui's to the weights there: two terms of one factor are
// one, of both weights.
func (w *Writer) settleOwn() (settled []func(library *ir.Policy)) {
	known := Subcomponents(LibraryOf(w.Policy, true))
	for i := range w.Policy.Components {
		c := &w.Policy.Components[i]
		if Component(w.Library, c.Name) != nil || c.Cap.IsSet() {
			continue
		}
		c.Terms = slices.DeleteFunc(slices.Clone(c.Terms), func(t ir.Term) bool {
			x := Weigh(c, &t, known)
			as := x.As
			if !x.Numbers() || !x.Said || t.Cap.IsSet() || !w.joined(as, x.Whole*x.Each, &t) {
				return false
			}
			settled = append(settled, func(l *ir.Policy) {
				of := Component(w.Policy, as.Of)
				of.Weight, Term(of, as.Term).Weight = Component(l, as.Of).Weight, Term(Component(l, as.Of),
					as.Term).Weight
			})
			return true
		})
	}
	return settled
}

// joined adds points to what Maui's subcomponent gives, if its weights can say the sum and nothing else gets
// another one by it.
func (w *Writer) joined(as Subcomponent, points float64, own *ir.Term) bool {
	c, from := Component(w.Policy, as.Of), Component(w.Library, as.Of)
	if c == nil || Term(c, as.Term) == nil {
		return false
	}
	t, usual := Term(c, as.Term), Term(from, as.Term)
	all, each := w.params[as.WholeWeight], w.params[as.Weight]
	for _, s := range []ir.Scalar{c.Weight, t.Weight, c.Cap, t.Cap, t.Factor} {
		if !UsualHere(s) {
			return false
		}
	}
	if all == nil || each == nil || !w.alone(from.Weight, all) || !w.alone(usual.Weight, each) ||
		w.Number(as.WholeBound) > 0 ||
		w.Number(as.Cap) > 0 {
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
	at := cmp.Or(PlaceOf(own.Weight), own.Span)
	for _, set := range []struct {
		p     *ir.Param
		value int64
	}{{all, weight}, {each, int64(becomes)}} {
		if set.p.Value.Int != set.value {
			set.p.Value, set.p.Set, set.p.Raw = schema.IntValue(set.value), at, ""
			w.Overridden[set.p.Name] = true
		}
	}
	return true
}

// oneWeight moves the weight of a component's only term, which the library has as 1, to the component: Slurm
// has a parameter for that.
func oneWeight(c, from *ir.Component) {
	own, is := Constant(c.Terms[0].Weight)
	all, whole := Constant(c.Weight)
	if usual, ok := Constant(
		from.Terms[0].Weight); !ok || usual != 1 || !is || own == 1 || c.Terms[0].Cap.IsSet() || !whole ||
		UsualHere(c.Weight) {
		return
	}
	weight := *c.Weight.Expr
	weight.Value = schema.DoubleValue(all * own)
	c.Weight = ir.Scalar{Expr: &weight, Sources: slices.Concat(c.Weight.Sources, c.Terms[0].Weight.Sources)}
	c.Terms[0].Weight = from.Terms[0].Weight
}

// removed gives what a policy file removes the weight 0.
func (w *Writer) removed(weight ir.Scalar) {
	zero := *weight.Expr
	zero.Op, zero.Args, zero.Value, zero.Span = expr.Const, nil, schema.DoubleValue(0), w.Policy.Span
	w.settled(ir.Scalar{Expr: &zero}, weight, "WEIGHT")
}

// settled sets the parameter that the library makes a number of.
func (w *Writer) settled(own, from ir.Scalar, suffix string) bool {
	value, ok := Constant(own)
	if !ok || UsualHere(own) || value != math.Trunc(value) {
		return false
	}
	for _, s := range from.Sources {
		p := w.params[s.Name]
		switch {
		case p == nil || p.Type != schema.Int || !Is(s.Name, suffix) || !w.alone(from, p):
			continue
		case value < w.From.least || value > w.From.most:
			continue
		}
		p.Value, p.Set, p.Raw = schema.IntValue(int64(value)), PlaceOf(own), ""
		w.Overridden[p.Name] = true
		return true
	}
	return false
}

// alone reports that a number of the library is a parameter's here, whatever else it is made of.
func (w *Writer) alone(s ir.Scalar, p *ir.Param) bool {
	for _, id := range s.Expr.Columns() {
		if slices.ContainsFunc(w.Policy.Tables, func(t ir.Table) bool { return t.Column == id }) {
			return false
		}
	}
	for _, d := range w.Policy.Deviations {
		if d.Documented && d.Name == "component_cap" && strings.HasSuffix(p.Name, "CAP") {
			return false
		}
	}
	accounted := p.Name == "PriorityWeightAge" && !slurmconf.Older(w.Policy.Version, "20.02") ||
		p.Name == "PriorityWeightFairshare"
	return !accounted || w.Slurmdbd()
}

// Slurmdbd: without it Slurm takes the weight of fairshare as 0, and since 20.02 that of age.
func (w *Writer) Slurmdbd() bool {
	return strings.Contains(w.Word("AccountingStorageType"), "slurmdbd")
}
