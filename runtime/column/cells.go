package column

import (
	"github.com/fairway-sched/fairway/lang/schema"
)

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
