package slurm

import (
	"testing"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// Steps between leaves go up to the first switch that is over both; switches that are reported to be over each other
// end no search.
func TestDistance(t *testing.T) {
	nodes := []backfill.Node{
		{Switches: []string{"a", "ab", "top"}}, {Switches: []string{"b", "ab", "top"}},
		{Switches: []string{"c", "cd", "top"}},
		{Switches: []string{"x", "y"}}, {Switches: []string{"y", "x"}},
	}
	tree := newTree(nodes)
	leaf := func(node int) int32 { return tree.leafOf[node] }
	for _, c := range []struct {
		a, b  int
		steps int64
	}{{0, 0, 0}, {0, 1, 2}, {0, 2, 4}, {1, 2, 4}} {
		if got := tree.distance(leaf(c.a), leaf(c.b)); got != c.steps {
			t.Errorf("from %d to %d are %d steps, want %d", c.a, c.b, got, c.steps)
		}
	}
	tree.distance(leaf(3), leaf(0))
	usable := make([]int64, len(tree.switches))
	tree.better(leaf(3), leaf(4), usable, 1)
	tree.better(leaf(0), leaf(3), usable, 1)
}

func TestCountRange(t *testing.T) {
	s := newSet(200)
	for _, i := range []int32{0, 5, 63, 64, 127, 128, 199} {
		s.add(i)
	}
	for _, c := range []struct {
		first, end int32
		want       int64
	}{{0, 0, 0}, {0, 1, 1}, {0, 64, 3}, {63, 65, 2}, {64, 128, 2}, {1, 200, 6}, {129, 199, 0}} {
		if got := s.countRange(c.first, c.end); got != c.want {
			t.Errorf("from %d to %d are %d, want %d", c.first, c.end, got, c.want)
		}
	}
}
