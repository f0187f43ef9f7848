package engine

import (
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
)

// treeColumns are the columns of an association that its tree gives.
var treeColumns = []schema.ColumnID{"association.fairshare_factor", "association.level_fairshare", "association.usage_seconds", "association.norm_shares"}

func isTreeColumn(id schema.ColumnID) bool { return slices.Contains(treeColumns, id) }

// treeColumn lays a column of the tree over the dictionary of associations. One that is not in the
// tree has none, as a job without association.
func (b *binder) treeColumn(id, key schema.ColumnID) *column.Column {
	k := b.key(key)
	n := k.DictLen()
	j := &Joined{Key: key, Source: make([]string, n), Span: make([]source.Span, n),
		Column: &column.Column{ID: id, Type: schema.Double, Doubles: make([]float64, n)}}
	b.joined[id] = j
	factors := b.tree.Factors()
	for i, name := range k.Dict {
		node, ok := b.tree.Node(name)
		switch {
		case !ok:
		case id == "association.fairshare_factor":
			j.Column.Doubles[i] = factors.Factor[node]
		case id == "association.level_fairshare":
			j.Column.Doubles[i], ok = b.tree.Level(node)
		case id == "association.norm_shares":
			j.Column.Doubles[i] = factors.NormShares[node]
		default:
			j.Column.Doubles[i] = b.tree.Ledger.Associations.Billing[node]
		}
		if !ok {
			j.Column.Missing.Set(i)
		}
	}
	return j.Column
}
