package oracle

import (
	"math"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/schema"
)

// lookup gives a column's value for the row at hand.
type lookup func(schema.ColumnID) schema.Value

// number evaluates a scalar; ints and bools count as doubles.
func number(s ir.Scalar, get lookup) Number {
	v, err := expr.Eval(s.Expr, get)
	switch {
	case err != nil:
		return Number{Err: err}
	case v.Type == schema.Double:
		return Number{Double: v.Double}
	}
	return Number{Double: float64(v.Int)}
}

// weightless reports a weight that is 0 whatever the job: what it weighs is then not
// evaluated at all, so that its columns need not exist.
func weightless(s ir.Scalar) bool {
	e := expr.Fold(s.Expr)
	return e.IsConst() && number(ir.Scalar{Expr: e}, nil).Double == 0
}

// finite is a number that a bound may bound: one that is infinite or NaN is a failure.
func finite(n Number) Number {
	switch {
	case n.Err != nil:
	case math.IsNaN(n.Double):
		n.Err = errValueNaN
	case math.IsInf(n.Double, 0):
		n.Err = errValueInfinite
	}
	return n
}

// ordered is a bound; one that is NaN cannot be compared with.
func ordered(n Number) Number {
	if n.Err == nil && math.IsNaN(n.Double) {
		n.Err = errUnordered
	}
	return n
}

// weighted is weight · min(cap, x), where a cap that is not above zero is none
// and a failure anywhere is one of the whole.
func weighted(weight, x Number, bound ir.Scalar, get lookup) Number {
	limit := Number{}
	if bound.IsSet() && !none(bound) {
		x, limit = finite(x), ordered(number(bound, get))
	}
	for _, n := range []Number{weight, x, limit} {
		if n.Err != nil {
			return n
		}
	}
	if limit.Double > 0 && x.Double > limit.Double {
		x = limit
	}
	return Number{Double: float64(weight.Double * x.Double)}
}

// none reports a cap that is 0 or less whatever the job.
func none(s ir.Scalar) bool {
	e := expr.Fold(s.Expr)
	return e.IsConst() && number(ir.Scalar{Expr: e}, nil).Double <= 0
}

func sum(a, b Number) Number {
	if a.Err != nil {
		return a
	}
	if b.Err != nil {
		return b
	}
	return Number{Double: a.Double + b.Double}
}

// score is Σ of components of Σ of terms, in declared order from +0. With it come the
// terms, before their component's cap and weight. A sum that is infinite or NaN is no score.
func score(p *ir.Policy, get lookup) (total Number, terms []Term) {
	for _, c := range p.Components {
		inner := Number{}
		for _, t := range c.Terms {
			term := Term{Live: !weightless(c.Weight) && !weightless(t.Weight)}
			if term.Live {
				term.Weight, term.Factor = number(t.Weight, get), number(t.Factor, get)
				term.Value = weighted(term.Weight, term.Factor, t.Cap, get)
			}
			terms = append(terms, term)
			inner = sum(inner, term.Value)
		}
		if !weightless(c.Weight) {
			total = sum(total, weighted(number(c.Weight, get), inner, c.Cap, get))
		}
	}
	switch {
	case total.Err != nil:
	case math.IsNaN(total.Double):
		total.Err = errScoreNaN
	case math.IsInf(total.Double, 0):
		total.Err = errScoreInfinite
	}
	return total, terms
}

// finish applies floor and ceiling; where they cross, the ceiling wins.
func finish(f *ir.Finish, x Number, get lookup) Number {
	if f.Floor.IsSet() {
		low := ordered(number(f.Floor, get))
		if x.Err == nil && (low.Err != nil || x.Double < low.Double) {
			x = low
		}
	}
	if f.Ceiling.IsSet() {
		high := ordered(number(f.Ceiling, get))
		if x.Err == nil && (high.Err != nil || x.Double > high.Double) {
			x = high
		}
	}
	return x
}

// numberWithScore evaluates what may read the score. A score that failed hurts
// only who really reads it.
func numberWithScore(s ir.Scalar, x Number, get lookup) Number {
	e := s.Expr
	if x.Err != nil {
		e = failing(e, x.Err)
	}
	return number(ir.Scalar{Expr: e}, func(id schema.ColumnID) schema.Value {
		if id == ir.Score {
			return schema.DoubleValue(x.Double)
		}
		return get(id)
	})
}

// failing replaces the score by a failure. A boxed function that is given the score fails
// as a whole: no one can look into it.
func failing(e *expr.Expr, err error) *expr.Expr {
	reads := e.Op == expr.Column && e.Column == ir.Score
	if e.Op == expr.Opaque {
		for _, a := range e.Args {
			reads = reads || a.Column == ir.Score
		}
	}
	out := *e
	if reads {
		out.Op, out.Args = expr.Opaque, nil
		out.Fn = func([]schema.Value) (schema.Value, error) { return schema.Value{}, err }
		return &out
	}
	if e.Op != expr.Opaque {
		out.Args = nil
		for _, a := range e.Args {
			out.Args = append(out.Args, failing(a, err))
		}
	}
	return &out
}
