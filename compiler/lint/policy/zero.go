package policy

import (
	"math"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/lint/rule"
	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/schema"
)

// unguarded reports divisors that may be 0, logarithms of what may be 0 and roots of what may be negative: where
// the conditions around them do not exclude it.
func unguarded(p *rule.Pass) {
	expressions(p, func(what string, e *expr.Expr) {
		condition := strings.HasPrefix(what, "hold ") || strings.HasPrefix(what, "limit ")
		bound := strings.HasPrefix(what, "the cap ") || what == "the floor" || what == "the ceiling"
		unguardedIn(p, e, spot{condition: condition, bound: bound})
	})
}

// A spot is where in an expression something is evaluated.
type spot struct {
	guard     *expr.Expr // what holds there; nil: nothing is known
	clamped   bool       // an infinity is bounded by what is around it
	compared  bool       // an infinity is compared, and goes no further
	condition bool       // of a hold or a limit, on which no priority depends
	bound     bool       // of a cap, a floor or a ceiling
}

func (s spot) where(guard *expr.Expr) spot {
	s.guard = both(s.guard, guard)
	return s
}

// unguardedIn looks at an expression at a spot.
func unguardedIn(p *rule.Pass, e *expr.Expr, s spot) {
	switch e.Op {
	case expr.Cond:
		unguardedIn(p, e.Args[0], s)
		unguardedIn(p, e.Args[1], s.where(e.Args[0]))
		unguardedIn(p, e.Args[2], s.where(not(e.Args[0])))
		return
	case expr.And:
		unguardedIn(p, e.Args[0], s.where(e.Args[1]))
		unguardedIn(p, e.Args[1], s.where(e.Args[0]))
		return
	case expr.Or:
		unguardedIn(p, e.Args[0], s.where(not(e.Args[1])))
		unguardedIn(p, e.Args[1], s.where(not(e.Args[0])))
		return
	case expr.Call:
		pole(p, e, s)
	}
	compares := e.Op == expr.Call && (comparison().MatchString(e.Func) || strings.HasPrefix(e.Func, "math_@m"))
	for i, a := range e.Args {
		at := s
		at.clamped = e.Op == expr.Call && i == 0 && bounded(e, s.clamped, signs{guard: s.guard})
		at.compared = s.compared || compares
		unguardedIn(p, a, at)
	}
}

// bounded reports that an infinity of a call's first operand is bounded: by clamp, or by what is around the call where
// the call hands it on. A difference of two infinities and their product with 0 are NaN, which nothing bounds.
func bounded(e *expr.Expr, clamped bool, known signs) bool {
	constant := func() bool { c := e.Args[1]; return c.IsConst() && !math.IsInf(c.Value.Number(), 0) }
	name, _, _ := strings.Cut(e.Func, "_")
	switch name {
	case "clamp":
		return true
	case "negate":
		return clamped
	case "add", "subtract":
		return clamped && constant()
	case "multiply", "divide":
		return clamped && constant() && e.Type == schema.Double && known.is(e.Args[1], nonzero)
	}
	return false
}

// pole reports a call whose result may be infinite, NaN or an error.
func pole(p *rule.Pass, e *expr.Expr, s spot) {
	x := e.Args[len(e.Args)-1]
	large := false
	known := signs{s.guard, &large}
	switch {
	case strings.HasPrefix(e.Func, "divide_"), strings.HasPrefix(e.Func, "modulo_"):
		if known.is(x, nonzero) || s.clamped && e.Type == schema.Double && known.is(e.Args[0], nonzero) {
			return
		}
		reportPole(p, e, x, "may be 0 and divides", s.infinite(e, "infinite there, or NaN"), large)
	case e.Func == "ln_double", e.Func == "log2_double", e.Func == "log10_double":
		if !known.is(x, positive) && !(s.clamped && known.is(x, atLeastZero)) {
			reportPole(p, e, x, "may be 0 in a logarithm", s.infinite(e, "infinite there, or NaN below"), large)
		}
	case e.Func == "math_sqrt_double":
		if !known.is(x, atLeastZero) {
			reportPole(p, e, x, "may be negative in a square root", s.infinite(e, "NaN there"), large)
		}
	case e.Func == "pow_double_double" && x.IsConst() && x.Value.Double < 0:
		if base := e.Args[0]; !known.is(base, nonzero) && !(s.clamped && known.is(base, atLeastZero)) {
			reportPole(p, e, base, "may be 0 under a negative power", s.infinite(e, "infinite there"), large)
		}
	}
}

