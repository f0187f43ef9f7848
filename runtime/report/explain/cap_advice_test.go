package explain

import (
	"math/rand/v2"
	"testing"

	"github.com/fairway-sched/fairway/runtime/fairshare"
)

// TestCapAdvice: with the cap advised a job passes, and with the request advised, but not with one more.
func TestCapAdvice(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 8))
	passed := 0
	for range 20000 {
		a := capAdvice{relative: random.IntN(2) == 0, total: 1e4 * random.Float64()}
		v := fairshare.Violation{Usage: 5e3 * random.Float64(), Request: float64(random.IntN(8000)),
			Value: float64(random.IntN(9000))}
		if a.relative {
			v.Value = 100 * random.Float64()
		}
		over := func(request, value float64) (float64, bool) {
			if !a.relative {
				return 0, v.Usage+request > value
			}
			percent := 100 * (v.Usage + request) / a.total
			return percent, percent > value
		}
		var is bool
		if v.Percent, is = over(v.Request, v.Value); !is {
			continue
		}
		a.work(&v)
		if _, is := over(v.Request, a.Least); is {
			t.Fatalf("%+v does not pass with a cap of %v", v, a.Least)
		}
		if a.most < 1 {
			if _, is := over(1, v.Value); !is {
				t.Fatalf("%+v could ask for 1", v)
			}
			continue
		}
		passed++
		if _, is := over(a.most, v.Value); is {
			t.Fatalf("%+v does not pass with a request of %v", v, a.most)
		}
		if _, is := over(a.most+1, v.Value); !is {
			t.Fatalf("%+v could ask for more than %v", v, a.most)
		}
	}
	if passed < 1000 {
		t.Errorf("only %d could ask for less", passed)
	}
}
