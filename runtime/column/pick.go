package column

import "github.com/fairway-sched/fairway/lang/schema"

// Pick copies the given rows of a table, in their order. Dictionaries are shared.
func (t *Table) Pick(rows []int) *Table {
	out := NewTable(t.Name, len(rows))
	for _, c := range t.Columns() {
		out.Put(c.Pick(rows))
	}
	return out
}

// Pick copies the given rows of a column.
func (c *Column) Pick(rows []int) *Column {
	picked := &Column{ID: c.ID, Type: c.Type, Dict: c.Dict, Lists: c.Lists}
	switch c.Type {
	case schema.Double:
		picked.Doubles = pick(c.Doubles, rows)
	case schema.String, schema.StringList:
		picked.Codes = pick(c.Codes, rows)
	default:
		picked.Ints = pick(c.Ints, rows)
	}
	for to, from := range rows {
		if c.Missing.Get(from) {
			picked.Missing.Set(to)
		}
	}
	return picked
}

func pick[T any](list []T, rows []int) []T {
	out := make([]T, len(rows))
	for to, from := range rows {
		out[to] = list[from]
	}
	return out
}