// infinite is what follows where a result is infinite or NaN, or fails as whole numbers do.
func (s spot) infinite(e *expr.Expr, how string) string {
	switch {
	case e.Type == schema.Int && s.condition:
		return "the condition fails there, which counts as false"
	case e.Type == schema.Int:
		return "the expression fails there, and such jobs have no priority"
	case s.bound && !s.compared:
		return "the bound is " + how + ": it bounds nothing, or such jobs have no priority"
	case s.compared:
		return "what is compared is " + how
	}
	return "the result is " + how + ", and such jobs have no priority"
}

func reportPole(p *rule.Pass, e, x *expr.Expr, what, result string, large bool) {
	name, shown := "the operand", "…"
	if c := unconverted(x); c.Op == expr.Column {
		name, shown = string(c.Column), string(c.Column)
	}
	d := p.Report(e.Span, "%s %s: %s", name, what, result)
	if large {
		d.Note("the conditions around it have too many cases to tell whether they exclude this")
	}
	d.Note("guard it with a condition, as in %s > 0 ? … : 0.0", shown)
}

// A sign is what is to be shown of a number.
type sign int

const (
	nonzero sign = iota
	positive
	atLeastZero
)

// signs tell signs of numbers where a guard holds; nil: everywhere. large is set, where it is asked
// for, once a guard has too many cases.
type signs struct {
	guard *expr.Expr
	large *bool
}

// neverZero are columns that are 0 for no job: no snapshot of an empty machine is evaluated. Jobs have limits of 0 in
// Maui, and 0 processors in records of jobs that never started.
var neverZero = []schema.ColumnID{"cluster.nodes", "cluster.procs"}

// is reports a sign that a number has for every job that has the number.
func (s signs) is(e *expr.Expr, want sign) bool {
	switch c := constant(e); {
	case c != nil && (c.Type == schema.Int || c.Type == schema.Double):
		return want.of(c.Value.Number())
	case s.excluded(e, want), s.columnIs(e, want):
		return true
	case e.Op == expr.Cond:
		then, other := signs{both(s.guard, e.Args[0]), s.large}, signs{both(s.guard, not(e.Args[0])), s.large}
		return then.is(e.Args[1], want) && other.is(e.Args[2], want)
	case e.Op == expr.Call:
		return s.call(e, want)
	}
	return false
}

func (want sign) of(n float64) bool {
	switch want {
	case nonzero:
		return n != 0
	case positive:
		return n > 0
	}
	return n >= 0
}

// columnIs asks the vocabulary.
func (s signs) columnIs(e *expr.Expr, want sign) bool {
	if e.Op != expr.Column {
		return false
	}
	bounded := measured(e.Column) || e.Column == "job.queue_minutes" || e.Column.Object() == "cluster"
	if slices.Contains(neverZero, e.Column) {
		return true
	}
	return want == atLeastZero && bounded
}

// call follows what functions keep of signs.
func (s signs) call(e *expr.Expr, want sign) bool {
	for _, k := range keeps {
		if strings.HasPrefix(e.Func, k.function) {
			return k.shows(called{e, s.is}, want)
		}
	}
	return false
}

// called is a call, and what is known of a number in it.
type called struct {
	*expr.Expr
	is func(*expr.Expr, sign) bool
}

func (c called) every(want sign) bool {
	return !slices.ContainsFunc(c.Args, func(a *expr.Expr) bool { return !c.is(a, want) })
}

func (c called) some(want sign) bool {
	return slices.ContainsFunc(c.Args, func(a *expr.Expr) bool { return c.is(a, want) })
}

