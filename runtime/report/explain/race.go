package explain

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// race is two scores and how they become an order.
type race struct {
	scores       [2]float64
	floor, ceil  float64
	rounding     string
	secondOnTies bool
}

// newRace takes the floor and the ceiling from the priorities that show them.
func newRace(r *evaluation.Result, rows [2]int, secondOnTies bool) *race {
	x := &race{floor: math.Inf(-1), ceil: math.Inf(1), rounding: r.Program.Rounding, secondOnTies: secondOnTies}
	for i, row := range rows {
		x.scores[i] = r.Score[row]
		switch finishOf(r, row).Rule {
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
		priority[i] = min(max(rounded(x.score(k, i, d), x.rounding), x.floor), x.ceil)
	}
	if priority[0] == priority[1] {
		return x.secondOnTies
	}
	return priority[1] > priority[0]
}

// score is a job's score after a change of the knob.
func (x *race) score(k *knob, job int, d float64) float64 { return x.scores[job] + k.shift(job, d) }

// solve finds the smallest change of the weight that flips the order and keeps
// the weight's sign.
func (x *race) solve(k *knob) (flip, bool) {
	w := k.weight.value
	best, found := flip{}, false
	for _, direction := range []float64{1, -1} {
		for _, start := range x.starts(k, direction) {
			to, ok := x.settle(k, start, direction)
			if !ok || w*to < 0 || w == 0 && to < 0 {
				continue
			}
			if !found || math.Abs(to-w) < math.Abs(best.To-w) {
				best, found = flip{From: w, To: to}, true
			}
		}
	}
	if !found {
		return flip{}, false
	}
	best.Weight, best.Place = knobName(k), spanOf(k.weight)
	low, high := min(0, best.To-w), max(0, best.To-w)
	best.Capped = slices.ContainsFunc(k.bends(), func(b float64) bool { return b > low && b < high })
	return best, true
}

// hidden bounds the difference that rounding to integers hides: truncating
// toward zero makes one integer of -0.9 and 0.9.
const hidden = 2

// starts lists the changes from which on the order may flip: where the scores
// meet and, if the second job wins ties, where both priorities are about to be one integer,
// or are at the floor or the ceiling.
func (x *race) starts(k *knob, direction float64) []float64 {
	lead := func(d float64) float64 { return x.score(k, 0, d) - x.score(k, 1, d) }
	ways := []func(float64) float64{lead}
	if x.secondOnTies {
		ways = []func(float64) float64{
			func(d float64) float64 { return lead(d) - hidden },
			func(d float64) float64 { return x.score(k, 0, d) - x.floor - hidden },
			func(d float64) float64 { return x.ceil - x.score(k, 1, d) - hidden },
		}
	}
	var out []float64
	for _, height := range ways {
		if d, ok := crossing(height, k.bends(), direction); ok {
			out = append(out, d)
		}
	}
	return out
}

// crossing is the smallest change in a direction at which height, linear between
// the bends, is no longer above zero.
func crossing(height func(float64) float64, bends []float64, direction float64) (float64, bool) {
	if height(0) <= 0 {
		return 0, true
	}
	stops := []float64{0}
	for _, b := range bends {
		if b*direction > 0 {
			stops = append(stops, b)
		}
	}
	slices.SortFunc(stops, func(a, b float64) int { return cmp.Compare(a*direction, b*direction) })
	for i, from := range stops {
		last := i == len(stops)-1
		to := from + direction*max(1, math.Abs(from)) // past the last bend any second point tells the slope
		if !last {
			to = stops[i+1]
		}
		a, b := height(from), height(to)
		if b <= 0 || last && b < a {
			return from + (to-from)*a/(a-b), true
		}
	}
	return 0, false
}

// settle finds the weight to write, from the change start outward: a whole number
// where the weight is one, else one of few digits.
func (x *race) settle(k *knob, start, direction float64) (to float64, ok bool) {
	if k.weight.value == math.Trunc(k.weight.value) {
		return x.settleWhole(k, start, direction)
	}
	return x.settleFraction(k, start, direction)
}

// mostSteps bounds the search for a whole weight: a term that hardly tells the
// jobs apart may need many steps from equal scores to different integers.
const mostSteps = 1 << 12

func (x *race) settleWhole(k *knob, start, direction float64) (to float64, ok bool) {
	w := k.weight.value
	outward := math.Ceil
	if direction < 0 {
		outward = math.Floor
	}
	first := outward(w+start) - direction // the division may have gone a bit too far
	for step := range mostSteps {
		if to := first + direction*float64(step); x.flipped(k, to-w) {
			return to, true
		}
	}
	far, ok := x.bracket(k, start, direction)
	to = outward(w + far)
	return to, ok && x.flipped(k, to-w)
}

func (x *race) settleFraction(k *knob, start, direction float64) (to float64, ok bool) {
	w := k.weight.value
	far, ok := x.bracket(k, start, direction)
	if !ok {
		return 0, false
	}
	for digits := 3; digits <= 17; digits++ {
		to, err := strconv.ParseFloat(strconv.FormatFloat(w+far, 'g', digits, 64), 64)
		if err == nil && x.flipped(k, to-w) {
			return to, true
		}
	}
	return w + far, true
}

// bracket halves its way to a change that flips, from start outward.
func (x *race) bracket(k *knob, start, direction float64) (far float64, ok bool) {
	near, far := start, start
	for step := 1e-6 * max(1, math.Abs(start)); !x.flipped(k, far); step *= 2 {
		near, far = far, start+direction*step
		if step > 1e12 {
			return 0, false
		}
	}
	for range 60 {
		if middle := near + (far-near)/2; x.flipped(k, middle) {
			far = middle
		} else {
			near = middle
		}
	}
	return far, true
}

// knobName is the parameter that is the weight, else whose weight it is.
func knobName(k *knob) string {
	for i := len(k.weight.sources) - 1; i >= 0; i-- {
		if s := k.weight.sources[i]; s.Name != "" && s.Value.Known() && s.Value.Number() == k.weight.value {
			return s.Name
		}
	}
	return "the weight of " + k.name
}
