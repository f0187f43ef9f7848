package shares

import (
	"math"

	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/fairshare/tree"
	"github.com/fairway-sched/fairway/runtime/program"
)

// Usage is printed in whole seconds (sshare) or hundredths (assoc_mgr), so that of all who have used
// next to nothing lately there is left a zero, and Fair Tree would rank them as one. Their
// levels have six decimals and are large where usage is small: with them usage is known better.

// coarse is up to how many units of the last printed digit usage is worked out from levels.
const coarse = 100

// refined is recorded usage, with small amounts worked out from Fair Tree's recorded
// levels where these are known.
func (u *recordedUsage) refined() func(key string) (float64, bool) {
	printed := u.column("association.usage_seconds", 1)
	usage, levels := u.table.Column("association.usage_seconds"), u.table.Column("association.level_fairshare")
	if usage == nil || levels == nil {
		return printed
	}
	t, _ := treeOf(u.rows)
	if t == nil {
		return printed
	}
	unit := printUnit(usage)
	better := map[string]float64{}
	used := make([]float64, t.Len())
	used[0] = u.total(t, printed, unit)
	for node := 1; node < t.Len(); node++ { // accounts come before what is below them
		key := u.rows[t.Row[node]].Key()
		amount, ok := printed(key)
		used[node] = amount
		row, above := u.index[key], used[t.FairshareParent[node]]
		if !ok || amount > coarse*unit || !column.Known(levels, row) || t.Associations[node].Shares == program.ParentShares {
			continue
		}
		level, norm := levels.Doubles[row], t.NormShares(false)[node]
		if math.IsInf(level, 1) || level <= 0 || norm <= 0 || above <= 0 {
			continue
		}
		if exact := norm / level * above; math.Abs(exact-amount) <= unit {
			used[node], better[key] = exact, exact
		}
	}
	if len(better) == 0 {
		return printed
	}
	return func(key string) (float64, bool) {
		if x, ok := better[key]; ok {
			return x, true
		}
		return printed(key)
	}
}

// unit is what the last digit of printed usage is worth.
func (u *recordedUsage) unit() float64 {
	if c := u.table.Column("association.usage_seconds"); c != nil {
		return printUnit(c)
	}
	return 1
}

// total is all usage: what users have used, if that is what the root is reported to have.
func (u *recordedUsage) total(t *tree.Tree, printed func(key string) (float64, bool), unit float64) float64 {
	sum := 0.0
	for node := range t.Len() {
		if t.IsUser(node) {
			used, _ := printed(u.rows[t.Row[node]].Key())
			sum += used
		}
	}
	if root, _ := printed(u.rows[t.Row[0]].Key()); root > sum+unit*float64(t.Users+1) {
		return root
	}
	return sum
}

// printUnit is what the last digit of a column is worth: a second, a hundredth, or next to nothing.
func printUnit(c *column.Column) float64 {
	unit := 1.0
	for row := range c.Len() {
		switch x := c.Doubles[row]; {
		case c.Missing.Get(row) || x == math.Trunc(x):
		case math.Abs(x*100-math.Round(x*100)) < 1e-6*max(1, x*1e-3):
			unit = min(unit, 0.01)
		default:
			return 1e-6
		}
	}
	return unit
}