// keeps says by the beginning of a function's name when its result has a sign.
var keeps = []struct {
	function string
	shows    func(c called, want sign) bool
}{
	{"int64_to_double", called.every},
	{"double_to_double", called.every},
	{"multiply_", called.every},
	{"divide_double", called.every},
	{"add_", func(c called, want sign) bool {
		return c.every(atLeastZero) && (want == atLeastZero || c.some(positive))
	}},
	{"negate_", func(c called, want sign) bool { return want == nonzero && c.every(nonzero) }},
	{"exp_", func(c called, want sign) bool { // of what is far below 0 it is 0
		return want == atLeastZero || c.every(atLeastZero)
	}},
	{"clamp_", func(c called, want sign) bool {
		if want == nonzero {
			return c.is(c.Expr, positive)
		}
		return c.is(c.Args[1], want) && c.is(c.Args[2], want)
	}},
	{"pow_", func(c called, want sign) bool {
		return c.is(c.Args[0], positive) || want == atLeastZero && c.is(c.Args[0], atLeastZero)
	}},
	{"math_@max", func(c called, want sign) bool {
		return want == atLeastZero && c.some(atLeastZero) || c.some(positive)
	}},
	{"math_@min", ordered},
	{"math_ceil", ordered},
	{"math_abs", func(c called, want sign) bool { return want == atLeastZero || c.every(nonzero) }},
	{"math_sqrt", func(c called, want sign) bool { return want == atLeastZero || c.every(positive) }},
	{"math_floor_double", rounded},
	{"math_trunc_double", rounded},
	{"math_round_double", rounded},
}

func ordered(c called, want sign) bool { return want != nonzero && c.every(want) || c.every(positive) }

func rounded(c called, want sign) bool { return want == atLeastZero && c.every(atLeastZero) }

// excluded tries whether a number can have another sign where the guard holds, or where one of the
// conditions holds that it consists of. What has too many cases is not excluded.
func (s signs) excluded(e *expr.Expr, want sign) bool {
	if s.guard == nil {
		return false
	}
	if e.Op == expr.Call && e.Func == "int64_to_double" {
		return s.excluded(e.Args[0], want)
	}
	inner, offset := shifted(e)
	excludes := func(guard *expr.Expr) (holds, ok bool) {
		if holds, ok = beyond(guard, e, 0, want); !holds && inner != e {
			var more bool
			holds, more = beyond(guard, inner, offset, want)
			ok = ok && more
		}
		return holds, ok
	}
	holds, ok := excludes(s.guard)
	if !ok && !holds {
		holds = slices.ContainsFunc(conjuncts(s.guard), func(guard *expr.Expr) bool {
			holds, _ := excludes(guard)
			return holds
		})
		if !holds && s.large != nil {
			*s.large = true
		}
	}
	return holds
}

// conjuncts are the conditions that all hold where e does.
func conjuncts(e *expr.Expr) []*expr.Expr {
	if e.Op != expr.And {
		return []*expr.Expr{e}
	}
	var list []*expr.Expr
	for _, a := range e.Args {
		list = append(list, conjuncts(a)...)
	}
	return list
}

// beyond is excluded of a number and what it is compared with; ok is false where there are too many cases.
func beyond(guard, e *expr.Expr, bound float64, want sign) (holds, ok bool) {
	op, limit, suffix := "equals_", schema.IntValue(int64(bound)), "int64"
	switch want {
	case positive:
		op = "less_equals_"
	case atLeastZero:
		op = "less_"
	}
	if e.Type == schema.Double {
		limit, suffix = schema.DoubleValue(bound), "double"
	}
	otherwise := &expr.Expr{
		Op: expr.Call, Type: schema.Bool, Func: op + suffix, Span: e.Span,
		Args: []*expr.Expr{e, expr.NewConst(limit, e.Span)},
	}
	c := newCases(guard, otherwise)
	if !c.related() {
		return false, true
	}
	return c.all(func(c *cases, row values) bool { return !c.holds(0, row) || !c.holds(1, row) })
}

// shifted takes a constant off a column that it is added to or subtracted from: job.gpus - 2 is 0 where job.gpus
// is 2.
func shifted(e *expr.Expr) (*expr.Expr, float64) {
	if e.Op == expr.Call && len(e.Args) == 2 && e.Args[1].IsConst() && unconverted(e.Args[0]).Op == expr.Column {
		switch n := e.Args[1].Value.Number(); {
		case strings.HasPrefix(e.Func, "subtract_"):
			return e.Args[0], n
		case strings.HasPrefix(e.Func, "add_"):
			return e.Args[0], -n
		}
	}
	return e, 0
}

// both is the condition that two hold; nil is always true.
func both(a, b *expr.Expr) *expr.Expr {
	if a == nil {
		return b
	}
	return &expr.Expr{Op: expr.And, Type: schema.Bool, Args: []*expr.Expr{a, b}, Span: b.Span}
}

func not(e *expr.Expr) *expr.Expr {
	return &expr.Expr{Op: expr.Call, Type: schema.Bool, Func: "logical_not", Args: []*expr.Expr{e}, Span: e.Span}
}
