package lower

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/schema"
)

// tables gathers credential columns; a later row of the same name wins.
type tables struct {
	list []*table
	by   map[schema.ColumnID]*table
	rows int // how many a table will have, as far as that is known
}

// table is a column being gathered. A dump may have a row for each of very many
// users, so a row is found by its name.
type table struct {
	ir.Table
	at map[string]int // name → index in Rows
}

func newTables() *tables { return &tables{by: map[schema.ColumnID]*table{}} }

func (t *tables) table(id schema.ColumnID) *table {
	if tab := t.by[id]; tab != nil {
		return tab
	}
	tab := &table{Table: ir.Table{Column: id, Rows: make([]ir.TableRow, 0, t.rows)}, at: make(map[string]int, t.rows)}
	t.list = append(t.list, tab)
	t.by[id] = tab
	return tab
}

func (t *tables) set(id schema.ColumnID, r ir.TableRow) {
	tab := t.table(id)
	if i, ok := tab.at[r.Name]; ok {
		tab.Rows[i] = r
		return
	}
	tab.at[r.Name] = len(tab.Rows)
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
	if i, ok := tab.at[name]; ok {
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
	slices.SortStableFunc(t.list, func(a, b *table) int {
		if d := rank[a.Column.Object()] - rank[b.Column.Object()]; d != 0 {
			return d
		}
		return strings.Compare(string(a.Column), string(b.Column))
	})
	out := make([]ir.Table, len(t.list))
	for i, tab := range t.list {
		out[i] = tab.Table
	}
	return out
}
