package tree

import (
	"math"

	"github.com/fairway-sched/fairway/lang/diag"
)

// Usage is what associations or QOS have used, decayed, one value each per column.
type Usage struct {
	Billing     []float64   // billing-seconds: what fairshare counts (usage_raw)
	WallSeconds []float64   // what GrpWall counts (grp_used_wall)
	TRES        [][]float64 // TRES-seconds, a column for each TRES of the caller's list (usage_tres_raw)
}

// NewUsage makes columns of zeros.
func NewUsage(rows, tres int) *Usage {
	u := &Usage{Billing: make([]float64, rows), WallSeconds: make([]float64, rows), TRES: make([][]float64, tres)}
	for i := range u.TRES {
		u.TRES[i] = make([]float64, rows)
	}
	return u
}

func (u *Usage) columns(visit func(column []float64)) {
	visit(u.Billing)
	visit(u.WallSeconds)
	for _, c := range u.TRES {
		visit(c)
	}
}

// Unstated is used in Load for usage that the source does not state.
var Unstated = math.NaN()

// Load makes a column by node from values by row. What is Unstated is 0 for a user
// and the sum of what is below for an account: the controller's state file has users
// alone, and it sums them up when it starts (observed). A stated account may have more,
// as deleted users leave their usage with the accounts above, but never less.
func (t *Tree) Load(rows []float64) ([]float64, diag.List) {
	diags := diag.Bounded{Max: maxFindings, Code: "tree-more-findings"}
	column := make([]float64, t.Len())
	below := make([]float64, t.Len())
	// Prints cut usage to a second or round it to a hundredth.
	slack := 1 + 0.005*float64(t.Len())
	for i := t.Len() - 1; i >= 0; i-- {
		a, value := &t.Associations[i], rows[t.Row[i]]
		switch {
		case value < 0 || value > maxUsage:
			diags.Errorf("tree-bad-usage", a.Span, "%s has a usage of %g", label(a), value).
				Note("usage is a number of seconds from 0 to %g; it counts as not stated", maxUsage)
		case value+slack < below[i]:
			diags.Warnf("tree-usage-too-small", a.Span, "%s has a usage of %g, but what is below it has %g", label(a), value,
				below[i]).
				Note("the sum counts; were the rows taken at the same time?")
		}
		column[i] = below[i]
		if value > below[i] && value <= maxUsage {
			column[i] = value
		}
		if i > 0 {
			below[t.Parent[i]] += column[i]
		}
	}
	return column, diags.List()
}

// maxUsage keeps sums and quotients of usage finite: all machines there are do not
// use as much in the age of the universe.
const maxUsage = 1e100

// RollUp gives every account the sum of the users below it and keeps users as they are.
func (t *Tree) RollUp(column []float64) {
	for i, user := range t.isUser {
		if !user {
			column[i] = 0
		}
	}
	for i := t.Len() - 1; i > 0; i-- {
		column[t.Parent[i]] += column[i]
	}
}
