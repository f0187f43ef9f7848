package score

import (
	"math"
	"testing"
)

func TestRound(t *testing.T) {
	for _, c := range []struct {
		x                        float64
		truncate, floor, nearest int64
	}{
		{2.5, 2, 2, 3}, {-2.5, -2, -3, -3}, {2.4999999, 2, 2, 2}, {-0.5, 0, -1, -1}, {0.49999999999999994, 0, 0, 0},
		{4294967295.9, 4294967295, 4294967295, 4294967296}, {-7, -7, -7, -7},
		{1e18 + 128, 1e18 + 128, 1e18 + 128, 1e18 + 128},
		{-1 << 63, math.MinInt64, math.MinInt64, math.MinInt64},
	} {
		for how, want := range map[string]int64{"truncate": c.truncate, "": c.truncate, "floor": c.floor,
			"nearest": c.nearest} {
			if got := Round(c.x, how); got != want {
				t.Errorf("round(%v, %q) = %d, want %d", c.x, how, got, want)
			}
		}
	}
}
