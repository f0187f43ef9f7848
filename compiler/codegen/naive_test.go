package codegen_test

import (
	"errors"
	"math"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/vm"
)

// naive evaluates a policy one row at a time, as its definition reads: the twin
// of Generate, the optimiser and the machine together.
type naive struct {
	row   func(schema.ColumnID) schema.Value
	terms []answer // every term's value, in order
}

// answer is a number or why there is none.
type answer struct {
	v   float64
	err error
}

// rowOf looks columns up the way their shapes say.
func rowOf(b vm.Binding, row int) func(schema.ColumnID) schema.Value {
	return func(id schema.ColumnID) schema.Value {
		c, shape := b.Columns[id], program.ShapeOf(id)
		switch {
		case shape.Level == program.Once:
			return c.Value(0)
		case shape.Level == program.Dict && shape.Key != id:
			key := b.Columns[shape.Key]
			if key.Missing.Get(row) {
				return schema.Value{}
			}
			return c.Value(int(key.Codes[row]))
		}
		return c.Value(row)
	}
}

func (n *naive) number(s ir.Scalar) answer {
	v, err := expr.Eval(s.Expr, n.row)
	if err != nil {
		return answer{err: err}
	}
	if v.Type == schema.Double {
		return answer{v: v.Double}
	}
	return answer{v: float64(v.Int)}
}

// capped is weight · min(cap, x); the first failure counts, in that order but
// the cap's last.
func (n *naive) capped(weight ir.Scalar, x func() answer, limit ir.Scalar) answer {
	w := n.number(weight)
	f := x()
	if w.err != nil {
		return w
	}
	if f.err != nil {
		return f
	}
	v := f.v
	if limit.IsSet() && !(limit.Expr.IsConst() && n.number(limit).v <= 0) {
		if f = finite(f); f.err != nil {
			return f
		}
		c := ordered(n.number(limit))
		if c.err != nil {
			return c
		}
		if c.v > 0 && v > c.v {
			v = c.v
		}
	}
	return answer{v: float64(w.v * v)}
}

// ordered refuses a bound that bounds nothing because it is NaN.
func ordered(a answer) answer {
	if a.err == nil && math.IsNaN(a.v) {
		return answer{err: errors.New("NaN values cannot be ordered")}
	}
	return a
}

// finite refuses what a bound would make points.
func finite(a answer) answer {
	switch {
	case a.err != nil:
	case math.IsNaN(a.v):
		return answer{err: errors.New(program.ValueNaN)}
	case math.IsInf(a.v, 0):
		return answer{err: errors.New(program.ValueInfinite)}
	}
	return a
}

func zero(s ir.Scalar) bool {
	return s.Expr.IsConst() && (&naive{}).number(s).v == 0
}

func (n *naive) score(p *ir.Policy) answer {
	total := answer{}
	for _, c := range p.Components {
		if zero(c.Weight) {
			for range c.Terms {
				n.terms = append(n.terms, answer{})
			}
			continue
		}
		value := n.capped(c.Weight, func() answer {
			sum := answer{}
			for _, t := range c.Terms {
				v := answer{}
				if !zero(t.Weight) {
					v = n.capped(t.Weight, func() answer { return n.number(t.Factor) }, t.Cap)
				}
				n.terms = append(n.terms, v)
				sum = plus(sum, v)
			}
			return sum
		}, c.Cap)
		total = plus(total, value)
	}
	switch {
	case total.err != nil:
	case math.IsNaN(total.v):
		total = answer{err: errors.New(program.ScoreNaN)}
	case math.IsInf(total.v, 0):
		total = answer{err: errors.New(program.ScoreInfinite)}
	}
	return total
}

// stored refuses what no 64-bit integer holds.
func stored(a answer) answer {
	switch {
	case a.err != nil:
	case math.IsNaN(a.v):
		return answer{err: errors.New(program.PriorityNaN)}
	case a.v >= 1<<63 || a.v < -1<<63:
		return answer{err: errors.New(program.PriorityLarge)}
	}
	return a
}

func plus(a, b answer) answer {
	if a.err != nil {
		return a
	}
	if b.err != nil {
		return b
	}
	return answer{v: a.v + b.v}
}

func (n *naive) priority(p *ir.Policy) (score, priority answer) {
	score = n.score(p)
	priority = score
	if f := p.Finish.Floor; priority.err == nil && f.IsSet() {
		if floor := ordered(n.number(f)); floor.err != nil {
			priority = floor
		} else if priority.v < floor.v {
			priority = floor
		}
	}
	if c := p.Finish.Ceiling; priority.err == nil && c.IsSet() {
		if ceiling := ordered(n.number(c)); ceiling.err != nil {
			priority = ceiling
		} else if priority.v > ceiling.v {
			priority = ceiling
		}
	}
	finished, plain := priority, n.row
	n.row = func(id schema.ColumnID) schema.Value {
		if id == ir.Score {
			return schema.DoubleValue(finished.v)
		}
		return plain(id)
	}
	for _, o := range p.Finish.Overrides {
		when := n.withScore(o.When, finished)
		if when.err != nil {
			return score, when
		}
		if when.v != 0 {
			return score, stored(n.withScore(o.Value, finished))
		}
	}
	return score, stored(priority)
}

// withScore evaluates what may read the score. One that failed fails whoever really reads it.
func (n *naive) withScore(s ir.Scalar, score answer) answer {
	if score.err == nil {
		return n.number(s)
	}
	return n.number(ir.Scalar{Expr: poison(s.Expr, score.err)})
}

// poison replaces the score by a function that fails as the score did, and
// every boxed function that is given the score likewise.
func poison(e *expr.Expr, err error) *expr.Expr {
	fails := func([]schema.Value) (schema.Value, error) { return schema.Value{}, err }
	if e.Op == expr.Column && e.Column == ir.Score {
		return &expr.Expr{Op: expr.Opaque, Type: e.Type, Fn: fails}
	}
	copied := *e
	copied.Args = nil
	for _, a := range e.Args {
		if e.Op == expr.Opaque && a.Column == ir.Score {
			return &expr.Expr{Op: expr.Opaque, Type: e.Type, Fn: fails}
		}
		copied.Args = append(copied.Args, poison(a, err))
	}
	if e.Op == expr.Opaque {
		copied.Args = e.Args
	}
	return &copied
}
