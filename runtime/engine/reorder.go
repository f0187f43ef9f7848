package engine

import (
	"maps"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/vm"
)

// scored is what priorities were computed from, before any clock moved.
type scored struct {
	binding vm.Binding
	holds   []column.Bitmap
}

func newScored(b vm.Binding, holds []column.Bitmap) scored {
	return scored{vm.Binding{Rows: b.Rows, Columns: maps.Clone(b.Columns)}, holds} // Maui's selection replaces columns
}

// at is a column's value for a row.
func (s *scored) at(id schema.ColumnID, row int) schema.Value {
	c, shape := s.binding.Columns[id], program.ShapeOf(id)
	switch {
	case c == nil:
		return schema.Value{}
	case shape.Level == program.Once:
		return c.Value(0)
	case shape.Level == program.Dict && shape.Key != id:
		key := s.binding.Columns[shape.Key]
		if key == nil || key.Missing.Get(row) {
			return schema.Value{}
		}
		return c.Value(int(key.Codes[row]))
	}
	return c.Value(row)
}

// Reorder is the order in which the waiting jobs would stand by another program's priorities. Who
// waits, and what keeps a job from starting, stays as it is; the program may read
// only what the result's own reads.
func (r *Result) Reorder(p *program.Program) ([]int32, error) {
	machine, err := vm.Load(p)
	if err != nil {
		return nil, err
	}
	out, err := machine.Run(r.scored.binding, []program.Reg{p.Score, p.Priority}, max(1, r.options.Workers))
	if err != nil {
		return nil, err
	}
	other := *r
	other.Program, other.Order, other.Queued = p, nil, nil
	other.scores(out)
	other.rank(r.scored.holds)
	return other.Order, nil
}
