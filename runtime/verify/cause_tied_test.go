package verify

import (
	"testing"

	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/fairshare/tree"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// TestTieCountsOnce: however many competitors tie, an association's own users are counted once, so that the
// printed factor may be no further off than there are places.
func TestTieCountsOnce(t *testing.T) {
	rows := []tree.Association{{Account: "root"}}
	for _, user := range []string{"amy", "bob", "cat", "dan"} {
		rows = append(rows, tree.Association{Account: "root", User: user, Shares: 1})
	}
	built, diags := tree.New(rows)
	if built == nil || len(diags) > 0 {
		t.Fatal(diags)
	}
	shares := &engine.TreeShares{Tree: built, FairTree: &tree.FairTree{}}
	shares.FairTree.Compute(built, make([]float64, built.Len()), tree.FairTreeOptions{})
	r := &engine.Result{Tree: shares, Snapshot: &snapshot.Snapshot{}}
	if tie := tieOf(r, built.Node(1)); tie.users != 4 || !tie.exact {
		t.Errorf("amy shares the places of %d users (exactly: %t), not of 4", tie.users, tie.exact)
	}
}
