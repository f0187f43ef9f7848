package lower

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/schema"
)

// tables gathers credential columns; a later row of the same name wins.
type tables struct {
	list []*ir.Table
	by   map[schema.ColumnID]*ir.Table
}

func newTables() *tables { return &tables{by: map[schema.ColumnID]*ir.Table{}} }

func (t *tables) table(id schema.ColumnID) *ir.Table {
	if tab := t.by[id]; tab != nil {
		return tab
	}
	tab := &ir.Table{Column: id}
	t.list = append(t.list, tab)
	t.by[id] = tab
	return tab
}

func (t *tables) set(id schema.ColumnID, r ir.TableRow) {
	tab := t.table(id)
	if i := slices.IndexFunc(tab.Rows, func(o ir.TableRow) bool { return o.Name == r.Name }); i >= 0 {
		tab.Rows[i] = r
		return
	}
	tab.Rows = append(tab.Rows, r)
}

// row finds what is set for a name, DEFAULT being every other one; nil if nothing is.
func (t *tables) row(id schema.ColumnID, name string) *ir.TableRow {
	tab := t.by[id]
	if tab == nil {
		return nil
	}
	if name == "DEFAULT" && tab.Others != nil {
		return tab.Others
	}
	if i := slices.IndexFunc(tab.Rows, func(r ir.TableRow) bool { return r.Name == name }); i >= 0 {
		return &tab.Rows[i]
	}
	return nil
}

func (t *tables) setOthers(id schema.ColumnID, r ir.TableRow) { t.table(id).Others = &r }

// finished lists the tables in the order of the schema's objects, then by column.
func (t *tables) finished() []ir.Table {
	rank := map[string]int{}
	for i, o := range schema.Objects {
		rank[o.Name] = i
	}
	slices.SortStableFunc(t.list, func(a, b *ir.Table) int {
		if d := rank[a.Column.Object()] - rank[b.Column.Object()]; d != 0 {
			return d
		}
		return strings.Compare(string(a.Column), string(b.Column))
	})
	out := make([]ir.Table, len(t.list))
	for i, tab := range t.list {
		out[i] = *tab
	}
	return out
}
