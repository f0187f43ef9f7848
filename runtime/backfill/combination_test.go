package backfill

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
)

// TestCombine: what is chosen fits and is worth the most of all combinations; of equal ones it is the first found.
// With few tries it still fits, and is worth no less than the best fits first.
func TestCombine(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(0, 5), 0, 8).Draw(t, "sizes")
		worth := rapid.SliceOfN(rapid.Int64Range(0, 5), len(sizes), len(sizes)).Draw(t, "worth")
		room := rapid.IntRange(0, 12).Draw(t, "room")
		left := room
		try := func(n int) (func(), bool) {
			if sizes[n] > left {
				return nil, false
			}
			left -= sizes[n]
			return func() { left += sizes[n] }, true
		}
		value := func(list []int) (all int64, fits bool) {
			size := 0
			for _, n := range list {
				size, all = size+sizes[n], all+worth[n]
			}
			return all, size <= room
		}
		var best []int
		most := int64(-1)
		for subset := range 1 << len(sizes) {
			var list []int
			for n := range sizes {
				if subset&(1<<(len(sizes)-1-n)) == 0 { // those with the earlier things first
					list = append(list, n)
				}
			}
			if all, fits := value(list); fits && all > most {
				best, most = list, all
			}
		}
		got := Combine(worth, 1<<20, nil, try)
		if all, fits := value(got); !fits || all != most || left != room {
			t.Fatalf("%v is worth %d, best is %v with %d; %d of %d left", got, all, best, most, left, room)
		}
		few := Combine(worth, rapid.Int64Range(0, 5).Draw(t, "tries"), nil, try)
		order := make([]int, len(sizes))
		for n := range order {
			order[n] = n
		}
		slices.SortStableFunc(order, func(a, b int) int { return int(worth[b] - worth[a]) })
		c := combination[int64]{worth: worth, try: try}
		_, least := c.together(order)
		if all, fits := value(few); !fits || all < least || left != room {
			t.Fatalf("with few tries %v is worth %d, the best fits first %d", few, all, least)
		}
	})
}

// TestEndedCombination: whoever no longer wants a combination does not wait for the rest of the search.
func TestEndedCombination(t *testing.T) {
	worth := make([]int64, 40)
	for n := range worth {
		worth[n] = 1
	}
	left, tried := 20, 0
	asked := 0
	Combine(worth, 1<<60, func() bool { asked++; return asked == 3 }, func(n int) (func(), bool) {
		if tried++; left < 1+n%3 { // so that the bound does not end it
			return nil, false
		}
		left -= 1 + n%3
		return func() { left += 1 + n%3 }, true
	})
	if asked != 3 || tried > 4*triesUntilAsked || left != 20 {
		t.Errorf("asked %d times, %d tries, %d left", asked, tried, left)
	}
}
