package tree

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
)

// A network that sorts all zeros and ones sorts everything (Knuth, 5.3.4).
func TestNetworks(t *testing.T) {
	for bits := range 1 << networkSize {
		var keys [networkSize]uint64
		for k := range keys {
			keys[k] = uint64(bits >> k & 1)
		}
		if sortEight(&keys); !slices.IsSorted(keys[:]) {
			t.Fatalf("%b: %v", bits, keys)
		}
	}
	for size := 2 * networkSize; size <= shortLevel; size *= 2 {
		for ones := range size/2 + 1 {
			for others := range size/2 + 1 {
				keys := make([]uint64, size)
				for k := range ones {
					keys[size/2-1-k] = 1
				}
				for k := range others {
					keys[size-1-k] = 1
				}
				if mergeHalves(keys); !slices.IsSorted(keys) {
					t.Fatalf("%d and %d ones of %d: %v", ones, others, size, keys)
				}
			}
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for n := range shortLevel + 1 {
		var keys [shortLevel + networkSize]uint64
		for k := range n {
			keys[k] = r.Uint64() >> 1
		}
		want := slices.Sorted(slices.Values(keys[:n]))
		if sortShort(&keys, n); !slices.Equal(keys[:n], want) {
			t.Fatalf("%d keys: %x, want %x", n, keys[:n], want)
		}
	}
}

// TestLevelsOfAnySize: whichever way a level is sorted, users have the ranks that the twin gives them, alone
// and in ties with others or with accounts.
func TestLevelsOfAnySize(t *testing.T) {
	var f FairTree
	for _, n := range []int{1, networkSize, networkSize + 1, shortLevel - 1, shortLevel, shortLevel + 1, mediumLevel,
		mediumLevel + 1, 2*mediumLevel + 77} {
		for _, spread := range []int{1, 10, 1_000_000} { // few different usages make ties
			for _, accounts := range []int{0, 3, n / 2} {
				r := rand.New(rand.NewPCG(uint64(n), uint64(spread)))
				rows := []Association{{Account: "root"}}
				usage := []float64{Unstated}
				for i := range n - min(n, accounts) {
					rows = append(rows, Association{Account: "root", User: strconv.Itoa(i), Shares: r.Int64N(4)})
					usage = append(usage, float64(r.IntN(3)*r.IntN(spread)))
				}
				for i := range min(n, accounts) {
					name := "a" + strconv.Itoa(i)
					rows = append(rows, Association{Account: name, Parent: "root", Shares: r.Int64N(4)},
						Association{Account: name, User: "u", Shares: 1})
					usage = append(usage, Unstated, float64(r.IntN(3)*r.IntN(spread)))
				}
				tree, column := build(t, rows, usage)
				slow := newTwin(rows, usage)
				for _, merge := range []bool{false, true} {
					slow.fairTree(merge)
					f.Compute(tree, column, FairTreeOptions{MergeTies: merge})
					for row, x := range slow.all {
						if node := tree.Node(row); f.Rank(node) != x.rank {
							t.Fatalf("%s: %s has rank %d, twin %d", fmt.Sprint(n, spread, accounts, merge), label(&rows[row]), f.Rank(node),
								x.rank)
						}
					}
				}
			}
		}
	}
}
