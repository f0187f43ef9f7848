package view

import (
	"math"
	"slices"

	"github.com/fairway-sched/fairway/runtime/engine"
)

// race is two scores and how they become an order.
type race struct {
	scores       [2]float64
	floor, ceil  float64
	rounding     string
	secondOnTies bool
}

// hidden is the difference of two scores that rounding to integers may hide.
const hidden = 1

// newRace takes the floor and the ceiling from the priorities that show them.
func newRace(r *engine.Result, rows [2]int, secondOnTies bool) *race {
	x := &race{floor: math.Inf(-1), ceil: math.Inf(1), rounding: r.Program.Rounding, secondOnTies: secondOnTies}
	for i, row := range rows {
		x.scores[i] = r.Score[row]
		switch finishOf(r, row).rule {
		case "floor":
			x.floor = float64(r.Priority[row])
		case "ceiling":
			x.ceil = float64(r.Priority[row])
		}
	}
	return x
}

// flipped reports whether a change of the knob puts the second job first.
func (x *race) flipped(k *knob, d float64) bool {
	var priority [2]float64
	for i := range priority {
		priority[i] = min(max(rounded(x.scores[i]+k.shift(i, d), x.rounding), x.floor), x.ceil)
	}
	if priority[0] == priority[1] {
		return x.secondOnTies
	}
	return priority[1] > priority[0]
}

// lead is by how much the first score is ahead after a change.
func (x *race) lead(k *knob, d float64) float64 {
	return x.scores[0] + k.shift(0, d) - x.scores[1] - k.shift(1, d)
}

// mostSteps bounds the search for a whole weight between the change that makes the
// scores equal and the one that makes them differ by one.
const mostSteps = 1 << 12

// solve finds the smallest change of the weight that flips the order and keeps
// the weight's sign.
func (x *race) solve(k *knob) (flip, bool) {
	w := k.weight.value
	target := 0.0
	if x.secondOnTies {
		target = hidden // equal integers are enough
	}
	best, found := flip{}, false
	for _, direction := range []float64{1, -1} {
		d, ok := x.crossing(k, direction, target)
		if !ok {
			continue
		}
		to, exact, ok := x.settle(k, d, direction)
		if !ok || w*to < 0 || w == 0 && to < 0 {
			continue
		}
		if !found || math.Abs(to-w) < math.Abs(best.to-w) {
			best, found = flip{from: w, to: to, exact: exact}, true
		}
	}
	if !found {
		return flip{}, false
	}
	best.weight, best.place = knobName(k), spanOf(k.weight)
	low, high := min(0, best.to-w), max(0, best.to-w)
	best.capped = slices.ContainsFunc(k.bends(), func(b float64) bool { return b > low && b < high })
	return best, true
}

// settle turns the change that makes the scores equal into a weight to write: a whole
// number where the weight is one, else the bound beyond which the order flips.
func (x *race) settle(k *knob, d, direction float64) (to float64, exact, ok bool) {
	w := k.weight.value
	if w != math.Trunc(w) {
		return w + d, false, true
	}
	outward := math.Ceil
	if direction < 0 {
		outward = math.Floor
	}
	start := outward(w+d) - direction // the division may have gone a bit too far
	for step := range mostSteps {
		if to := start + direction*float64(step); x.flipped(k, to-w) {
			return to, true, true
		}
	}
	far, ok := x.crossing(k, direction, -hidden)
	to = outward(w + far)
	return to, true, ok && x.flipped(k, to-w)
}

// crossing is the smallest change in a direction after which the lead is at
// most target. The lead is linear between the bends that caps make.
func (x *race) crossing(k *knob, direction, target float64) (float64, bool) {
	if x.lead(k, 0) <= target {
		return 0, true
	}
	stops := []float64{0}
	for _, b := range k.bends() {
		if b*direction > 0 {
			stops = append(stops, b)
		}
	}
	slices.SortFunc(stops, func(a, b float64) int {
		if a*direction < b*direction {
			return -1
		}
		return 1
	})
	for i, from := range stops {
		to := from + direction*max(1, math.Abs(from)) // beyond the last bend any second point tells the slope
		last := i == len(stops)-1
		if !last {
			to = stops[i+1]
		}
		a, b := x.lead(k, from)-target, x.lead(k, to)-target
		if b <= 0 || last && b < a {
			return from + (to-from)*a/(a-b), true
		}
	}
	return 0, false
}

// knobName is the parameter that is the weight, else whose weight it is.
func knobName(k *knob) string {
	for i := len(k.weight.sources) - 1; i >= 0; i-- {
		if s := k.weight.sources[i]; s.Name != "" && s.Value.Known() && number(s.Value) == k.weight.value {
			return s.Name
		}
	}
	return "the weight of " + k.name
}
