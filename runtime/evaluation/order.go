package evaluation

import (
	"cmp"
	"fmt"
)

// OrderRule is one rule of the queue's order. Explanations name the first rule that tells two
// jobs apart, so they cannot disagree with the sort.
type OrderRule struct {
	Name   string
	Alike  bool                           // it tells no two jobs of this queue apart
	Tie    bool                           // asked only where priorities are equal; it goes by jobs, whatever their row
	ByRow  func(row int) int64            // the greater comes first; nil where pairs are compared
	Before func(a, b int) int             // of rows: negative if the first comes first; nil where ByRow decides
	Why    func(first, second int) string // why the first comes first; for jobs that the rule tells apart

	Result *Result
}

// Compare is negative if the rule puts the first of two jobs first, and 0 if it does not tell them apart.
func (o *OrderRule) Compare(first, second int) int {
	a, b := int(o.Result.RankRow[first]), int(o.Result.RankRow[second])
	if o.Before != nil {
		return o.Before(a, b)
	}
	return cmp.Compare(o.ByRow(b), o.ByRow(a))
}

// OrderRules lists the rules of the queue's order, the most significant first: the scheduler's own, or else
// priority alone. What all rules leave equal keeps the snapshot's order, which is the resource manager's.
func (r *Result) OrderRules() []OrderRule {
	if r.Rules == nil {
		return []OrderRule{r.PriorityRule()}
	}
	return r.Rules(r)
}

func (r *Result) PriorityRule() OrderRule {
	priority := func(row int) int64 { return r.Priority[row] }
	return OrderRule{Result: r, Name: "priority", ByRow: priority, Why: func(first, second int) string {
		a, b := priority(int(r.RankRow[first])), priority(int(r.RankRow[second]))
		return fmt.Sprintf("priority %d against %d, %d more", a, b, uint64(a)-uint64(b))
	}}
}
