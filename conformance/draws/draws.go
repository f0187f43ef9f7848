// Package draws makes random tests repeat themselves: each run draws the same cases, so a change passes or
// fails by what it does. RAPID_SEED=N in the environment, or -rapid.seed=N, draws others; that is how new
// faults are looked for.
package draws

import (
	"flag"
	"os"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// usual is where drawing begins unless a seed is given; rapid itself would begin anywhere.
const usual = 1

// few is how many cases a law is checked on, unless -rapid.checks or FAIRWAY_LONG asks for others; rapid itself
// would check as many as rapids.
const (
	few    = "30"
	rapids = "100"
)

// Long reports whether tests take their long form, as the gate does (FAIRWAY_LONG=1): more draws, all sites, and
// the full set of recordings where it is beside the checkout. Without it the tests of a checkout end within
// minutes.
func Long() bool { return os.Getenv("FAIRWAY_LONG") != "" }

// InSample reports whether the i-th of many alike cases is tried: all of them in the long form, one in n in the
// usual one.
func InSample(i, n int) bool { return Long() || i%n == 0 }

// Check checks a law on random draws.
func Check(t *testing.T, law func(*rapid.T)) {
	t.Helper()
	begin(t, first(t))
	rapid.Check(t, law)
}

// UntilSeen checks a law, and checks it on further draws until it has seen enough of them; five times at
// most.
func UntilSeen(t *testing.T, enough func() bool, law func(*rapid.T)) {
	t.Helper()
	from := first(t)
	defer begin(t, from)
	for k := range uint64(5) {
		begin(t, from+k<<32) // far from the seeds that rapid counts up to
		if rapid.Check(t, law); t.Failed() || enough() {
			return
		}
	}
}

// seed is rapid's flag that says where drawing begins; 0 is anywhere.
const seed = "rapid.seed"

// checks is rapid's flag that says how many cases are drawn.
const checks = "rapid.checks"

func first(t *testing.T) uint64 {
	t.Helper()
	n, err := strconv.ParseUint(flag.Lookup(seed).Value.String(), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	if n == 0 {
		return usual
	}
	return n
}

func begin(t *testing.T, at uint64) {
	t.Helper()
	if err := flag.Set(seed, strconv.FormatUint(at, 10)); err != nil {
		t.Fatal(err)
	}
	if Long() || flag.Lookup(checks).Value.String() != rapids {
		return
	}
	if err := flag.Set(checks, few); err != nil {
		t.Fatal(err)
	}
}
