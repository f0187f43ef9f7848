package column

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
)

// Builder makes a table row by row. A cell that is not set is unknown (numbers,
// times) or empty (strings).
type Builder struct {
	name string
	rows int
	cols []*building
	byID map[schema.ColumnID]*building
}

type building struct {
	Column
	codes map[string]uint32
}

// NewBuilder starts a table.
func NewBuilder(name string) *Builder {
	return &Builder{name: name, byID: map[schema.ColumnID]*building{}}
}

// Row begins the next row and returns its index.
func (b *Builder) Row() int {
	b.rows++
	return b.rows - 1
}

// Columns is how many columns there are.
func (b *Builder) Columns() int { return len(b.cols) }

// Has reports a column that a row has set, or that was declared.
func (b *Builder) Has(id schema.ColumnID) bool { return b.byID[id] != nil }

// Declare makes sure the column exists even if no row sets it.
func (b *Builder) Declare(id schema.ColumnID, t schema.Type) { b.column(id, t) }

// Int sets a cell of the current row.
func (b *Builder) Int(id schema.ColumnID, v int64) {
	c := b.column(id, schema.Int)
	c.begin(b.rows - 1)
	c.Ints = append(c.Ints[:b.rows-1], v)
}

// Bool sets a cell of the current row.
func (b *Builder) Bool(id schema.ColumnID, v bool) {
	c := b.column(id, schema.Bool)
	c.begin(b.rows - 1)
	c.Ints = append(c.Ints[:b.rows-1], schema.BoolValue(v).Int)
}

// Time sets a cell of the current row to epoch seconds.
func (b *Builder) Time(id schema.ColumnID, epochSeconds int64) {
	c := b.column(id, schema.Timestamp)
	c.begin(b.rows - 1)
	c.Ints = append(c.Ints[:b.rows-1], epochSeconds)
}

// Double sets a cell of the current row.
func (b *Builder) Double(id schema.ColumnID, v float64) {
	c := b.column(id, schema.Double)
	c.begin(b.rows - 1)
	c.Doubles = append(c.Doubles[:b.rows-1], v)
}

// String sets a cell of the current row.
func (b *Builder) String(id schema.ColumnID, v string) {
	c := b.column(id, schema.String)
	c.begin(b.rows - 1)
	c.Codes = append(c.Codes[:b.rows-1], c.code(v, nil))
}

// List sets a cell of the current row.
func (b *Builder) List(id schema.ColumnID, v []string) {
	c := b.column(id, schema.StringList)
	c.begin(b.rows - 1)
	c.Codes = append(c.Codes[:b.rows-1], c.code(strings.Join(v, "\x00"), v))
}

// Value sets a cell of the current row from a boxed value; unknown leaves it unset.
func (b *Builder) Value(id schema.ColumnID, v schema.Value) {
	switch v.Type {
	case schema.Int:
		b.Int(id, v.Int)
	case schema.Bool:
		b.Bool(id, v.Int != 0)
	case schema.Timestamp:
		b.Time(id, v.Int)
	case schema.Double:
		b.Double(id, v.Double)
	case schema.String:
		b.String(id, v.Str)
	case schema.StringList:
		b.List(id, v.List)
	}
}

// Table finishes the table; the builder must not be used afterwards.
func (b *Builder) Table() *Table {
	t := NewTable(b.name, b.rows)
	for _, c := range b.cols {
		c.pad(b.rows)
		t.Put(&c.Column)
	}
	return t
}

func (b *Builder) column(id schema.ColumnID, t schema.Type) *building {
	if c, ok := b.byID[id]; ok {
		return c
	}
	c := &building{Column: Column{ID: id, Type: t}}
	b.cols = append(b.cols, c)
	b.byID[id] = c
	return c
}

// begin makes row the next cell to write: what is before it and unset becomes
// unknown, and what was set there before is forgotten.
func (c *building) begin(row int) {
	c.pad(row)
	if row>>6 < len(c.Missing) {
		c.Missing[row>>6] &^= 1 << (uint(row) & 63)
	}
}

// pad fills rows up to n as unknown, or empty for strings.
func (c *building) pad(n int) {
	for c.Len() < n {
		switch c.Type {
		case schema.Double:
			c.Missing.Set(len(c.Doubles))
			c.Doubles = append(c.Doubles, 0)
		case schema.String, schema.StringList:
			c.Codes = append(c.Codes, c.code("", nil))
		default:
			c.Missing.Set(len(c.Ints))
			c.Ints = append(c.Ints, 0)
		}
	}
}

func (c *building) code(key string, list []string) uint32 {
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
