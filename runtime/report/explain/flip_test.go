package explain

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fairway-sched/fairway/runtime/program"
)

// TestSolveEqualsSearch: the solver finds the whole weight that trying one after
// the other finds, with and without caps, bounds and ties.
func TestSolveEqualsSearch(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	found := 0
	for range 20000 {
		k, x := randomRace(random)
		if x.flipped(&k, 0) {
			continue // the second is first already
		}
		want, ok := searchWeight(&k, x)
		got, solved := x.solve(&k)
		if solved != ok && (ok || math.Abs(got.To) <= searchLimit) {
			t.Fatalf("solve finds %v (%v), search %v (%v)\n%+v\n%+v", got.To, solved, want, ok, k, x)
		}
		if !ok || !solved {
			continue
		}
		found++
		if got.To != want && math.Abs(got.To-k.weight.value) != math.Abs(want-k.weight.value) {
			t.Fatalf("solve says %v → %v, search %v\n%+v\n%+v", got.From, got.To, want, k, x)
		}
		if !x.flipped(&k, got.To-got.From) {
			t.Fatalf("%v → %v does not flip", got.From, got.To)
		}
	}
	if found < 3000 {
		t.Errorf("only %d of the random races can be turned round", found)
	}
}

// searchLimit is the largest weight that is tried.
const searchLimit = 2000

// searchWeight tries whole weights outward from the present one.
func searchWeight(k *knob, x *race) (float64, bool) {
	w := k.weight.value
	for step := 1.0; step <= 2*searchLimit; step++ {
		for _, to := range []float64{w + step, w - step} {
			if math.Abs(to) > searchLimit || w*to < 0 || w == 0 && to < 0 {
				continue
			}
			if x.flipped(k, to-w) {
				return to, true
			}
		}
	}
	return 0, false
}

func randomRace(random *rand.Rand) (knob, *race) {
	k := knob{whole: random.IntN(3) == 0, weight: quantity{value: float64(random.IntN(60)), known: true}}
	k.name, k.weight.sources = "w", []program.Source{{Name: "W"}}
	x := &race{floor: math.Inf(-1), ceil: math.Inf(1), secondOnTies: random.IntN(2) == 0}
	if random.IntN(4) == 0 {
		x.floor = 1
	}
	for i := range k.ends {
		e := &k.ends[i]
		e.outer = float64(1 + random.IntN(3))
		e.factor = float64(random.IntN(400))/8 - 10
		rest := float64(random.IntN(4000)) / 8
		if !k.whole {
			e.sum = k.weight.value*e.factor + rest
			rest = 0
		} else {
			e.sum, e.outer = float64(random.IntN(200))/4, k.weight.value
		}
		if random.IntN(3) == 0 {
			e.limit = float64(1 + random.IntN(1500))
		}
		x.scores[i] = e.outer*capOf(e.sum, e.limit) + rest + float64(random.IntN(2000))
	}
	return k, x
}

// TestSolveFaint: a term that hardly tells two jobs apart still turns them round,
// a weight with a fraction gets one of few digits, and equal factors never do.
func TestSolveFaint(t *testing.T) {
	x := &race{scores: [2]float64{1000.5, 900.25}, floor: 1, ceil: math.MaxUint32, secondOnTies: true}
	faint := knob{name: "faint", weight: quantity{value: 100, known: true}}
	faint.ends = [2]knobEnd{{sum: 1000.5, outer: 1, factor: 0.00001}, {sum: 900.25, outer: 1, factor: 0.00003}}
	got, ok := x.solve(&faint)
	if !ok || !x.flipped(&faint, got.To-100) || got.To < 4.9e6 || got.To > 5.1e6 {
		t.Errorf("the faint weight becomes %v (%v), want about 5 million", got.To, ok)
	}
	fraction := faint
	fraction.weight.value, fraction.ends[0].factor, fraction.ends[1].factor = 0.5, 0, 8
	if got, ok := x.solve(&fraction); !ok || got.To != 13 {
		t.Errorf("the fractional weight becomes %v (%v), want 13", got.To, ok)
	}
	fraction.ends[1].factor = 0
	if got, ok := x.solve(&fraction); ok {
		t.Errorf("equal factors turn the order round at %v", got.To)
	}
}
