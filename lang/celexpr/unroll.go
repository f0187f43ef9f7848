package celexpr

import (
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"

	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/schema"
)

// maxUnrolled bounds how many kernels a list becomes; beyond it cel-go's hash
// set is the faster way. maxCopied bounds the nodes of what is written more than
// once, so that nesting does not multiply.
const (
	maxUnrolled = 32
	maxCopied   = 1024
)

// copied reports whether a node may be used that many times.
func copied(e *expr.Expr, times int) bool {
	nodes := 0
	e.Walk(func(*expr.Expr) { nodes++ })
	return nodes*times <= maxCopied
}

// membership turns `x in [1, 2, 3]` into comparisons: x is evaluated once for
// each, and fails in all or none, which is what cel-go's single look-up gives.
func (l *lowering) membership(e ast.Expr, s *scope) (*expr.Expr, string) {
	x, list := e.AsCall().Args()[0], e.AsCall().Args()[1]
	var id string
	switch l.typeOf(x) {
	case schema.Int:
		id = "equals_int64"
	case schema.Double:
		id = "equals_double"
	default:
		return nil, l.reasonForCall(e.AsCall())
	}
	elements, ok := constants(list)
	if !ok || len(elements) == 0 || len(elements) > maxUnrolled {
		return nil, "in over a list that is computed, empty or long"
	}
	args, reason := l.args(s, append([]ast.Expr{x}, elements...)...)
	if reason != "" {
		return nil, reason
	}
	if !copied(args[0], len(elements)) {
		return nil, "in with a long left side"
	}
	var node *expr.Expr
	for _, element := range args[1:] {
		if element.Type != args[0].Type {
			return nil, "in over a list of mixed types"
		}
		equal := l.kernel(e, id, args[0], element)
		if node == nil {
			node = equal
			continue
		}
		node = &expr.Expr{Op: expr.Or, Type: schema.Bool, Args: []*expr.Expr{node, equal}, Span: equal.Span}
	}
	return node, ""
}

// constants are the elements of a list of literals.
func constants(e ast.Expr) ([]ast.Expr, bool) {
	if e.Kind() != ast.ListKind {
		return nil, false
	}
	for _, element := range e.AsList().Elements() {
		if element.Kind() != ast.LiteralKind {
			return nil, false
		}
	}
	return e.AsList().Elements(), true
}

// unroll writes exists and all over constant lists as || and &&, which is
// what their loops compute, failures included: the accumulator of exists is
// `@result || predicate`, and the loop only stops where it is decided.
func (l *lowering) unroll(e ast.Expr, s *scope) (*expr.Expr, string) {
	c := e.AsComprehension()
	reason := "a macro over a list"
	elements, ok := constants(c.IterRange())
	copies := len(elements)
	if s != nil {
		copies *= s.copies // of nested macros
	}
	if !ok || copies == 0 || copies > maxUnrolled || c.HasIterVar2() {
		return nil, reason
	}
	// exists and all are known by the shape of their loop; map, filter and
	// exists_one have another.
	step := c.LoopStep()
	isResult := func(e ast.Expr) bool { return e.Kind() == ast.IdentKind && e.AsIdent() == c.AccuVar() }
	if step.Kind() != ast.CallKind || len(step.AsCall().Args()) != 2 || !isResult(step.AsCall().Args()[0]) ||
		!isResult(c.Result()) {
		return nil, reason
	}
	op := expr.Or
	switch step.AsCall().FunctionName() {
	case operators.LogicalOr:
	case operators.LogicalAnd:
		op = expr.And
	default:
		return nil, reason
	}
	predicate := step.AsCall().Args()[1]
	if l.typeOf(predicate) != schema.Bool {
		return nil, reason
	}
	var node *expr.Expr
	kernels := false
	for _, element := range elements {
		one := l.value(predicate, &scope{c.IterVar(), element, s, copies})
		kernels = kernels || one.Op != expr.Opaque
		if node == nil {
			node = one
			continue
		}
		node = &expr.Expr{Op: op, Type: schema.Bool, Args: []*expr.Expr{node, one}, Span: l.text.span(e)}
	}
	if !kernels { // one program with a loop beats one program per element
		return nil, reason
	}
	return node, ""
}
