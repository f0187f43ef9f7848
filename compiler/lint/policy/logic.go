package policy

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/schema"
)

// What can be stated of an expression without a job.

// constant is the value that an expression has for every job; nil if it may differ. A product with 0 is 0, a number
// less itself too, a choice between equals is none, and neither is one whose condition always comes out the same.
func constant(e *expr.Expr) *expr.Expr {
	switch {
	case e == nil || e.IsConst():
		return e
	case e.Op == expr.Cond:
		return constantChoice(e.Args[0], constant(e.Args[1]), constant(e.Args[2]))
	case e.Op != expr.Call:
		return nil
	}
	for _, c := range constantCalls {
		if strings.HasPrefix(e.Func, c.function) {
			return c.value(e, constant)
		}
	}
	return nil
}

func constantChoice(condition, then, other *expr.Expr) *expr.Expr {
	switch {
	case then != nil && (other != nil && then.String() == other.String() || always(condition, true)):
		return then
	case other != nil && always(condition, false):
		return other
	}
	return nil
}

// constantCalls says by the beginning of a function's name which value a call has for every job, whatever its arguments
// are; of is constant.
var constantCalls = []struct {
	function string
	value    func(e *expr.Expr, of func(*expr.Expr) *expr.Expr) *expr.Expr
}{
	{"multiply_", func(e *expr.Expr, of func(*expr.Expr) *expr.Expr) *expr.Expr {
		for _, x := range e.Args {
			if c := of(x); c != nil && c.Value.Int == 0 && c.Value.Double == 0 {
				return c
			}
		}
		return nil
	}},
	{"subtract_", func(e *expr.Expr, _ func(*expr.Expr) *expr.Expr) *expr.Expr {
		if finite(e.Args[0]) && textOf(e.Args[0]) == textOf(e.Args[1]) {
			return expr.NewConst(schema.Value{Type: e.Type}, e.Span)
		}
		return nil
	}},
	{"clamp_", func(e *expr.Expr, of func(*expr.Expr) *expr.Expr) *expr.Expr {
		low, high := of(e.Args[1]), of(e.Args[2])
		if finite(e.Args[0]) && low != nil && high != nil && low.Value.Number() >= high.Value.Number() {
			return high
		}
		return nil
	}},
	{"int64_to_double", func(e *expr.Expr, of func(*expr.Expr) *expr.Expr) *expr.Expr {
		if c := of(e.Args[0]); c != nil && c.Type == schema.Int {
			return expr.NewConst(schema.DoubleValue(float64(c.Value.Int)), e.Span)
		}
		return nil
	}},
}

// finite reports a number that is never NaN or infinite: a whole one, or what is measured of a job.
func finite(e *expr.Expr) bool {
	if e.Type == schema.Int {
		return true
	}
	if e.Op == expr.Call && e.Func == "int64_to_double" {
		return true
	}
	return e.Op == expr.Column && (measured(e.Column) || e.Column == "job.queue_minutes")
}

// measured reports a column of jobs whose values the snapshot states and a reader bounds from below: a number from 0.
func measured(id schema.ColumnID) bool {
	c := schema.Lookup(id)
	if c == nil || id.Object() != "job" || c.Origin != schema.Snapshot {
		return false
	}
	return c.Unit == schema.Count || c.Unit == schema.MB || c.Unit == schema.Seconds
}

// never reports a condition that no job meets, whatever is known of it.
func never(e *expr.Expr) bool {
	holds, ok := newCases(e).all(func(c *cases, row values) bool { return !c.holds(0, row) })
	return ok && holds
}

// always reports a condition that comes out as wanted for every job. What every job has is taken as known.
func always(e *expr.Expr, want bool) bool {
	c := newCases(e)
	for _, v := range c.variables {
		v.known = v.known || v.everyJobHas()
	}
	holds, ok := c.all(func(c *cases, row values) bool {
		v, err := expr.Eval(c.conditions[0], row.of)
		return err == nil && v.Int != 0 == want
	})
	return ok && holds
}

// implies reports that b holds wherever a does.
func implies(a, b *expr.Expr) bool {
	if textOf(a) == textOf(b) {
		return true
	}
	c := newCases(a, b)
	if !c.related() {
		return false // one is never true or the other always, which is reported of each
	}
	holds, ok := c.all(func(c *cases, row values) bool { return !c.holds(0, row) || c.holds(1, row) })
	return ok && holds
}

// textOf is the same for expressions that compute the same: the text of what is evaluated as it is written is part of
// it, blanks
// within quotes too.
func textOf(e *expr.Expr) string {
	text := e.String()
	e.Walk(func(n *expr.Expr) {
		if n.Op == expr.Opaque {
			text += "\n" + n.Text
		}
	})
	return text
}
