package engine

import (
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
)

// ofTree are the columns of an association that its tree gives.
var ofTree = []schema.ColumnID{"association.fairshare_factor", "association.level_fairshare", "association.usage_seconds", "association.norm_shares"}

// treeColumns lay columns of the tree over the dictionary of associations. One that is not in the
// tree has none, as a job without association.
func treeColumns(t *TreeShares) modelColumns {
	return func(b *binder, id, key schema.ColumnID) *column.Column {
		if t == nil || !slices.Contains(ofTree, id) {
			return nil
		}
		return b.treeColumn(t, id, key)
	}
}

func (b *binder) treeColumn(t *TreeShares, id, key schema.ColumnID) *column.Column {
	k := b.key(key)
	n := k.DictLen()
	j := &Joined{Key: key, Source: make([]string, n), Span: make([]source.Span, n),
		Column: &column.Column{ID: id, Type: schema.Double, Doubles: make([]float64, n)}}
	b.joined[id] = j
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
