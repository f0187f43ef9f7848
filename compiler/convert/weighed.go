package convert

import (
	"math"

	"github.com/fairway-sched/fairway/compiler/convert/match"
	"github.com/fairway-sched/fairway/compiler/fold"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/schema"
)

// subcomponent is a term of a scheduler's formula: what it belongs to, and the parameters that weigh and bound both.
type subcomponent struct {
	of, term                string
	weight, cap             string
	wholeWeight, wholeBound string
}

// usualSubcomponents are those of Maui where nobody sets a parameter, but that usage counts.
func usualSubcomponents() map[string]subcomponent {
	return subcomponents(library("use = \"maui\"\nparams = {\n FSPOLICY = \"DEDICATEDPS\"\n}", lower.Options{}))
}

// subcomponents are those of a formula by what they count.
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
			all[fold.Scalar(t.Factor).String()] = subcomponent{of: c.Name, term: t.Name,
				weight: param(t.Weight, "WEIGHT"), cap: param(t.Cap, "CAP"),
				wholeWeight: param(c.Weight, "WEIGHT"), wholeBound: param(c.Cap, "CAP")}
		}
	}
	return all
}

// weighed is a term of the policy's own that a scheduler has, with the numbers that it goes by; NaN for what is none.
type weighed struct {
	term                    *ir.Term
	component               *ir.Component
	as                      subcomponent
	said                    bool // the scheduler has its factor
	whole, bound, each, cap float64
}

func weigh(c *ir.Component, t *ir.Term, known map[string]subcomponent) weighed {
	as, said := known[fold.Scalar(t.Factor).String()]
	return weighed{t, c, as, said, numberOr(c.Weight, 1), numberOr(c.Cap, 0), numberOr(t.Weight, 1), numberOr(t.Cap, 0)}
}

// numbers reports a term that all jobs go by alike.
func (x weighed) numbers() bool { return !math.IsNaN(x.whole + x.bound + x.each + x.cap) }

// numberOr is a number that no job changes, or another where nobody sets it; NaN if jobs change it.
func numberOr(s ir.Scalar, unset float64) float64 {
	if !s.IsSet() {
		return unset
	}
	if value, ok := constant(s); ok {
		return value
	}
	return math.NaN()
}

// fits reports a whole number of 32 bits.
func fits(x float64) bool { return x == math.Trunc(x) && math.Abs(x) <= math.MaxInt32 }

// maxMaui is what Maui cuts priorities off at.
const maxMaui = 1e9

// scratchScale multiplies fractional weights until as many as can be are whole, if no bound of the priority
// stands in the way.
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

// yearMinutes is what a job is taken to wait at most.
const yearMinutes = 365 * 24 * 60

// pointsOf is the most that a job gets by these terms, by the cluster's size or what is taken for it.
func (w *writer) pointsOf(list []weighed) (total float64) {
	for _, x := range list {
		of := match.ResourceOf(x.as.weight)
		amount := of.Most
		if x.as.weight == "QUEUETIMEWEIGHT" {
			amount = yearMinutes
		}
		if all := w.total(of.Cluster); all > 0 {
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

// total is how much of a resource the cluster has, 0 if the policy does not say: a node without RealMemory has 1 MB.
func (w *writer) total(column schema.ColumnID) float64 {
	for _, r := range w.rows(column) {
		if all := float64(r.Value.Int); column != "cluster.mem_mb" || all > w.total("cluster.nodes") {
			return all
		}
	}
	return 0
}

// multiplied sets the factor of all weights, and says so.
func (w *writer) multiplied(scale float64) {
	if w.scale = scale; scale > 1 {
		w.diags.Infof("convert-approximated", w.policy.Span, "all weights are multiplied by %.0f", scale).
			Note("weights of the other scheduler are whole numbers; jobs whose priorities were alike only because " +
				"priorities are cut to whole points get an order")
	}
}
