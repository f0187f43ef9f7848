package draft

import (
	"fmt"
	"math"

	"github.com/fairway-sched/fairway/compiler/convert/match"
	"github.com/fairway-sched/fairway/compiler/fold"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/schema"
)

// Subcomponent is a term of a scheduler's formula: what it belongs to, and the parameters that weigh and bound both.
type Subcomponent struct {
	Of, Term                string
	Weight, Cap             string
	WholeWeight, WholeBound string
}

// UsualSubcomponents are those of Maui where a parameter is not set, but that usage counts.
func UsualSubcomponents() map[string]Subcomponent {
	return Subcomponents(Library("use = \"maui\"\nparams = {\n FSPOLICY = \"DEDICATEDPS\"\n}", lower.Options{}))
}

// Subcomponents are those of a formula by what they count.
func Subcomponents(library *ir.Policy) map[string]Subcomponent {
	param := func(s ir.Scalar, suffix string) string {
		for _, from := range s.Sources {
			if Is(from.Name, suffix) {
				return from.Name
			}
		}
		return ""
	}
	all := map[string]Subcomponent{}
	for _, c := range library.Components {
		for _, t := range c.Terms {
			all[fold.Scalar(t.Factor).String()] = Subcomponent{Of: c.Name, Term: t.Name,
				Weight: param(t.Weight, "WEIGHT"), Cap: param(t.Cap, "CAP"),
				WholeWeight: param(c.Weight, "WEIGHT"), WholeBound: param(c.Cap, "CAP")}
		}
	}
	return all
}

// Weighed is a term of the policy's own that a scheduler has, with the numbers that it goes by; NaN for what is none.
type Weighed struct {
	Term                    *ir.Term
	Component               *ir.Component
	As                      Subcomponent
	Said                    bool // the scheduler has its factor
	Whole, Bound, Each, Cap float64
}

func Weigh(c *ir.Component, t *ir.Term, known map[string]Subcomponent) Weighed {
	as, said := known[fold.Scalar(t.Factor).String()]
	return Weighed{t, c, as, said, NumberOr(c.Weight, 1), NumberOr(c.Cap, 0), NumberOr(t.Weight, 1), NumberOr(t.Cap, 0)}
}

// Numbers reports a term that all jobs go by alike.
func (x Weighed) Numbers() bool { return !math.IsNaN(x.Whole + x.Bound + x.Each + x.Cap) }

// NumberOr is a number that no job changes, or another where it is not set; NaN if jobs change it.
func NumberOr(s ir.Scalar, unset float64) float64 {
	if !s.IsSet() {
		return unset
	}
	if value, ok := Constant(s); ok {
		return value
	}
	return math.NaN()
}

// Fits reports a whole number of 32 bits.
func Fits(x float64) bool { return x == math.Trunc(x) && math.Abs(x) <= math.MaxInt32 }

// MaxMaui is what Maui cuts priorities off at.
const MaxMaui = 1e9

// ScratchScale multiplies fractional weights until as many as can be are whole, if no bound of the priority
// is in the way.
func (w *Writer) ScratchScale(list []Weighed) {
	w.Scale = 1
	if w.Policy.Finish.Floor.IsSet() || w.Policy.Finish.Ceiling.IsSet() {
		return
	}
	best, most := 1.0, -1
	for scale := 1.0; scale <= 1e4 && (scale == 1 || w.PointsOf(list)*scale <= MaxMaui); scale *= 10 {
		whole := 0
		for _, x := range list {
			product := x.Whole * x.Each * scale
			if x.Bound > 0 {
				product = x.Whole * scale
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
	w.Multiplied(best)
}

// yearMinutes is what a job is taken to wait at most.
const yearMinutes = 365 * 24 * 60

// PointsOf is the most that a job gets by these terms, by the cluster's size or what is taken for it.
func (w *Writer) PointsOf(list []Weighed) (total float64) {
	for _, x := range list {
		of := match.ResourceOf(x.As.Weight)
		amount := of.Most
		if x.As.Weight == "QUEUETIMEWEIGHT" {
			amount = yearMinutes
		}
		if all := w.Total(of.Cluster); all > 0 {
			amount = all
		}
		if x.Cap > 0 {
			amount = min(amount, x.Cap)
		}
		points := math.Abs(x.Each) * amount
		if x.Bound > 0 {
			points = min(points, x.Bound)
		}
		total += math.Abs(x.Whole) * points
	}
	return total
}

// Total is how much of a resource the cluster has, 0 if the policy does not say: a node without RealMemory has 1 MB.
func (w *Writer) Total(column schema.ColumnID) float64 {
	for _, r := range w.Rows(column) {
		if all := float64(r.Value.Int); column != "cluster.mem_mb" || all > w.Total("cluster.nodes") {
			return all
		}
	}
	return 0
}

// Multiplied sets the factor of all weights, and says so.
func (w *Writer) Multiplied(scale float64) {
	if w.Scale = scale; scale > 1 {
		w.Diags.Infof("convert-approximated", w.Policy.Span, "all weights are multiplied by %.0f", scale).
			Note("weights of the other scheduler are whole numbers; jobs whose priorities were alike only because " +
				"priorities are cut to whole points get an order")
	}
}

func Days(minutes float64) string {
	n, unit := int64(minutes), "minute"
	if minutes >= 1440 && math.Mod(minutes, 1440) == 0 {
		n, unit = int64(minutes/1440), "day"
	}
	if n != 1 {
		unit += "s"
	}
	return fmt.Sprintf("%d %s", n, unit)
}
