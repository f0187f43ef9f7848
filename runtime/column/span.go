package column

import (
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
)

// Span says that the rows [At, At+N) of a table are those from From on of the table before it.
type Span struct{ At, From, N int }

// Same is the span of n rows that stay where they are.
func Same(n int) []Span { return []Span{{N: n}} }

// Without are the spans of n rows from which one is taken out.
func Without(n, row int) []Span {
	return []Span{{N: row}, {At: row, From: row + 1, N: n - row - 1}}
}

// Chain are the spans over two changes: those of the first, and then those of the second.
func Chain(first, second []Span) []Span {
	var out []Span
	for _, b := range second {
		for _, a := range first {
			lo, hi := max(b.From, a.At), min(b.From+b.N, a.At+a.N)
			if lo < hi {
				out = append(out, Span{At: b.At + lo - b.From, From: a.From + lo - a.At, N: hi - lo})
			}
		}
	}
	return out
}

// Rearranged is a table of so many rows. Those of the spans come from this one, in rising order; all others are
// unknown (numbers, times) or empty (strings).
func (t *Table) Rearranged(spans []Span, rows int) *Table {
	out := NewTable(t.Name, rows)
	for _, c := range t.Columns() {
		out.Put(c.Rearranged(spans, rows))
	}
	return out
}

// Rearranged is a column of a rearranged table.
func (c *Column) Rearranged(spans []Span, rows int) *Column {
	out := &Column{ID: c.ID, Type: c.Type, Dict: c.Dict, Lists: c.Lists}
	switch c.Type {
	case schema.Double:
		out.Doubles = Rearrange(c.Doubles, spans, rows)
	case schema.String, schema.StringList:
		out.Codes = Rearrange(c.Codes, spans, rows)
	default:
		out.Ints = Rearrange(c.Ints, spans, rows)
	}
	at := 0
	for _, s := range append(spans[:len(spans):len(spans)], Span{At: rows}) {
		for ; at < s.At; at++ {
			out.Clear(at)
		}
		for i := 0; i < s.N && c.Missing != nil; i++ {
			if c.Missing.Get(s.From + i) {
				out.Missing.Set(s.At + i)
			}
		}
		at = s.At + s.N
	}
	return out
}

// spare is how many entries of a dictionary no row may have, beside as many as have one.
const spare = 64

// Compact takes out the entries of a dictionary that no row has any more, once they are many. The others keep their
// order. The column must not be in use elsewhere.
func (c *Column) Compact() {
	n := c.DictLen()
	if n <= 2*len(c.Codes)+spare {
		return
	}
	used := make([]bool, n)
	for _, code := range c.Codes {
		used[code] = true
	}
	now, texts, lists := make([]uint32, n), c.Dict, c.Lists
	c.Dict, c.Lists = nil, nil
	for code := range used {
		switch {
		case !used[code]:
		case c.Type == schema.StringList:
			now[code], c.Lists = uint32(len(c.Lists)), append(c.Lists, lists[code])
		default:
			now[code], c.Dict = uint32(len(c.Dict)), append(c.Dict, texts[code])
		}
	}
	for row, code := range c.Codes {
		c.Codes[row] = now[code]
	}
}

// Rearrange moves values to their new rows.
func Rearrange[T any](list []T, spans []Span, rows int) []T {
	out := make([]T, rows)
	for _, s := range spans {
		copy(out[s.At:s.At+s.N], list[s.From:])
	}
	return out
}

// Clear makes a cell unknown, or empty in a column of strings. The column must not be in use elsewhere.
func (c *Column) Clear(row int) {
	switch c.Type {
	case schema.Double:
		c.Doubles[row] = 0
		c.Missing.Set(row)
	case schema.String, schema.StringList:
		c.Codes[row] = c.entry("", nil)
		c.Missing.Clear(row)
	default:
		c.Ints[row] = 0
		c.Missing.Set(row)
	}
}

// Set gives a cell a value of the column's type; one that is not known clears it. The column must not be in use
// elsewhere, but its dictionary may be.
func (c *Column) Set(row int, v schema.Value) {
	if !v.Known() {
		c.Clear(row)
		return
	}
	switch c.Type {
	case schema.Double:
		c.Doubles[row] = v.Double
	case schema.String:
		c.Codes[row] = c.entry(v.Str, nil)
	case schema.StringList:
		c.Codes[row] = c.entry("", v.List)
	default:
		c.Ints[row] = v.Int
	}
	c.Missing.Clear(row)
}

// entry finds or adds a dictionary entry. One look through the dictionary costs less than an index of it.
func (c *Column) entry(text string, list []string) uint32 {
	if c.Type == schema.StringList {
		for code, have := range c.Lists {
			if slices.Equal(have, list) {
				return uint32(code)
			}
		}
		c.Lists = append(slices.Clip(c.Lists), list)
		return uint32(len(c.Lists) - 1)
	}
	for code, have := range c.Dict {
		if have == text {
			return uint32(code)
		}
	}
	c.Dict = append(slices.Clip(c.Dict), text)
	return uint32(len(c.Dict) - 1)
}

// Copy is the column with values of its own, which may be set. The dictionary is shared.
func (c *Column) Copy() *Column {
	out := *c
	out.Ints, out.Doubles, out.Codes = slices.Clone(c.Ints), slices.Clone(c.Doubles), slices.Clone(c.Codes)
	out.Missing = slices.Clone(c.Missing)
	return &out
}

// Copy is a table of the same columns; others may be put in their place.
func (t *Table) Copy() *Table {
	out := NewTable(t.Name, t.Rows)
	for _, c := range t.cols {
		out.Put(c)
	}
	return out
}
