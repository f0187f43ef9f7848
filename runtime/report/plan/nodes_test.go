package plan

import (
	"testing"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// Nodes are written in the order of their names, whatever order the snapshot has them in.
func TestNodesAreWrittenInTheOrderOfTheirNames(t *testing.T) {
	p := &Plan{Schedule: &backfill.Schedule{Cluster: &backfill.Cluster{Nodes: []backfill.Node{{Name: "n10"}, {Name: "n3"},
		{Name: "n2"}, {Name: "m1"}}}}}
	if got := p.nodesOf([]int32{0, 1, 2, 3}); got != "m1,n[2-3,10]" {
		t.Error(got)
	}
}
