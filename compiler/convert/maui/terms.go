package maui

import (
	"fmt"
	"math"
	"slices"

	"github.com/fairway-sched/fairway/compiler/convert/draft"
	"github.com/fairway-sched/fairway/compiler/ir"
)

// ownTerms are the terms of the policy's own components that Maui has. Of a component with a cap it is all or
// none: they must be of one component of Maui, in which nothing else is weighed.
func (w *writer) ownTerms() (list []draft.Weighed) {
	known := draft.UsualSubcomponents()
	for i := range w.Policy.Components {
		c := &w.Policy.Components[i]
		whole, bound := w.wholeOf(c), draft.NumberOr(c.Cap, 0)
		if math.IsNaN(whole+bound) || whole == 0 {
			continue
		}
		mine, strange := w.ownTermsOf(c, whole, known)
		other := func(x draft.Weighed) bool { return x.As.Of != mine[0].As.Of }
		if bound > 0 && (strange || !draft.Fits(bound) || w.Library != nil || slices.ContainsFunc(mine, other)) {
			w.Because(draft.PlaceOf(c.Cap), "Maui bounds the sum of a whole component of its own")
			continue
		}
		list = append(list, mine...)
	}
	return slices.DeleteFunc(list, func(x draft.Weighed) bool {
		return slices.ContainsFunc(list, func(y draft.Weighed) bool { return clash(x, y) })
	})
}

// wholeOf is the weight of a component, that of the library as its parameter has it.
func (w *writer) wholeOf(c *ir.Component) float64 {
	from := draft.Component(w.Library, c.Name)
	if from == nil {
		return draft.NumberOr(c.Weight, 1)
	}
	if whole, _, is := w.Value(c.Weight, from.Weight, "WEIGHT"); is {
		return whole
	}
	return math.NaN()
}

// ownTermsOf are those of a component, and whether it has others that count.
func (w *writer) ownTermsOf(
	c *ir.Component,
	whole float64,
	known map[string]draft.Subcomponent,
) (mine []draft.Weighed, strange bool) {
	from := draft.Component(w.Library, c.Name)
	for k := range c.Terms {
		t := &c.Terms[k]
		x := draft.Weigh(c, t, known)
		switch {
		case x.Each == 0 || from != nil && draft.Term(from, t.Name) != nil:
		case math.IsNaN(x.Each+x.Cap) || !x.Said || x.Cap > 0 && !draft.Fits(x.Cap),
			x.As.Of == "fairshare" && w.Windows() == nil:
			strange = true
		default:
			x.Whole, x.Bound, x.Cap = whole, math.Max(0, x.Bound), math.Max(0, x.Cap)
			mine = append(mine, x)
		}
	}
	return mine, strange
}

// clash reports a term that is bounded together with another, as what Maui has for both.
func clash(x, y draft.Weighed) bool {
	return x.Component != y.Component && x.As.Of == y.As.Of && (x.Bound > 0 || y.Bound > 0) ||
		x.Term != y.Term && x.As == y.As && (x.Cap > 0 || y.Cap > 0)
}

// terms writes them. Without a cap the weight of the component is part of each term's.
func (w *writer) terms() {
	list := w.ownTerms()
	points := func(x draft.Weighed) float64 {
		if x.Bound > 0 {
			return x.Each
		}
		return x.Whole * x.Each * w.Scale
	}
	if w.Library == nil {
		w.ScratchScale(list)
	}
	sums := map[string]float64{}
	for _, x := range list {
		sums[x.As.Weight] += points(x)
	}
	list = slices.DeleteFunc(list, func(x draft.Weighed) bool {
		sum, why := sums[x.As.Weight], ""
		switch rounded := math.Round(sum); {
		case w.Has(x.As.Weight):
			why = x.As.Weight + " says something else already"
		case rounded == 0 || !draft.Fits(rounded) || x.Bound > 0 && !draft.Fits(x.Whole*w.Scale):
			why = fmt.Sprintf("Maui's weights are whole numbers of 32 bits, and %s would be %.4g", x.As.Weight, sum)
		default:
			return false
		}
		w.Because(x.Term.Span, why)
		return true
	})
	for _, x := range list {
		sum, whole := sums[x.As.Weight], 1.0
		w.Say(x.As.Weight, int64(math.Round(sum)), x.Term.Span, draft.PlaceOf(x.Term.Weight))
		if x.Cap > 0 {
			w.Say(x.As.Cap, int64(x.Cap), draft.PlaceOf(x.Term.Cap))
		}
		if x.Bound > 0 {
			whole = x.Whole * w.Scale
			w.Say(x.As.WholeBound, int64(x.Bound), draft.PlaceOf(x.Component.Cap))
		}
		w.Say(x.As.WholeWeight, int64(whole), draft.PlaceOf(x.Component.Weight))
		if sum != math.Round(sum) {
			w.Near(x.Term.Span, wholeWeights, "%s of %.4g becomes %.0f", x.As.Weight, sum, math.Round(sum))
		}
	}
}

// wholeWeights is the remark where one is rounded.
const wholeWeights = "Maui's weights are whole numbers"
