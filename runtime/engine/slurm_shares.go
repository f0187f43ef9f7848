package engine

import (
	"fmt"
	"math"
	"time"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/fairshare/tree"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// TreeShares is Slurm's fairshare as of an evaluation: the account tree, what each association
// has used, and the factors that follow.
type TreeShares struct {
	Model *program.Tree
	Tree  *tree.Tree

	// Ledger is the usage after the last pass of the controller: of the associations by node, and of QOS.
	Ledger *tree.Ledger
	QOS    []string // the rows of Ledger.QOS
	TRES   []string // the columns of usage by resource

	FairTree *tree.FairTree // nil for the classic formula
	Classic  *tree.Classic  // nil for Fair Tree

	Placed bool // siblings stand as in the database, and not as sshare lists them

	weighed *tree.Weighed    // what classic factors go by; nil where that is Ledger.Before
	version string           // of the controller
	nodes   map[string]int32 // by key of the association
	clock   tree.Clock
	charges *charges
}

// Node finds an association by its key: account, account/user or account/user/partition.
func (t *TreeShares) Node(key string) (node int, ok bool) {
	n, ok := t.nodes[key]
	return int(n), ok
}

// Key is the key of a node.
func (t *TreeShares) Key(node int) string {
	a := program.Association{Account: t.Tree.Associations[node].Account, User: t.Tree.Associations[node].User, Partition: t.Tree.Associations[node].Partition}
	return a.Key()
}

// Factors are what both algorithms have in common.
func (t *TreeShares) Factors() *tree.Factors {
	if t.Classic != nil {
		return &t.Classic.Factors
	}
	return &t.FairTree.Factors
}

// Steps go along a node's path, from the first level down.
func (t *TreeShares) Steps(node int) []tree.Step {
	if t.Classic != nil {
		return t.Classic.Steps(node)
	}
	return t.FairTree.Steps(node)
}

// EffectiveUsage is what is set against shares.
func (t *TreeShares) EffectiveUsage(node int) float64 {
	if t.Classic != nil {
		return t.Classic.EffectiveUsage(node)
	}
	return t.FairTree.EffectiveUsage(node)
}

// Level is Fair Tree's level; there is none for the root and with FairShare=parent.
func (t *TreeShares) Level(node int) (level float64, ok bool) {
	if t.FairTree == nil || node == 0 || t.Tree.UsesParent(node) {
		return 0, false
	}
	return t.FairTree.LevelFS[node], true
}

// shareTree makes the account tree, brings its usage up to now and computes factors. Where
// neither policy nor snapshot say who has which shares and has used how much, there is nothing to
// compute, and what sshare recorded is taken.
func (r *Result) shareTree() {
	model, o := r.Program.Tree, &r.options
	previous := o.Previous
	if model == nil || o.RecordedFairshare {
		return
	}
	u := newRecordedUsage(r.Snapshot, r.Program.Version)
	if !u.stated && treeState(previous) == nil && (!o.KeepState || o.printed) {
		if u.factors {
			r.Findings.Infof("fairshare-recorded", model.Span, "fairshare factors are taken as sshare recorded them: no input says what was used").
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
	if len(model.Associations) == 0 && u.factors && (t == nil || len(diags) > 0 || !u.complete(t, rows, model.Algorithm == program.FairTree)) {
		r.Findings.Warnf("fairshare-tree-incomplete", span, "the snapshot shows only a part of the account tree, so fairshare factors are taken as recorded").
			Note("what is missing takes part too; ask for all of it: sshare -a -l -P, or give the output of sacctmgr dump with the policy")
		return
	}
	r.Findings = append(r.Findings, diags...)
	if t == nil {
		return
	}
	s := newTreeShares(r.Program, t, o.Place)
	r.Tree, s.Placed = s, placed
	r.useUsage(s, u, previous)
	s.compute(model, r.Program.Documented("fair_tree_ties"))
	if treeState(previous) == nil {
		r.sayPassBehind(s)
	}
	r.compareRecorded(s, u)
}

func newTreeShares(p *program.Program, t *tree.Tree, place *time.Location) *TreeShares {
	s := &TreeShares{Model: p.Tree, Tree: t, TRES: p.Tree.TRES, version: p.Version, nodes: make(map[string]int32, t.Len()), clock: clockOf(p, place)}
	for node := range t.Len() {
		s.nodes[s.Key(node)] = int32(node)
	}
	return s
}

// preferPrinted leaves out the kept usage of the account tree where the snapshot's counts.
func (o *Options) preferPrinted(p *program.Program, s *snapshot.Snapshot) {
	if !o.PrintedUsage || p.Tree == nil {
		return
	}
	u := newRecordedUsage(s, p.Version)
	o.printed = u.stated || u.factors
	if o.printed && o.Previous != nil {
		rest := *o.Previous
		rest.Tree = nil
		o.Previous = &rest
	}
}

// treeState is what the last evaluation left of the tree's usage; nil if there is none.
func treeState(previous *checkpoint.Checkpoint) *checkpoint.Tree {
	if previous == nil {
		return nil
	}
	return previous.Tree
}

func treeOf(rows []program.Association) (*tree.Tree, diag.List) {
	list := make([]tree.Association, len(rows))
	for i, a := range rows {
		list[i] = tree.Association{Account: a.Account, User: a.User, Partition: a.Partition, Parent: a.Parent, Shares: a.Shares, Span: a.Span}
	}
	return tree.New(list)
}

// clockOf says how usage ages.
func clockOf(p *program.Program, place *time.Location) tree.Clock {
	reset, _ := tree.ParsePeriod(p.Tree.Reset) // the compiler knows the words
	return tree.Clock{HalfLifeSeconds: p.Tree.HalfLifeSeconds, Exact: p.Documented("half_life"), Reset: reset, Place: place}
}

// compute works out the factors. The classic formula goes by the usage that the last pass read as it went
// (observed), Fair Tree by what it left.
func (t *TreeShares) compute(model *program.Tree, mergeTies bool) {
	if model.Algorithm == program.FairTree {
		t.FairTree = &tree.FairTree{}
		t.FairTree.Compute(t.Tree, t.Ledger.Associations.Billing, tree.FairTreeOptions{MergeTies: mergeTies})
		return
	}
	t.Classic = t.ClassicFactors(tree.ClassicOptions{Damp: model.Damp, DepthOblivious: model.Algorithm == program.DepthOblivious})
}

// ClassicFactors computes the classic formula by the usage that it goes by.
func (t *TreeShares) ClassicFactors(options tree.ClassicOptions) *tree.Classic {
	c, usage := &tree.Classic{}, t.Ledger.Before
	if t.weighed != nil {
		usage, options.All = t.weighed.Usage, t.weighed.All
	}
	c.Compute(t.Tree, usage, options)
	return c
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
func (r *Result) compareRecorded(s *TreeShares, u *recordedUsage) {
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
	r.Findings.Infof("fairshare-differs", s.Model.Span, "the fairshare factor of %s is computed as %.6f and was recorded as %.6f; in all %s like it",
		example, first[0], first[1], howManyDiffer(differ)).
		Note("shares, settings or usage are not those of the recorded moment; usage that is printed in whole seconds is not exact either").
		Note("--fairshare recorded takes the recorded factors")
}
