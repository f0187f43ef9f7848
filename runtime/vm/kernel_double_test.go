package vm

import (
	"math"
	"testing"

	"github.com/fairway-sched/fairway/lang/schema"
)

// TestScalarForms: a quotient by, or a power to, one number is that of its definition, to the bit.
func TestScalarForms(t *testing.T) {
	numbers := []float64{0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, 2, 3, 60, 64, -64, 1.0 / 3, 1e-3, 5e-324, -5e-324, 1e-308,
		0x1p-1022, 0x1p-1000, 0x1p1000, 0x1p1023, math.MaxFloat64, -math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN()}
	got := make([]float64, len(numbers))
	same := func(what string, s float64, want func(x float64) float64) {
		for i, x := range numbers {
			w := want(x)
			if math.Float64bits(got[i]) != math.Float64bits(w) && !(math.IsNaN(got[i]) && math.IsNaN(w)) {
				t.Errorf("%s of %v and %v is %v, not %v", what, x, s, got[i], w)
			}
		}
	}
	for _, s := range numbers {
		divideScalar(got, numbers, s)
		same("the quotient", s, func(x float64) float64 { return x / s })
		powScalar(got, numbers, s)
		same("the power", s, func(x float64) float64 { return schema.Pow(x, s) })
	}
}
