package order

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/runtime/family/slurm"
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
	nodes := func(names ...string) slurm.SlurmPartition {
		p := slurm.SlurmPartition{NodeNames: map[string]bool{}}
		for _, name := range names {
			p.NodeNames[name] = true
		}
		return p
	}
	g := &slurm.SlurmGuard{Partitions: []slurm.SlurmPartition{nodes("n1"), nodes("n1", "n2"), nodes("n2", "n3"), nodes()}, Codes: []uint32{3, 0, 2, 1, 0}}
	once := g.OverlapOnce()
	for a := range g.Codes {
		for b := range g.Codes {
			if got, want := once(a, b), g.Overlap(a, b); got != want {
				t.Errorf("rows %d and %d: %t, want %t", a, b, got, want)
			}
		}
	}
	clear(g.Partitions[1].NodeNames)
	g.Partitions[1].NodeNames["n9"] = true
	if !once(1, 3) {
		t.Error("the nodes of a pair were looked at again")
	}
}
