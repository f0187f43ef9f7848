package draws_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
)

// TestLongForm: a law is checked on fewer cases than in the long form.
func TestLongForm(t *testing.T) {
	for _, c := range []struct {
		long    string
		atLeast int
		atMost  int
	}{{"1", 100, 1 << 20}, {"", 20, 60}} {
		t.Setenv("FAIRWAY_LONG", c.long)
		seen := 0
		draws.Check(t, func(*rapid.T) { seen++ })
		if seen < c.atLeast || seen > c.atMost {
			t.Errorf("FAIRWAY_LONG=%s: %d cases", c.long, seen)
		}
	}
}
