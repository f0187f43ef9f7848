package slurm

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
)

// oneByOne takes nodes in an order until they are enough; ok is false if all together are not.
func oneByOne(sizes []int64, nodes, procs int64) (n int, held int64, ok bool) {
	for n < len(sizes) && (held < procs || int64(n) < nodes) {
		held += sizes[n]
		n++
	}
	return n, held, held >= procs && int64(n) >= nodes
}

// TestHowManyHold: sums answer as nodes taken one by one do.
func TestHowManyHold(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.Int64Range(1, 9), 0, 8).Draw(t, "sizes")
		nodes, procs := rapid.Int64Range(1, 10).Draw(t, "nodes"), rapid.Int64Range(0, 50).Draw(t, "procs")
		for range 2 {
			sums := summed(sizes)
			n, held, ok := oneByOne(sizes, nodes, procs)
			got := howManyHold(sums, nodes, procs)
			if (got < len(sums)) != ok || ok && (got != n || sums[got] != held) {
				t.Fatalf("%d nodes, %d processors of %v: %d nodes by sums, %d one by one (%v)", nodes, procs, sizes, got, n, ok)
			}
			slices.Reverse(sizes)
		}
	})
}

// TestHowManyHoldOfManyNodes: a job of a large cluster costs no walk over its nodes.
func TestHowManyHoldOfManyNodes(t *testing.T) {
	read := 0
	sums := summed(slices.Repeat([]int64{64}, 1<<20))
	allocated := testing.AllocsPerRun(10, func() { read = howManyHold(sums, 1, 64*(1<<19)) })
	if read != 1<<19 || allocated > 0 {
		t.Errorf("%d nodes hold half of the processors, with %v allocations", read, allocated)
	}
}
