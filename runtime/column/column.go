// Package column holds tables as columns: the form in which jobs, nodes and
// credentials are read, scored and reported.
//
// Strings and lists of strings are dictionary codes, because a queue of a
// million jobs has a few thousand users. A row whose value is not known is marked
// in Missing and never holds a made-up number.
package column

import (
	"fmt"
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
)

// Bitmap marks rows; a nil Bitmap marks none.
type Bitmap []uint64

// Get reports whether row i is marked.
func (b Bitmap) Get(i int) bool { return i>>6 < len(b) && b[i>>6]>>(uint(i)&63)&1 == 1 }

// Set marks row i, growing the bitmap as needed.
func (b *Bitmap) Set(i int) {
	for len(*b) <= i>>6 {
		*b = append(*b, 0)
	}
	(*b)[i>>6] |= 1 << (uint(i) & 63)
}

// Clear takes the mark of row i away.
func (b Bitmap) Clear(i int) {
	if i>>6 < len(b) {
		b[i>>6] &^= 1 << (uint(i) & 63)
	}
}

// Any reports whether any row is marked.
func (b Bitmap) Any() bool { return slices.ContainsFunc(b, func(w uint64) bool { return w != 0 }) }

// Column is one column. Which slice is in use follows from Type: Doubles for
// Double; Codes into Dict for String and into Lists for StringList; Ints for all
// others (Bool as 0 or 1, Timestamp in epoch seconds, Duration in nanoseconds).
type Column struct {
	ID      schema.ColumnID
	Type    schema.Type
	Ints    []int64
	Doubles []float64
	Codes   []uint32
	Dict    []string
	Lists   [][]string
	Missing Bitmap
}

// Len is the number of rows.
func (c *Column) Len() int {
	switch c.Type {
	case schema.Double:
		return len(c.Doubles)
	case schema.String, schema.StringList:
		return len(c.Codes)
	}
	return len(c.Ints)
}

// Value boxes row i; an unknown row gives the zero Value.
func (c *Column) Value(i int) schema.Value {
	if c.Missing.Get(i) {
		return schema.Value{}
	}
	switch c.Type {
	case schema.Double:
		return schema.DoubleValue(c.Doubles[i])
	case schema.String:
		return schema.StringValue(c.Dict[c.Codes[i]])
	case schema.StringList:
		return schema.ListValue(c.Lists[c.Codes[i]])
	}
	return schema.Value{Type: c.Type, Int: c.Ints[i]}
}

// DictValue boxes dictionary entry code of a String or StringList column.
func (c *Column) DictValue(code int) schema.Value {
	if c.Type == schema.StringList {
		return schema.ListValue(c.Lists[code])
	}
	return schema.StringValue(c.Dict[code])
}

// DictLen is the number of dictionary entries.
func (c *Column) DictLen() int { return max(len(c.Dict), len(c.Lists)) }

// Table is a set of columns of equal length.
type Table struct {
	Name string
	Rows int
	cols []*Column
	byID map[schema.ColumnID]*Column
	near [256]*Column // the last one put of those that share a place
}

// place is a place among near: names differ in length and at their ends.
func place(id schema.ColumnID) uint8 {
	n := len(id)
	if n < 6 {
		return 0
	}
	signs := uint32(id[n-1]) | uint32(id[n-2])<<8 | uint32(id[n-4])<<16 | uint32(id[5])<<24
	const odd = 0xf9c16f15 // spreads the names that there are best
	return uint8((signs ^ uint32(n)<<5) * odd >> 24)
}

// NewTable returns an empty table of rows rows.
func NewTable(name string, rows int) *Table {
	return &Table{Name: name, Rows: rows, byID: map[schema.ColumnID]*Column{}}
}

// Column finds a column, or nil.
func (t *Table) Column(id schema.ColumnID) *Column {
	if t == nil {
		return nil
	}
	if c := t.near[place(id)]; c != nil && c.ID == id {
		return c
	}
	return t.byID[id]
}

// Columns lists the columns in the order they were added. Do not change it.
func (t *Table) Columns() []*Column { return t.cols }

// Put adds a column or replaces the one of the same id.
func (t *Table) Put(c *Column) {
	if c.Len() != t.Rows {
		panic(fmt.Sprintf("INVARIANT: column %s has %d rows in a table of %d", c.ID, c.Len(), t.Rows))
	}
	if _, ok := t.byID[c.ID]; ok {
		i := slices.IndexFunc(t.cols, func(o *Column) bool { return o.ID == c.ID })
		t.cols[i] = c
	} else {
		t.cols = append(t.cols, c)
	}
	t.byID[c.ID] = c
	t.near[place(c.ID)] = c
}

// Value boxes one cell; a column the table does not have is unknown.
func (t *Table) Value(id schema.ColumnID, row int) schema.Value {
	c := t.Column(id)
	if c == nil {
		return schema.Value{}
	}
	return c.Value(row)
}

// Text is a cell of strings, "" where the table has none.
func (t *Table) Text(id schema.ColumnID, row int) string { return TextAt(t.Column(id), row) }

// Int is a cell of whole numbers, times or truth, 0 where it is unknown.
func (t *Table) Int(id schema.ColumnID, row int) int64 { return IntAt(t.Column(id), row) }

func IntAt(c *Column, i int) int64 {
	if !Known(c, i) {
		return 0
	}
	return c.Ints[i]
}

// TextAt is a word of a row, "" where it has none.
func TextAt(c *Column, i int) string {
	if !Known(c, i) {
		return ""
	}
	return c.Dict[c.Codes[i]]
}

func DoubleAt(c *Column, i int) float64 {
	if !Known(c, i) {
		return 0
	}
	return c.Doubles[i]
}

func Known(c *Column, i int) bool { return c != nil && !c.Missing.Get(i) }

// KnownZeros clears the unknown marks of a column whose absence means zero:
// resource managers leave such a value out where it is zero.
func KnownZeros(c *Column) *Column {
	doc := schema.Lookup(c.ID)
	if doc == nil || doc.Absent != schema.AbsentZero || !c.Missing.Any() {
		return c
	}
	z := *c
	z.Missing = nil
	return &z
}

// Take gathers rows of a column; dictionaries are shared.
func Take(c *Column, index []int32) *Column {
	out := &Column{ID: c.ID, Type: c.Type, Dict: c.Dict, Lists: c.Lists}
	switch {
	case c.Doubles != nil:
		out.Doubles = gather(c.Doubles, index)
	case c.Codes != nil:
		out.Codes = gather(c.Codes, index)
	default:
		out.Ints = gather(c.Ints, index)
	}
	if c.Missing.Any() {
		for row, i := range index {
			if c.Missing.Get(int(i)) {
				out.Missing.Set(row)
			}
		}
	}
	return out
}

func gather[T any](data []T, index []int32) []T {
	out := make([]T, len(index))
	for row, i := range index {
		out[row] = data[i]
	}
	return out
}
