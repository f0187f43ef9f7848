package celexpr

import (
	"math"
	"strings"

	"github.com/google/cel-go/common/ast"

	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/schema"
)

// overload lowers a call that the checker resolved to one overload. Those with
// a kernel keep their id; some others are written with kernels, where that gives
// cel-go's result on every input.
func (l *lowering) overload(e ast.Expr, s *scope, id string) (*expr.Expr, string) {
	c := e.AsCall()
	if f := schema.FunctionByOverload(id); f != nil {
		return l.typed(e, s, expr.Expr{Op: expr.Call, Type: f.Result, Func: id})
	}
	switch id {
	case "equals", "not_equals":
		return l.equality(e, s, id)
	case "less_timestamp", "less_equals_timestamp", "greater_timestamp", "greater_equals_timestamp":
		return l.timestamps(e, s, strings.TrimSuffix(id, "timestamp")+"int64")

	// What changes nothing: conversions to the same type, least and greatest of one.
	case "double_to_double", "int64_to_int64", "bool_to_bool",
		"math_@min_double", "math_@max_double", "math_@min_int", "math_@max_int":
		args, reason := l.args(s, c.Args()...)
		if reason != "" {
			return nil, reason
		}
		return args[0], ""

	case "math_@min_list_double", "math_@min_list_int", "math_@max_list_double", "math_@max_list_int":
		return l.extremum(e, s, id)

	// What kernels express exactly, with the failures of the argument.
	case "math_sqrt_int":
		return l.composed(e, s, func(x *expr.Expr) *expr.Expr {
			return l.kernel(e, "math_sqrt_double", toDouble(x))
		})
	case "math_isNaN_double":
		return l.composed(e, s, func(x *expr.Expr) *expr.Expr {
			return l.kernel(e, "not_equals_double", x, x)
		})
	case "math_isInf_double":
		return l.composed(e, s, func(x *expr.Expr) *expr.Expr {
			infinity := expr.NewConst(schema.DoubleValue(math.Inf(1)), l.text.span(e))
			return l.kernel(e, "equals_double", l.kernel(e, "math_abs_double", x), infinity)
		})
	case "math_isFinite_double": // ∞ − ∞ and NaN − NaN are NaN, which equals nothing
		return l.composed(e, s, func(x *expr.Expr) *expr.Expr {
			zero := expr.NewConst(schema.DoubleValue(0), l.text.span(e))
			return l.kernel(e, "equals_double", l.kernel(e, "subtract_double", x, x), zero)
		})
	}
	return nil, l.reasonForCall(c)
}

// kernel builds a call of a function of schema.Functions.
func (l *lowering) kernel(e ast.Expr, id string, args ...*expr.Expr) *expr.Expr {
	return &expr.Expr{Op: expr.Call, Type: schema.FunctionByOverload(id).Result, Func: id, Args: args,
		Span: l.text.span(e)}
}

// composed writes a function of one argument with kernels.
func (l *lowering) composed(e ast.Expr, s *scope, write func(x *expr.Expr) *expr.Expr) (*expr.Expr, string) {
	args, reason := l.args(s, e.AsCall().Args()...)
	if reason != "" {
		return nil, reason
	}
	if !copied(args[0], 2) {
		return nil, l.reasonForCall(e.AsCall())
	}
	return write(args[0]), ""
}

// equality has one overload in cel-go and a kernel for each type here.
func (l *lowering) equality(e ast.Expr, s *scope, id string) (*expr.Expr, string) {
	a, b := e.AsCall().Args()[0], e.AsCall().Args()[1]
	t := l.typeOf(a)
	if t != l.typeOf(b) {
		return nil, reasonForType(l.ast.GetType(a.ID()))
	}
	switch t {
	case schema.Bool:
		id += "_bool"
	case schema.Int:
		id += "_int64"
	case schema.Double:
		id += "_double"
	case schema.Timestamp:
		return l.timestamps(e, s, id+"_int64")
	default:
		return nil, reasonForType(l.ast.GetType(a.ID()))
	}
	return l.typed(e, s, expr.Expr{Op: expr.Call, Type: schema.Bool, Func: id})
}

// timestamps compares whole seconds as ints, as cel-go does within the years it
// can hold (1 to 9999) and Go's time far beyond. A computed time may have a
// fraction, so only columns and whole constants qualify.
func (l *lowering) timestamps(e ast.Expr, s *scope, id string) (*expr.Expr, string) {
	var args []*expr.Expr
	for _, a := range e.AsCall().Args() {
		node, _ := l.node(a, s)
		if node == nil {
			node = l.wholeSecond(a, s)
		}
		if node == nil || node.Op != expr.Column && node.Op != expr.Const {
			return nil, "computed timestamps"
		}
		args = append(args, node)
	}
	return l.kernel(e, id, args...), ""
}

// wholeSecond evaluates a constant time such as timestamp("2026-01-01T00:00:00Z").
func (l *lowering) wholeSecond(e ast.Expr, s *scope) *expr.Expr {
	program, err := l.plan(e, s)
	if err != nil || len(program.columns) > 0 {
		return nil
	}
	t, ok := program.timestamp()
	if !ok || t.Nanosecond() != 0 {
		return nil
	}
	return expr.NewConst(schema.TimestampValue(t.Unix()), l.text.span(e))
}

// extremum folds math.least and math.greatest over a list into pairs from the
// left, as cel-go does.
func (l *lowering) extremum(e ast.Expr, s *scope, id string) (*expr.Expr, string) {
	list := e.AsCall().Args()[0]
	if list.Kind() != ast.ListKind || list.AsList().Size() < 2 {
		return nil, "math.least or math.greatest of a list"
	}
	args, reason := l.args(s, list.AsList().Elements()...)
	if reason != "" {
		return nil, reason
	}
	pair := strings.Replace(id, "list_double", "double_double", 1)
	pair = strings.Replace(pair, "list_int", "int_int", 1)
	node := args[0]
	for _, a := range args[1:] {
		node = l.kernel(e, pair, node, a)
	}
	return node, ""
}
