package engine

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
)

// TestMergeSort: where there is an order, the merge sort of halves is any stable sort; of what is none
// it makes what its halves do.
func TestMergeSort(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOfN(rapid.IntRange(0, 5), 0, 40).Draw(t, "keys")
		list := make([]int32, len(keys))
		for i := range list {
			list[i] = int32(i)
		}
		want := slices.Clone(list)
		byKey := func(a, b int32) int { return cmp.Compare(keys[a], keys[b]) }
		slices.SortStableFunc(want, byKey)
		if mergeSort(list, make([]int32, len(list)), byKey); !slices.Equal(list, want) {
			t.Fatalf("%v sorted by %v is %v, want %v", want, keys, list, want)
		}
	})
	list := []int32{0, 1, 2} // stone, paper, scissors: each loses to the next
	mergeSort(list, make([]int32, 3), func(a, b int32) int {
		if (a+1)%3 == b {
			return 1
		}
		return -1
	})
	if want := []int32{0, 2, 1}; !slices.Equal(list, want) {
		t.Errorf("a circle is cut as %v, want %v", list, want)
	}
}

// TestOverlapOnce: partitions are looked at once, and what is kept of them is of the right two.
func TestOverlapOnce(t *testing.T) {
	nodes := func(names ...string) slurmPartition {
		p := slurmPartition{nodeNames: map[string]bool{}}
		for _, name := range names {
			p.nodeNames[name] = true
		}
		return p
	}
	g := &slurmGuard{partitions: []slurmPartition{nodes("n1"), nodes("n1", "n2"), nodes("n2", "n3"), nodes()}, codes: []uint32{3, 0, 2, 1, 0}}
	once := g.overlapOnce()
	for a := range g.codes {
		for b := range g.codes {
			if got, want := once(a, b), g.overlap(a, b); got != want {
				t.Errorf("rows %d and %d: %t, want %t", a, b, got, want)
			}
		}
	}
	clear(g.partitions[1].nodeNames)
	g.partitions[1].nodeNames["n9"] = true
	if !once(1, 3) {
		t.Error("the nodes of a pair were looked at again")
	}
}
