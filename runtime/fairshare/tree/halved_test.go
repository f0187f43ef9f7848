package tree

import (
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
)

// Some processors have an Exp2 of their own, whose last bit may differ.
func TestHalvedEqualsExp2(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	check := func(x float64) {
		got, want := halved(x), math.Exp2(-x)
		off := int64(math.Float64bits(got)) - int64(math.Float64bits(want))
		if off < -1 || off > 1 || off != 0 && runtime.GOARCH == "amd64" {
			t.Errorf("2^-%v is %v, want %v", x, got, want)
		}
	}
	for n := range maxHalvings + 1 {
		for _, x := range []float64{float64(n), float64(n) + 0.5, math.Nextafter(float64(n)+0.5, 0),
			math.Nextafter(float64(n), 0), math.Nextafter(float64(n), maxHalvings)} {
			check(min(x, maxHalvings))
		}
	}
	for range 200_000 {
		check(math.Exp(6.9*r.Float64()) - 1)
		check(r.Float64() * maxHalvings)
	}
	check(5e-324)
}
