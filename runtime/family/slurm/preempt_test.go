package slurm

import "testing"

// TestOverlapOnce: partitions are looked at once, and what is kept of them is of the right two.
func TestOverlapOnce(t *testing.T) {
	nodes := func(names ...string) partition {
		p := partition{nodeNames: map[string]bool{}}
		for _, name := range names {
			p.nodeNames[name] = true
		}
		return p
	}
	g := &guard{partitions: []partition{nodes("n1"), nodes("n1", "n2"), nodes("n2", "n3"), nodes()},
		codes: []uint32{3, 0, 2, 1, 0}}
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
