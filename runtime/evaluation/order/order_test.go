package order

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
