package column

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
)

// Precedence says whose cell counts where two inputs have one.
type Precedence bool

const (
	// earlierWins is for the files of one directory, most exact first: a later
	// file adds rows and columns, but where an exact source has a column, its
	// "unknown" is knowledge and stays.
	EarlierWins Precedence = false
	// laterWins is for paths, as on a command line: the cells the later one
	// states replace, the others stay. An unknown cell or an empty string states nothing.
	LaterWins Precedence = true
)

// Join joins two tables by a key column; rows of into come first. The tables
// given must not be used afterwards.
func Join(into, from *Table, key schema.ColumnID, p Precedence) *Table {
	if from == nil {
		return into
	}
	if into == nil {
		if _, repeats := RepeatedKeys(from, key); repeats == 0 {
			return from
		}
		into = NewTable(from.Name, 0)
	}
	rowOf, rows := align(into, from, key)
	out := NewTable(into.Name, rows)
	for _, c := range into.Columns() {
		Extend(c, rows)
		out.Put(c)
	}
	for _, c := range from.Columns() {
		target := out.Column(c.ID)
		kept := 0 // rows whose cells are not to be touched
		if target != nil && p == EarlierWins {
			kept = into.Rows
		}
		if target == nil || target.Type != c.Type {
			// INVARIANT: readers give a column the type the schema has; the
			// check keeps a foreign column from breaking the table.
			target = &Column{ID: c.ID, Type: c.Type}
			Extend(target, rows)
			out.Put(target)
			kept = 0
		}
		Overlay(target, c, rowOf, kept)
	}
	return out
}

// align finds the row of the joined table for each row of from.
func align(into, from *Table, key schema.ColumnID) (rowOf []int, rows int) {
	index := map[string]int{}
	rows = into.Rows
	if c := into.Column(key); c != nil {
		for i, code := range c.Codes {
			index[c.Dict[code]] = i
		}
	}
	rowOf = make([]int, from.Rows)
	keys := from.Column(key)
	for i := range rowOf {
		if keys != nil {
			id := keys.Dict[keys.Codes[i]]
			if row, ok := index[id]; ok {
				rowOf[i] = row
				continue
			}
			index[id] = rows
		}
		rowOf[i] = rows
		rows++
	}
	return rowOf, rows
}

// Extend adds unknown (empty) rows up to n.
func Extend(c *Column, n int) {
	switch from := c.Len(); c.Type {
	case schema.Double:
		c.Doubles = append(c.Doubles, make([]float64, n-from)...)
		markMissing(c, from, n)
	case schema.String, schema.StringList:
		if from == n {
			return
		}
		empty := NewDictionary(c).Code("", nil)
		for range n - from {
			c.Codes = append(c.Codes, empty)
		}
	default:
		c.Ints = append(c.Ints, make([]int64, n-from)...)
		markMissing(c, from, n)
	}
}

func markMissing(c *Column, from, to int) {
	for i := from; i < to; i++ {
		c.Missing.Set(i)
	}
}

// Stated reports whether row i says anything.
func Stated(c *Column, i int) bool {
	switch c.Type {
	case schema.String:
		return c.Dict[c.Codes[i]] != ""
	case schema.StringList:
		return len(c.Lists[c.Codes[i]]) > 0
	}
	return !c.Missing.Get(i)
}

// Overlay writes the stated cells of src into dst, from row kept on.
func Overlay(dst, src *Column, rowOf []int, kept int) {
	dict := NewDictionary(dst)
	for i, row := range rowOf {
		if row < kept || !Stated(src, i) {
			continue
		}
		switch src.Type {
		case schema.Double:
			dst.Doubles[row] = src.Doubles[i]
		case schema.String:
			dst.Codes[row] = dict.Code(src.Dict[src.Codes[i]], nil)
			continue
		case schema.StringList:
			list := src.Lists[src.Codes[i]]
			dst.Codes[row] = dict.Code(strings.Join(list, "\x00"), list)
			continue
		default:
			dst.Ints[row] = src.Ints[i]
		}
		dst.Missing.Clear(row)
	}
}

// Dictionary finds or adds entries of a column's dictionary.
type Dictionary struct {
	column *Column
	codes  map[string]uint32
}

func NewDictionary(c *Column) *Dictionary {
	d := &Dictionary{column: c, codes: map[string]uint32{}}
	for i, s := range c.Dict {
		d.codes[s] = uint32(i)
	}
	for i, l := range c.Lists {
		d.codes[strings.Join(l, "\x00")] = uint32(i)
	}
	return d
}

func (d *Dictionary) Code(key string, list []string) uint32 {
	code, ok := d.codes[key]
	if ok {
		return code
	}
	code = uint32(d.column.DictLen())
	d.codes[key] = code
	if d.column.Type == schema.StringList {
		d.column.Lists = append(d.column.Lists, list)
	} else {
		d.column.Dict = append(d.column.Dict, key)
	}
	return code
}

// RepeatedKeys counts the rows whose key is in an earlier row.
func RepeatedKeys(t *Table, key schema.ColumnID) (example string, repeats int) {
	c := t.Column(key)
	if c == nil || c.Type != schema.String {
		return "", 0
	}
	seen := make([]bool, len(c.Dict))
	for _, code := range c.Codes {
		if seen[code] {
			if repeats++; repeats == 1 {
				example = c.Dict[code]
			}
		}
		seen[code] = true
	}
	return example, repeats
}

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
