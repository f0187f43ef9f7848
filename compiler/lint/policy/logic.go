package policy

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/schema"
)

// What can be said of an expression without a job.

// constant is the value that an expression has for every job; nil if it may differ. A product with 0 is 0, a
// number less itself
// too, a choice between equals is none, and neither is one whose condition always comes out the same.
func constant(e *expr.Expr) *expr.Expr {
	if e == nil || e.IsConst() {
		return e
	}
	if e.Op == expr.Cond {
		a, b := constant(e.Args[1]), constant(e.Args[2])
		switch {
		case a != nil && b != nil && a.String() == b.String():
			return a
		case a != nil && always(e.Args[0], true):
			return a
		case b != nil && always(e.Args[0], false):
			return b
		}
	}
	if e.Op != expr.Call {
		return nil
	}
	switch {
	case strings.HasPrefix(e.Func, "multiply_"):
		for _, x := range e.Args {
			if c := constant(x); c != nil && c.Value.Int == 0 && c.Value.Double == 0 {
				return c
			}
		}
	case strings.HasPrefix(e.Func, "subtract_"):
		if finite(e.Args[0]) && textOf(e.Args[0]) == textOf(e.Args[1]) {
			return expr.NewConst(schema.Value{Type: e.Type}, e.Span)
		}
	case strings.HasPrefix(e.Func, "clamp_"):
		low, high := constant(e.Args[1]), constant(e.Args[2])
		if finite(e.Args[0]) && low != nil && high != nil && low.Value.Number() >= high.Value.Number() {
			return high
		}
	case len(e.Args) == 1 && strings.HasSuffix(e.Func, "_to_double"):
		if c := constant(e.Args[0]); c != nil && c.Type == schema.Int {
			return expr.NewConst(schema.DoubleValue(float64(c.Value.Int)), e.Span)
		}
	}
	return nil
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
		return false // one is never true or the other always, which is said of each
	}
	holds, ok := c.all(func(c *cases, row values) bool { return !c.holds(0, row) || c.holds(1, row) })
	return ok && holds
}

// textOf is the same for expressions that compute the same: the text of what is evaluated as it stands is part of
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
