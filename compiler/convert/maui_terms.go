package convert

import (
	"fmt"
	"math"
	"slices"

	"github.com/fairway-sched/fairway/compiler/ir"
)

// ownTerms are the terms of the policy's own components that Maui has. Of a component with a cap it is all or
// none: they must be of one component of Maui, in which nothing else is weighed.
func (w *mauiWriter) ownTerms() (list []weighed) {
	known := usualSubcomponents()
	for i := range w.policy.Components {
		c := &w.policy.Components[i]
		whole, bound := w.wholeOf(c), numberOr(c.Cap, 0)
		if math.IsNaN(whole+bound) || whole == 0 {
			continue
		}
		mine, strange := w.ownTermsOf(c, whole, known)
		other := func(x weighed) bool { return x.as.of != mine[0].as.of }
		if bound > 0 && (strange || !fits(bound) || w.library != nil || slices.ContainsFunc(mine, other)) {
			w.because(placeOf(c.Cap), "Maui bounds the sum of a whole component of its own")
			continue
		}
		list = append(list, mine...)
	}
	return slices.DeleteFunc(list, func(x weighed) bool {
		return slices.ContainsFunc(list, func(y weighed) bool { return x.clashes(y) })
	})
}

// wholeOf is the weight of a component, that of the library as its parameter has it.
func (w *mauiWriter) wholeOf(c *ir.Component) float64 {
	from := component(w.library, c.Name)
	if from == nil {
		return numberOr(c.Weight, 1)
	}
	if whole, _, is := w.value(c.Weight, from.Weight, "WEIGHT"); is {
		return whole
	}
	return math.NaN()
}

// ownTermsOf are those of a component, and whether it has others that count.
func (w *mauiWriter) ownTermsOf(
	c *ir.Component,
	whole float64,
	known map[string]subcomponent,
) (mine []weighed, strange bool) {
	from := component(w.library, c.Name)
	for k := range c.Terms {
		t := &c.Terms[k]
		x := weigh(c, t, known)
		switch {
		case x.each == 0 || from != nil && term(from, t.Name) != nil:
		case math.IsNaN(x.each+x.cap) || !x.said || x.cap > 0 && !fits(x.cap),
			x.as.of == "fairshare" && w.windows() == nil:
			strange = true
		default:
			x.whole, x.bound, x.cap = whole, math.Max(0, x.bound), math.Max(0, x.cap)
			mine = append(mine, x)
		}
	}
	return mine, strange
}

// clashes reports a term that is bounded together with another, as what Maui has for both.
func (x weighed) clashes(y weighed) bool {
	return x.component != y.component && x.as.of == y.as.of && (x.bound > 0 || y.bound > 0) ||
		x.term != y.term && x.as == y.as && (x.cap > 0 || y.cap > 0)
}

// mauiTerms writes them. Without a cap the weight of the component is part of each term's.
func (w *mauiWriter) mauiTerms() {
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
	sums := map[string]float64{}
	for _, x := range list {
		sums[x.as.weight] += points(x)
	}
	list = slices.DeleteFunc(list, func(x weighed) bool {
		sum, why := sums[x.as.weight], ""
		switch rounded := math.Round(sum); {
		case w.has(x.as.weight):
			why = x.as.weight + " says something else already"
		case rounded == 0 || !fits(rounded) || x.bound > 0 && !fits(x.whole*w.scale):
			why = fmt.Sprintf("Maui's weights are whole numbers of 32 bits, and %s would be %.4g", x.as.weight, sum)
		default:
			return false
		}
		w.because(x.term.Span, why)
		return true
	})
	for _, x := range list {
		sum, whole := sums[x.as.weight], 1.0
		w.say(x.as.weight, int64(math.Round(sum)), x.term.Span, placeOf(x.term.Weight))
		if x.cap > 0 {
			w.say(x.as.cap, int64(x.cap), placeOf(x.term.Cap))
		}
		if x.bound > 0 {
			whole = x.whole * w.scale
			w.say(x.as.wholeBound, int64(x.bound), placeOf(x.component.Cap))
		}
		w.say(x.as.wholeWeight, int64(whole), placeOf(x.component.Weight))
		if sum != math.Round(sum) {
			w.near(x.term.Span, wholeWeights, "%s of %.4g becomes %.0f", x.as.weight, sum, math.Round(sum))
		}
	}
}

// wholeWeights is what is said where one is rounded.
const wholeWeights = "Maui's weights are whole numbers"
