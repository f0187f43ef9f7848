package view

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// TestFreeParts: jobs on a node at one time never get the same processors while there are enough, and each gets as
// many as it asks for.
func TestFreeParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		capacity := rapid.Int64Range(1, 40).Draw(t, "capacity")
		var busy []held
		inUse := int64(0)
		for at := range rapid.Int64Range(1, 30).Draw(t, "jobs") {
			var still []held
			for _, h := range busy {
				if h.until > at {
					still = append(still, h)
				} else {
					inUse -= h.to - h.from
				}
			}
			busy = still
			if inUse == capacity {
				continue
			}
			procs := rapid.Int64Range(1, capacity-inUse).Draw(t, "procs")
			until := at + rapid.Int64Range(1, 8).Draw(t, "time")
			got := int64(0)
			for _, f := range freeParts(busy, capacity, procs) {
				for _, h := range busy {
					if f.from < h.to && h.from < f.to {
						t.Fatalf("%v lies over %v", f, h)
					}
				}
				if f.from < 0 || f.to > capacity || f.from >= f.to {
					t.Fatalf("part %v of %d", f, capacity)
				}
				got += f.to - f.from
				busy = append(busy, held{f, until})
			}
			if got != procs {
				t.Fatalf("%d of %d processors", got, procs)
			}
			inUse += procs
		}
	})
}

func TestTogether(t *testing.T) {
	got := together([]box{{0, 2, 1}, {0, 0, 1}, {0, 1, 1}, {0, 4, 0.5}})
	if len(got) != 2 || got[0].top != 0 || got[0].height != 3 || got[1].top != 4 {
		t.Error(got)
	}
}

// TestThin: a chart of very many boxes keeps the largest.
func TestThin(t *testing.T) {
	p := &Plan{Schedule: &backfill.Schedule{Cluster: &backfill.Cluster{}, Placements: []backfill.Placement{{Start: 0, End: 100, By: backfill.ByMain}}}}
	g := &gantt{Plan: p, from: 0, to: 100, lane: 10}
	for k := range maxBoxes + 500 {
		g.boxes = append(g.boxes, box{0, float64(k), 1 + float64(k)/maxBoxes})
	}
	g.thin()
	if len(g.boxes) != maxBoxes || g.unseen != 500 || g.boxes[0].top != 500 {
		t.Error(len(g.boxes), g.unseen, g.boxes[0])
	}
}
