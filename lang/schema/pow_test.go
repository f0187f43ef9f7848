package schema

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// The slow twin: exact rational arithmetic, rounded once.
func exactPow(x float64, n int) float64 {
	r := new(big.Rat).SetFloat64(x)
	p := big.NewRat(1, 1)
	for range max(n, -n) {
		p.Mul(p, r)
	}
	if n < 0 {
		p.Inv(p)
	}
	f, _ := p.Float64()
	return f
}

func TestPowIsRoundedOnce(t *testing.T) {
	if got := Pow(0.0001, -2); got != 99999999.99999999 {
		t.Errorf("Pow(0.0001, -2) = %v, the recorded Maui value is 99999999.99999999", got)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		x := math.Exp(rng.Float64()*40-20) * (1 - 2*float64(rng.IntN(2)))
		n := rng.IntN(9) - 4
		if n == 0 {
			continue
		}
		if got, want := Pow(x, float64(n)), exactPow(x, n); got != want {
			t.Fatalf("Pow(%v, %d) = %v, want %v", x, n, got, want)
		}
	}
	for _, x := range []float64{0, math.Inf(1), math.NaN(), 2.5} {
		for _, y := range []float64{0, 0.5, -1.5, 100} {
			got, want := Pow(x, y), math.Pow(x, y)
			if got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Errorf("Pow(%v, %v) = %v, want %v", x, y, got, want)
			}
		}
	}
}
