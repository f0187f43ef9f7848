package column

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
)

// Builder makes a table row by row. A cell that is not set is unknown (numbers,
// times) or empty (strings).
type Builder struct {
	name     string
	rows     int
	expected int
	cols     []*Building
	byID     map[schema.ColumnID]*Building
}

// Building is a column of a table that is being built.
type Building struct {
	Column
	cells int // so far
	table *Builder
	codes map[string]uint32
	last  string // whose code was asked for last
	code  uint32 // of last
}

// NewBuilder starts a table.
func NewBuilder(name string) *Builder {
	return &Builder{name: name, byID: map[schema.ColumnID]*Building{}}
}

// Row begins the next row and returns its index.
func (b *Builder) Row() int {
	b.rows++
	return b.rows - 1
}

// Expect says how many rows there will be, more or less; columns grow to that at once.
func (b *Builder) Expect(rows int) { b.expected = rows }

// Rows is how many rows were begun.
func (b *Builder) Rows() int { return b.rows }

// Columns is how many columns there are.
func (b *Builder) Columns() int { return len(b.cols) }

// Has reports a column that a row has set, or that was declared.
func (b *Builder) Has(id schema.ColumnID) bool { return b.byID[id] != nil }

// Declare makes sure the column exists even if no row sets it.
func (b *Builder) Declare(id schema.ColumnID, t schema.Type) { b.At(id, t) }

// Int sets a cell of the current row.
func (b *Builder) Int(id schema.ColumnID, v int64) { b.Value(id, schema.IntValue(v)) }

// Bool sets a cell of the current row.
func (b *Builder) Bool(id schema.ColumnID, v bool) { b.Value(id, schema.BoolValue(v)) }

// Time sets a cell of the current row to epoch seconds.
func (b *Builder) Time(id schema.ColumnID, epochSeconds int64) {
	b.Value(id, schema.TimestampValue(epochSeconds))
}

// Double sets a cell of the current row.
func (b *Builder) Double(id schema.ColumnID, v float64) { b.Value(id, schema.DoubleValue(v)) }

// String sets a cell of the current row.
func (b *Builder) String(id schema.ColumnID, v string) { b.Value(id, schema.StringValue(v)) }

// List sets a cell of the current row.
func (b *Builder) List(id schema.ColumnID, v []string) { b.Value(id, schema.ListValue(v)) }

// Value sets a cell of the current row from a boxed value; unknown leaves it unset.
func (b *Builder) Value(id schema.ColumnID, v schema.Value) {
	if v.Known() {
		b.At(id, v.Type).Set(b.rows-1, v)
	}
}

// Table finishes the table; the builder must not be used afterwards.
func (b *Builder) Table() *Table {
	t := NewTable(b.name, b.rows)
	for _, c := range b.cols {
		if c.cells < b.rows {
			c.pad(b.rows)
		}
		done := c.Column // alone, so that its codes are not kept
		t.Put(&done)
	}
	return t
}

// At is the column of a name, made if it is not there: who sets it in every row asks for it once.
func (b *Builder) At(id schema.ColumnID, t schema.Type) *Building {
	if c, ok := b.byID[id]; ok {
		return c
	}
	c := &Building{Column: Column{ID: id, Type: t}, table: b}
	b.cols = append(b.cols, c)
	b.byID[id] = c
	return c
}

// Set sets the cell of a row, the current one of its builder, to a known value of the column's type.
func (c *Building) Set(row int, v schema.Value) {
	switch c.Type {
	case schema.String:
		c.SetCode(row, c.codeOf(v.Str, nil))
	case schema.StringList:
		c.SetCode(row, c.codeOf(listKey(v.List), v.List))
	case schema.Double:
		c.begin(row)
		c.Doubles = append(grown(c, c.Doubles)[:row], v.Double)
	default:
		c.begin(row)
		c.Ints = append(grown(c, c.Ints)[:row], v.Int)
	}
}

// ReplaceList gives an earlier row, which has a list, another one.
func (c *Building) ReplaceList(row int, list []string) { c.Codes[row] = c.codeOf(listKey(list), list) }

// SetCode sets the cell of a row to a string or a list that the column has already.
func (c *Building) SetCode(row int, code uint32) {
	c.begin(row)
	c.Codes = append(grown(c, c.Codes)[:row], code)
}

// Code is the code of a string or list that the column has, from 1; 0 if it has not, or is of numbers.
func (c *Building) Code(v schema.Value) int {
	key := v.Str
	switch v.Type {
	case schema.StringList:
		key = listKey(v.List)
	case schema.String:
	default:
		return 0
	}
	if code, ok := c.codes[key]; ok {
		return int(code) + 1
	}
	return 0
}

// Word is a string with its code, from 1; 0 if the column does not have it yet.
func (c *Building) Word(text []byte) (schema.Value, int) {
	if code, ok := c.codes[string(text)]; ok {
		return schema.StringValue(c.Dict[code]), int(code) + 1
	}
	return schema.StringValue(string(text)), 0
}

// listKey tells lists apart.
func listKey(list []string) string { return strings.Join(list, "\x00") }

// begin makes row the next cell to write: what is before it and unset becomes
// unknown, and what was set there before is forgotten.
func (c *Building) begin(row int) {
	if c.cells < row {
		c.pad(row)
	} else if c.cells > row && row>>6 < len(c.Missing) {
		c.Missing[row>>6] &^= 1 << (uint(row) & 63)
	}
	c.cells = row + 1
}

// pad fills rows up to n as unknown, or empty for strings.
func (c *Building) pad(n int) {
	from, more := c.cells, n-c.cells
	switch c.Type {
	case schema.String, schema.StringList:
		empty := c.codeOf("", nil)
		for c.Codes = grown(c, c.Codes); len(c.Codes) < n; {
			c.Codes = append(c.Codes, empty)
		}
		from = n
	case schema.Double:
		c.Doubles = append(grown(c, c.Doubles), make([]float64, more)...)
	default:
		c.Ints = append(grown(c, c.Ints), make([]int64, more)...)
	}
	for ; from < n; from++ {
		c.Missing.Set(from)
	}
	c.cells = n
}

// grown has room for one more cell. It grows towards what is expected, yet never to more than 32 times what there
// is, as an expectation may be wrong.
func grown[T any](c *Building, cells []T) []T {
	if n := len(cells); n == cap(cells) && n < c.table.expected {
		return slices.Grow(cells, min(c.table.expected-n, 31*n+8))
	}
	return cells
}

func (c *Building) codeOf(key string, list []string) uint32 {
	if c.codes == nil || key != c.last {
		c.last, c.code = key, c.lookUp(key, list)
	}
	return c.code
}

func (c *Building) lookUp(key string, list []string) uint32 {
	if c.codes == nil {
		c.codes = map[string]uint32{}
	}
	if code, ok := c.codes[key]; ok {
		return code
	}
	code := uint32(len(c.codes))
	c.codes[key] = code
	if c.Type == schema.StringList {
		c.Lists = append(c.Lists, list)
	} else {
		c.Dict = append(c.Dict, key)
	}
	return code
}
