package form

import (
	"math"
	"testing"
)

func TestNumbersForPeople(t *testing.T) {
	for _, c := range []struct {
		f                    float64
		brief, exact, signed string
	}{
		{0, "0", "0", "0"},
		{math.Copysign(0, -1), "0", "0", "0"},
		{8432.4, "8432", "8432.4", "+8432"},
		{-0.125, "-0.125", "-0.125", "-0.125"},
		{1.0 / 3, "0.3333", "0.3333333333333333", "+0.3333"},
		{30.5, "30.5", "30.5", "+30.5"},
		{1e22, "10000000000000000000000", "1e+22", "+10000000000000000000000"},
		{math.Inf(-1), "-inf", "-inf", "-inf"},
		{math.NaN(), "unknown", "unknown", "unknown"},
	} {
		if b, e, s := Brief(c.f), Exact(c.f), Signed(c.f); b != c.brief || e != c.exact || s != c.signed {
			t.Errorf("%v: %s %s %s, want %s %s %s", c.f, b, e, s, c.brief, c.exact, c.signed)
		}
	}
}
