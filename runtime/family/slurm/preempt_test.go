package slurm

import "testing"

// TestOverlapOnce: partitions are looked at once, and what is kept of them is of the right two.
func TestOverlapOnce(t *testing.T) {
	nodes := func(names ...string) map[string]bool {
		set := map[string]bool{}
		for _, name := range names {
			set[name] = true
		}
		return set
	}
	g := &guard{nodes: []map[string]bool{nodes("n1"), nodes("n1", "n2"), nodes("n2", "n3"), nodes()},
		codes: []uint32{3, 0, 2, 1, 0}}
	once := g.overlapOnce()
	for a := range g.codes {
		for b := range g.codes {
			if got, want := once(a, b), g.overlap(a, b); got != want {
				t.Errorf("rows %d and %d: %t, want %t", a, b, got, want)
			}
		}
	}
	clear(g.nodes[1])
	g.nodes[1]["n9"] = true
	if !once(1, 3) {
		t.Error("the nodes of a pair were looked at again")
	}
}
