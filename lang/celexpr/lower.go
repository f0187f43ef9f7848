package celexpr

import (
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/schema"
)

// lowering turns checked CEL into expr nodes. A node that has a kernel, and
// whose arguments can be in registers, becomes a node of its own;
// everything else becomes one Opaque node with all that is below it.
type lowering struct {
	base    *cel.Env
	text    *text
	ast     *ast.AST
	columns map[string]schema.ColumnID
	facts   map[int64]string // "param.X = 3": what the text alone does not tell
	list    *diag.List
}

// scope binds macro variables to constants while a macro is unrolled.
type scope struct {
	name   string
	value  ast.Expr
	outer  *scope
	copies int // how many copies of what is inside there are
}

func (s *scope) find(name string) ast.Expr {
	for ; s != nil; s = s.outer {
		if s.name == name {
			return s.value
		}
	}
	return nil
}

// result lowers the whole expression to the type its place wants.
func (l *lowering) result(want Want) *expr.Expr {
	e := l.ast.Expr()
	have := l.typeOf(e)
	dyn := isDyn(l.ast.GetType(e.ID()))
	switch {
	case want == WantValue && have != schema.Invalid:
		reason := "it is text"
		if have != schema.String {
			reason = "it is " + article(have.String())
		}
		return l.opaque(e, nil, have, reason)
	case want == WantValue:
	case want == WantString && have == schema.String, want == WantBool && have == schema.Bool:
		return l.value(e, nil)
	case want == WantString && !dyn, want == WantBool && !dyn:
	case have == schema.Double:
		return l.value(e, nil)
	case have == schema.Int:
		return toDouble(l.value(e, nil))
	case have == schema.Bool && want == WantFactor:
		span := l.text.span(e)
		one, zero := expr.NewConst(schema.DoubleValue(1), span), expr.NewConst(schema.DoubleValue(0), span)
		return &expr.Expr{Op: expr.Cond, Type: schema.Double, Args: []*expr.Expr{l.value(e, nil), one, zero},
			Span: span}
	case dyn:
		// math.least(job.procs, 2.5) is an int or a double, row by row.
		return l.opaque(e, nil, want.result(), "a result whose type depends on the row")
	}
	wrongResult(l, want)
	return nil
}

// toDouble is the one implicit conversion: places want doubles, and an int
// result is meant.
func toDouble(e *expr.Expr) *expr.Expr {
	return &expr.Expr{Op: expr.Call, Type: schema.Double, Func: "int64_to_double", Args: []*expr.Expr{e}, Span: e.Span}
}

func isDyn(t *cel.Type) bool { return t.Kind() == types.DynKind }

// typeOf is the checked type of a node; macro variables keep theirs when they
// are replaced by constants, because the nodes keep their ids.
func (l *lowering) typeOf(e ast.Expr) schema.Type { return schemaType(l.ast.GetType(e.ID())) }

// vector reports whether values of a type can be in registers that kernels
// compute with. Durations and strings only exist inside Opaque nodes; whole
// timestamps are seconds, computed ones may have fractions.
func vector(t schema.Type) bool {
	return t == schema.Bool || t == schema.Int || t == schema.Double
}

// value lowers a node whose type a place can use, with kernels or without.
func (l *lowering) value(e ast.Expr, s *scope) *expr.Expr {
	node, reason := l.node(e, s)
	if node == nil {
		node = l.opaque(e, s, l.typeOf(e), reason)
	}
	return node
}

// args lowers the arguments of a kernel; the reason is set if one of them
// cannot be an argument of any.
func (l *lowering) args(s *scope, list ...ast.Expr) (nodes []*expr.Expr, reason string) {
	for _, e := range list {
		if !vector(l.typeOf(e)) {
			return nil, reasonForType(l.ast.GetType(e.ID()))
		}
		nodes = append(nodes, l.value(e, s))
	}
	return nodes, ""
}

