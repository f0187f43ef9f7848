package verify

import (
	"math"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/fairshare/tree"
)

// sshare reads the columns of sshare, where factors are computed and not taken from it. The classic
// ones depend on when: they go by what was used before the last pass.
func sshare(r *evaluation.Result, table *column.Table) *check {
	k := &check{Check: Check{Name: "sshare", Of: "shares and factors of sshare"}}
	names, factors := table.Column("association.name"), table.Column("association.fairshare_factor")
	if names == nil || factors == nil {
		return k
	}
	if r.Tree == nil {
		k.skip("no input says what was used, so the factors are taken over")
		return k
	}
	unit := usageUnit(r.Snapshot.Credentials["association"])
	for row, code := range names.Codes {
		if node, ok := r.Tree.Node(names.Dict[code]); ok {
			k.readings = append(k.readings, printedBySshare(r, table, row, node, unit)...)
		} else {
			k.skip("the policy's tree does not have the association")
		}
	}
	return k
}

// printedBySshare reads a row: six decimals each. The root's own numbers are of no matter.
func printedBySshare(r *evaluation.Result, t *column.Table, row, node int, unit float64) []*reading {
	var list []*reading
	add := func(field, column string, slack float64, value func(*evaluation.Result, int) float64) {
		printed := t.Value(schema.ColumnID("association."+column), row)
		if !printed.Known() || node == 0 {
			return
		}
		x := &reading{field: field, association: r.Tree.Key(node), job: -1 - node, row: node, printed: printed.Double,
			slack: slack, value: value}
		if x.low, x.high = rounded(x.printed, 6); math.IsInf(x.printed, 1) {
			x.low = math.MaxFloat64
		}
		list = append(list, x)
	}
	add("norm_shares", "norm_shares", 0,
		func(r *evaluation.Result, node int) float64 { return r.Tree.Factors().NormShares[node] })
	if level, ok := r.Tree.Level(node); ok {
		add("level_fs", "level_fairshare", levelSlack(r, node, level, unit),
			func(r *evaluation.Result, node int) float64 { return r.Tree.FairTree.LevelFS[node] })
	}
	if r.Tree.Tree.IsUser(node) || r.Tree.Classic != nil {
		add("fairshare", "fairshare_factor", factorSlack(r, node, unit),
			func(r *evaluation.Result, node int) float64 { return shownFactor(r, r.Tree.Classic, node) })
	}
	return list
}

// shownFactor: before 25.11 sshare works the classic formula out again from the row's own columns.
func shownFactor(r *evaluation.Result, classic *tree.Classic, node int) float64 {
	if version := r.Program.Version; classic != nil && version != "" && version < "25.11" {
		return classic.Shown(node)
	}
	if classic != nil {
		return classic.Factor[node]
	}
	return r.Tree.Factors().Factor[node]
}

// usageUnit is what the last digit of printed usage is worth: scontrol show assoc_mgr has
// hundredths, sshare whole seconds.
func usageUnit(t *column.Table) float64 {
	if c := t.Column("association.usage_seconds"); c != nil {
		for _, x := range c.Doubles {
			if x != math.Trunc(x) {
				return 0.01
			}
		}
	}
	return 1
}

// factorSlack is what the factor of an association may be off by. One that was read from sshare has six
// decimals. Of computed ones, Fair Tree's are ranks; the classic one is 2^(−usage/shares), whose slope in
// usage is its value times ln 2 over shares, and each association whose usage is summed may be off by a unit.
func factorSlack(r *evaluation.Result, node int, unit float64) float64 {
	s := r.Tree
	switch {
	case s == nil:
		return halfOfSixth
	case s.Classic == nil:
		return 0
	}
	all, shares := s.Factors().Usage[0], s.Factors().NormShares[node]
	if all <= 0 || shares <= 0 {
		return 0
	}
	return min(1, s.Classic.Factor[node]*math.Ln2/shares*unit*float64(s.Tree.Len())/all)
}

// levelSlack: a level is shares over a part of usage, and each may be off by a unit.
func levelSlack(r *evaluation.Result, node int, level, unit float64) float64 {
	used := r.Tree.Factors().Usage[node]
	if used <= 0 || math.IsInf(level, 1) {
		return 0
	}
	return level * unit * float64(r.Tree.Tree.Len()) / used
}

// firstPass is what the depth-oblivious formula gives in the first pass after the controller's start; nil
// for all others.
func firstPass(r *evaluation.Result) *tree.Classic {
	if !classic(r) || r.Program.Tree.Algorithm != "depth_oblivious" || r.Tree == nil {
		return nil
	}
	return r.Tree.ClassicFactors(tree.ClassicOptions{Damp: r.Program.Tree.Damp, DepthOblivious: true, FirstPass: true})
}

// classic reports the formulas that divide by the shares of the whole tree.
func classic(r *evaluation.Result) bool {
	t := r.Program.Tree
	return t != nil && t.Algorithm != "fair_tree"
}
