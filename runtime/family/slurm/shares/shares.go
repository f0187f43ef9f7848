package shares

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/evaluation/score"
	"github.com/fairway-sched/fairway/runtime/fairshare/tree"
	"github.com/fairway-sched/fairway/runtime/program"
)

// Share makes the account tree, brings its usage up to now and computes factors. Where
// neither policy nor snapshot say who has which shares and has used how much, there is nothing to
// compute, and what sshare recorded is taken.
func Share(r *evaluation.Result) {
	model, o := r.Program.Tree, &r.Options
	if model == nil {
		return
	}
	u := newRecordedUsage(r.Snapshot, r.Program.Version)
	printed := o.PrintedUsage && (u.stated || u.factors)
	if printed && o.Previous != nil { // which counts, and not the kept usage
		rest := *o.Previous
		rest.Tree = nil
		o.Previous = &rest
	}
	if o.RecordedFairshare {
		return
	}
	previous := o.Previous
	if !u.stated && TreeState(previous) == nil && (!o.KeepState || printed) {
		if u.factors {
			r.Findings.Infof("fairshare-recorded", model.Span,
				"fairshare factors are taken as sshare recorded them: no input says what was used").
				Note("with sshare's RawUsage, or scontrol show assoc_mgr, they are computed")
		}
		return
	}
	rows, span := model.Associations, model.Span
	if len(rows) == 0 {
		rows, span = u.rows, source.Span{}
	}
	if len(rows) == 0 {
		return
	}
	rows, placed := u.inPlace(rows, r.Program.Version)
	t, diags := treeOf(rows)
	if len(model.Associations) == 0 && u.factors &&
		(t == nil || len(diags) > 0 || !u.complete(t, rows, model.Algorithm == program.FairTree)) {
		r.Findings.Warnf("fairshare-tree-incomplete", span,
			"the snapshot shows only a part of the account tree, so fairshare factors are taken as recorded").
			Note("what is missing takes part too; ask for all of it: sshare -a -l -P, or give the output of sacctmgr dump " +
				"with the policy")
		return
	}
	r.Findings = append(r.Findings, diags...)
	if t == nil {
		return
	}
	s := newTreeShares(r.Program, t, o.Place)
	r.Tree, s.Placed = s, placed
	useUsage(r, s, u, previous)
	compute(s, model, r.Program.Documented("fair_tree_ties"))
	if TreeState(previous) == nil {
		sayPassBehind(r, s)
	}
	compareRecorded(r, s, u)
}

func newTreeShares(p *program.Program, t *tree.Tree, place *time.Location) *evaluation.TreeShares {
	s := &evaluation.TreeShares{Model: p.Tree, Tree: t, TRES: p.Tree.TRES, Version: p.Version,
		Nodes: make(map[string]int32, t.Len()), Clock: clockOf(p, place)}
	for node := range t.Len() {
		s.Nodes[s.Key(node)] = int32(node)
	}
	return s
}

// TreeState is what the last evaluation left of the tree's usage; nil if there is none.
func TreeState(previous *checkpoint.Checkpoint) *checkpoint.Tree {
	if previous == nil {
		return nil
	}
	return previous.Tree
}

func treeOf(rows []program.Association) (*tree.Tree, diag.List) {
	list := make([]tree.Association, len(rows))
	for i, a := range rows {
		list[i] = tree.Association{Account: a.Account, User: a.User, Partition: a.Partition, Parent: a.Parent,
			Shares: a.Shares, Span: a.Span}
	}
	return tree.New(list)
}

// clockOf says how usage ages.
func clockOf(p *program.Program, place *time.Location) tree.Clock {
	reset, _ := tree.ParsePeriod(p.Tree.Reset) // the compiler knows the words
	return tree.Clock{HalfLifeSeconds: p.Tree.HalfLifeSeconds, Exact: p.Documented("half_life"), Reset: reset,
		Place: place}
}

// compute works out the factors. The classic formula goes by the usage that the last pass read as it went
// (observed), Fair Tree by what it left.
func compute(t *evaluation.TreeShares, model *program.Tree, mergeTies bool) {
	if model.Algorithm == program.FairTree {
		t.FairTree = &tree.FairTree{}
		t.FairTree.Compute(t.Tree, t.Ledger.Associations.Billing, tree.FairTreeOptions{MergeTies: mergeTies})
		return
	}
	t.Classic = t.ClassicFactors(tree.ClassicOptions{Damp: model.Damp,
		DepthOblivious: model.Algorithm == program.DepthOblivious})
}

func howManyDiffer(n int) string {
	if n == 1 {
		return "1 association is"
	}
	return fmt.Sprintf("%d associations are", n)
}

// printedFactor is how far apart a computed factor and its print with six decimals can be.
const printedFactor = 0.5e-6 + 1e-9

// compareRecorded says where computed factors are not those that sshare printed.
func compareRecorded(r *evaluation.Result, s *evaluation.TreeShares, u *recordedUsage) {
	differ, example, first := 0, "", [2]float64{}
	factors := s.Factors()
	for node := range s.Tree.Len() {
		recorded, ok := u.factor[s.Key(node)]
		if !ok || !s.Tree.IsUser(node) || math.Abs(recorded-factors.Factor[node]) <= printedFactor {
			continue
		}
		if differ++; differ == 1 {
			example, first = s.Key(node), [2]float64{factors.Factor[node], recorded}
		}
	}
	if differ == 0 {
		return
	}
	r.Findings.Infof("fairshare-differs", s.Model.Span,
		"the fairshare factor of %s is computed as %.6f and was recorded as %.6f; in all %s like it",
		example, first[0], first[1], howManyDiffer(differ)).
		Note("shares, settings or usage are not those of the recorded moment; usage that is printed in whole seconds is " +
			"not exact either").
		Note("--fairshare recorded takes the recorded factors")
}

// ofTree are the columns of an association that its tree gives.
var ofTree = []schema.ColumnID{"association.fairshare_factor", "association.level_fairshare",
	"association.usage_seconds", "association.norm_shares"}

// Columns lay columns of the tree over the dictionary of associations. One that is not in the
// tree has none, as a job without association.
func Columns(t *evaluation.TreeShares) score.Model {
	return func(b *score.Binder, id, key schema.ColumnID) *column.Column {
		if t == nil || !slices.Contains(ofTree, id) {
			return nil
		}
		return treeColumn(b, t, id, key)
	}
}

func treeColumn(b *score.Binder, t *evaluation.TreeShares, id, key schema.ColumnID) *column.Column {
	k := b.Key(key)
	n := k.DictLen()
	j := &evaluation.Joined{Key: key, Source: make([]string, n), Span: make([]source.Span, n),
		Column: &column.Column{ID: id, Type: schema.Double, Doubles: make([]float64, n)}}
	b.Joined[id] = j
	factors := t.Factors()
	for i, name := range k.Dict {
		node, ok := t.Node(name)
		switch {
		case !ok:
		case id == "association.fairshare_factor":
			j.Column.Doubles[i] = factors.Factor[node]
		case id == "association.level_fairshare":
			j.Column.Doubles[i], ok = t.Level(node)
		case id == "association.norm_shares":
			j.Column.Doubles[i] = factors.NormShares[node]
		default:
			j.Column.Doubles[i] = t.Ledger.Associations.Billing[node]
		}
		if !ok {
			j.Column.Missing.Set(i)
		}
	}
	return j.Column
}
