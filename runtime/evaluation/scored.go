package evaluation

import (
	"maps"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/vm"
)

// scored is what priorities were computed from, before any clock moved.
type scored struct {
	Binding vm.Binding
	Holds   []column.Bitmap
}

func NewScored(b vm.Binding, holds []column.Bitmap) scored {
	return scored{vm.Binding{Rows: b.Rows, Columns: maps.Clone(b.Columns)}, holds} // Maui's selection replaces columns
}

// At is a column's value for a row.
func (s *scored) At(id schema.ColumnID, row int) schema.Value {
	c, shape := s.Binding.Columns[id], program.ShapeOf(id)
	switch {
	case c == nil:
		return schema.Value{}
	case shape.Level == program.Once:
		return c.Value(0)
	case shape.Level == program.Dict && shape.Key != id:
		key := s.Binding.Columns[shape.Key]
		if key == nil || key.Missing.Get(row) {
			return schema.Value{}
		}
		return c.Value(int(key.Codes[row]))
	}
	return c.Value(row)
}