// node lowers with a kernel, or says why there is none.
func (l *lowering) node(e ast.Expr, s *scope) (node *expr.Expr, reason string) {
	span := l.text.span(e)
	switch e.Kind() {
	case ast.LiteralKind:
		if v, err := unbox(e.AsLiteral(), l.typeOf(e)); err == nil {
			return expr.NewConst(v, span), ""
		}
	case ast.IdentKind:
		// A bound variable is a literal of the list that is being unrolled.
		if bound := s.find(e.AsIdent()); bound != nil {
			return l.node(bound, nil)
		}
		id, ok := l.columns[e.AsIdent()]
		if !ok {
			break
		}
		if e.AsIdent() == presenceName(id) {
			return &expr.Expr{Op: expr.Present, Type: schema.Bool, Column: id, Span: span}, ""
		}
		return column(id, e, l), ""
	case ast.CallKind:
		return l.call(e, s)
	case ast.ComprehensionKind:
		return l.unroll(e, s)
	}
	return nil, reasonForType(l.ast.GetType(e.ID()))
}

func column(id schema.ColumnID, e ast.Expr, l *lowering) *expr.Expr {
	return &expr.Expr{Op: expr.Column, Type: columnType(id), Column: id, Span: l.text.span(e)}
}

// call lowers operators and functions. Logic is not strict and has node kinds of
// its own; everything strict is known by its overload.
func (l *lowering) call(e ast.Expr, s *scope) (*expr.Expr, string) {
	c := e.AsCall()
	switch c.FunctionName() {
	case operators.LogicalAnd, operators.LogicalOr:
		op := expr.And
		if c.FunctionName() == operators.LogicalOr {
			op = expr.Or
		}
		return l.typed(e, s, expr.Expr{Op: op, Type: schema.Bool})
	case operators.Conditional:
		return l.typed(e, s, expr.Expr{Op: expr.Cond, Type: l.typeOf(e)})
	case tresFunction:
		return column(schema.ColumnID(c.Args()[0].AsLiteral().(types.String)), e, l), ""
	case operators.In:
		return l.membership(e, s)
	}
	overloads := l.ast.GetOverloadIDs(e.ID())
	if len(overloads) != 1 {
		return nil, l.reasonForCall(c) // dyn arguments, or equality
	}
	return l.overload(e, s, overloads[0])
}

// typed builds a node whose arguments are those of the call.
func (l *lowering) typed(e ast.Expr, s *scope, node expr.Expr) (*expr.Expr, string) {
	args, reason := l.args(s, e.AsCall().Args()...)
	if reason != "" {
		return nil, reason
	}
	node.Args, node.Span = args, l.text.span(e)
	return &node, ""
}

// The reasons are after "not-vectorized: " in reports.

func reasonForType(t *cel.Type) string {
	switch t.Kind() {
	case types.StringKind:
		return "a string"
	case types.ListKind:
		return "a list"
	case types.MapKind:
		return "a map"
	case types.TimestampKind:
		return "a timestamp"
	case types.DurationKind:
		return "a duration"
	case types.UintKind:
		return "an unsigned int"
	case types.DynKind:
		return "a value whose type depends on the row"
	}
	return "a value of type " + t.TypeName()
}

func (l *lowering) reasonForCall(c ast.CallExpr) string {
	name := c.FunctionName()
	switch {
	case name == operators.In:
		return "in over " + reasonForType(l.ast.GetType(c.Args()[1].ID()))
	case name == operators.Index:
		return "an index"
	}
	if op, ok := operators.FindReverse(name); ok && op != "" {
		return "operator " + op + " on " + reasonForType(l.ast.GetType(c.Args()[0].ID()))
	}
	name = strings.Replace(name, "@", "", 1)
	if name == "math.min" {
		name = "math.least"
	}
	if name == "math.max" {
		name = "math.greatest"
	}
	if c.IsMemberFunction() {
		return "method " + name
	}
	return "function " + name
}
