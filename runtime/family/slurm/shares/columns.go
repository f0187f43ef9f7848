package shares

import (
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/evaluation/score"
)

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
