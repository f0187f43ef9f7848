package convert

import (
	"fmt"
	"math"
	"slices"

	"github.com/fairway-sched/fairway/compiler/fold"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// subcomponent is a term of Maui's formula: what it belongs to, and the parameters that weigh and bound both.
type subcomponent struct {
	of, term                string
	weight, cap             string
	wholeWeight, wholeBound string
}

// usualSubcomponents are those of Maui where nobody sets a parameter, but that usage counts.
func usualSubcomponents() map[string]subcomponent {
	const text = "policy \"library\" {\n  use = \"maui\"\n  params = {\n    FSPOLICY = \"DEDICATEDPS\"\n  }\n}\n"
	unit, _ := lower.Parse(source.NewFile("library", []byte(text)), lower.HCL, lower.Files{})
	library, _ := lower.Lower([]lower.Unit{unit}, lower.Options{})
	return subcomponents(library)
}

// subcomponents are those of Maui's formula by what they count.
func subcomponents(library *ir.Policy) map[string]subcomponent {
	param := func(s ir.Scalar, suffix string) string {
		for _, from := range s.Sources {
			if is(from.Name, suffix) {
				return from.Name
			}
		}
		return ""
	}
	all := map[string]subcomponent{}
	for _, c := range library.Components {
		for _, t := range c.Terms {
			all[fold.Scalar(t.Factor).String()] = subcomponent{of: c.Name, term: t.Name, weight: param(t.Weight, "WEIGHT"), cap: param(t.Cap, "CAP"),
				wholeWeight: param(c.Weight, "WEIGHT"), wholeBound: param(c.Cap, "CAP")}
		}
	}
	return all
}

// weighed is a term of the policy's own that Maui has, with the numbers that it goes by.
type weighed struct {
	term                    *ir.Term
	component               *ir.Component
	as                      subcomponent
	whole, bound, each, cap float64
}

// ownTerms are the terms of the policy's own components that Maui has. Of a component with a cap it is all or none: they
// must be of one component of Maui, in which nothing else is weighed.
func (w *writer) ownTerms() (list []weighed) {
	known := usualSubcomponents()
	for i := range w.policy.Components {
		c := &w.policy.Components[i]
		whole, is := numberOr(c.Weight, 1)
		bound, bounded := numberOr(c.Cap, 0)
		from := component(w.library, c.Name)
		if from != nil {
			whole, _, is = w.value(c.Weight, from.Weight, "WEIGHT")
		}
		if !is || !bounded || whole == 0 {
			continue
		}
		var mine []weighed
		strange := false
		for k := range c.Terms {
			t := &c.Terms[k]
			each, ok := numberOr(t.Weight, 1)
			top, capped := numberOr(t.Cap, 0)
			as, said := known[fold.Scalar(t.Factor).String()]
			switch {
			case ok && each == 0 || from != nil && term(from, t.Name) != nil:
			case !ok || !capped || !said || top > 0 && (top != math.Trunc(top) || top > math.MaxInt32) || as.of == "fairshare" && w.windows() == nil:
				strange = true
			default:
				mine = append(mine, weighed{t, c, as, whole, math.Max(0, bound), each, math.Max(0, top)})
			}
		}
		other := func(x weighed) bool { return x.as.of != mine[0].as.of }
		if bound > 0 && (strange || bound != math.Trunc(bound) || bound > math.MaxInt32 || w.library != nil || slices.ContainsFunc(mine, other)) {
			w.because(placeOf(c.Cap), "Maui bounds the sum of a whole component of its own")
			continue
		}
		list = append(list, mine...)
	}
	return slices.DeleteFunc(list, func(x weighed) bool {
		return slices.ContainsFunc(list, func(y weighed) bool {
			return x.component != y.component && x.as.of == y.as.of && (x.bound > 0 || y.bound > 0) || x.term != y.term && x.as == y.as && (x.cap > 0 || y.cap > 0)
		})
	})
}

// numberOr is a number that no job changes, or another where nobody sets it.
func numberOr(s ir.Scalar, unset float64) (float64, bool) {
	if !s.IsSet() {
		return unset, true
	}
	return constant(s)
}

// mauiTerms writes them. Without a cap the weight of the component is part of each term's.
func (w *writer) mauiTerms() {
	list := w.ownTerms()
	points := func(x weighed) float64 {
		if x.bound > 0 {
			return x.each
		}
		return x.whole * x.each * w.scale
	}
	if w.library == nil {
		w.scratchScale(list)
	}
	sums, said := map[string]float64{}, map[*ir.Term]bool{}
	for _, x := range list {
		sums[x.as.weight] += points(x)
	}
	for _, x := range list {
		sum, whole := math.Round(sums[x.as.weight]), x.whole*w.scale
		switch {
		case w.has(x.as.weight):
			w.because(x.term.Span, x.as.weight+" says something else already")
			continue
		case sum == 0 || math.Abs(sum) > math.MaxInt32 || x.bound > 0 && (whole != math.Trunc(whole) || math.Abs(whole) > math.MaxInt32):
			w.because(x.term.Span, fmt.Sprintf("Maui's weights are whole numbers of 32 bits, and %s would be %.4g", x.as.weight, sums[x.as.weight]))
			continue
		}
		said[x.term] = true
	}
	for _, x := range list {
		if !said[x.term] {
			continue
		}
		sum := sums[x.as.weight]
		w.say(x.as.weight, int64(math.Round(sum)), x.term.Span, placeOf(x.term.Weight))
		if x.cap > 0 {
			w.say(x.as.cap, int64(x.cap), placeOf(x.term.Cap))
		}
		whole := 1.0
		if x.bound > 0 {
			whole = x.whole * w.scale
			w.say(x.as.wholeBound, int64(x.bound), placeOf(x.component.Cap))
		}
		w.say(x.as.wholeWeight, int64(whole), placeOf(x.component.Weight))
		if sum != math.Round(sum) {
			w.near(x.term.Span, "Maui's weights are whole numbers", "%s of %.4g becomes %.0f", x.as.weight, sum, math.Round(sum))
		}
	}
}

// has reports a weight that is written already.
func (g *gathered) has(param string) bool {
	return slices.ContainsFunc(g.set, func(s setting) bool { return s.name == param && s.text != "0" })
}

// scratchScale multiplies fractional weights until as many as can be are whole, if no bound of the priority stands in the
// way.
func (w *writer) scratchScale(list []weighed) {
	w.scale = 1
	if w.policy.Finish.Floor.IsSet() || w.policy.Finish.Ceiling.IsSet() {
		return
	}
	best, most := 1.0, -1
	for scale := 1.0; scale <= 1e4 && (scale == 1 || w.pointsOf(list)*scale <= maxMaui); scale *= 10 {
		whole := 0
		for _, x := range list {
			product := x.whole * x.each * scale
			if x.bound > 0 {
				product = x.whole * scale
			}
			if math.Abs(product) > 1e7 {
				whole = -2
				break
			}
			if math.Abs(product-math.Round(product)) <= 1e-9 {
				whole++
			}
		}
		if whole > most {
			best, most = scale, whole
		}
	}
	w.multiplied(best)
}

// pointsOf is the most that a job gets by these terms, by the cluster's size or what is taken for it.
func (w *writer) pointsOf(list []weighed) (total float64) {
	for _, x := range list {
		amount := largest[x.as.weight]
		if all := w.total(map[string]schema.ColumnID{"PROCWEIGHT": "cluster.procs", "NODEWEIGHT": "cluster.nodes", "MEMWEIGHT": "cluster.mem_mb"}[x.as.weight]); all > 0 {
			amount = all
		}
		if x.cap > 0 {
			amount = min(amount, x.cap)
		}
		points := math.Abs(x.each) * amount
		if x.bound > 0 {
			points = min(points, x.bound)
		}
		total += math.Abs(x.whole) * points
	}
	return total
}

// multiplied sets the factor of all weights, and says so.
func (w *writer) multiplied(scale float64) {
	if w.scale = scale; scale > 1 {
		w.diags.Infof("convert-approximated", w.policy.Span, "all weights are multiplied by %.0f", scale).
			Note("weights of the other scheduler are whole numbers; jobs whose priorities were alike only because priorities are cut to whole points get an order")
	}
}
