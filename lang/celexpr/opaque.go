package celexpr

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/schema"
)

// opaque makes one node of everything below e, evaluated by cel-go itself on
// boxed values. Only the columns it reads are its arguments, so what reads one string
// column is evaluated once per distinct string.
func (l *lowering) opaque(e ast.Expr, s *scope, t schema.Type, reason string) *expr.Expr {
	span := l.text.span(e)
	program, err := l.program(e, s)
	if err != nil {
		l.list.Errorf(codeConstantFails, span, "this cannot be evaluated: %v", err)
		return expr.NewConst(schema.Value{Type: t}, span)
	}
	args := make([]*expr.Expr, len(program.columns))
	for i, id := range program.columns {
		args[i] = &expr.Expr{Op: expr.Column, Type: columnType(id), Column: id, Span: span}
	}
	return &expr.Expr{
		Op: expr.Opaque, Type: t, Args: args, Span: span,
		Fn:     func(values []schema.Value) (schema.Value, error) { return unbox(program.eval(values), t) },
		Text:   l.text.of(e) + l.where(e, s),
		Reason: reason,
	}
}

// where tells copies of one text apart: the constants it was compiled with.
// INVARIANT: two Opaque nodes of equal Text compute the same.
func (l *lowering) where(e ast.Expr, s *scope) string {
	var facts []string
	ast.PreOrderVisit(e, ast.NewExprVisitor(func(e ast.Expr) {
		if fact := l.facts[e.ID()]; fact != "" && !slices.Contains(facts, fact) {
			facts = append(facts, fact)
		}
	}))
	for ; s != nil; s = s.outer {
		facts = append(facts, s.name+" = "+types.Format(s.value.AsLiteral()))
	}
	if len(facts) == 0 {
		return ""
	}
	return " where " + strings.Join(facts, ", ")
}

// program plans with constant conversions computed, constant regular expressions
// compiled and constant lists hashed. A constant that fails stops this, though CEL
// only minds if it is reached: then there is a warning, and no optimisation.
func (l *lowering) program(e ast.Expr, s *scope) (*rowProgram, error) {
	if !l.optimizable(e) {
		return l.plan(e, s)
	}
	program, optimizeErr := l.plan(e, s, cel.EvalOptions(cel.OptOptimize))
	if optimizeErr == nil {
		return program, nil
	}
	program, err := l.plan(e, s)
	if err == nil && len(program.columns) > 0 { // without columns, Fold finds out
		l.list.Warnf(codeConstantFails, l.text.span(e), "a constant in this always fails: %v", optimizeErr)
	}
	return program, err
}

// optimizable excepts two look-ups in lists that cel-go's optimiser changes: in
// an empty list it forgets that the value may be unknown, and among mixed types
// it compares ints with doubles exactly, not rounded.
func (l *lowering) optimizable(e ast.Expr) bool {
	fine := true
	ast.PreOrderVisit(e, ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() != ast.CallKind || e.AsCall().FunctionName() != operators.In {
			return
		}
		list := e.AsCall().Args()[1]
		element := l.ast.GetType(list.ID()).Parameters()
		empty := list.Kind() == ast.ListKind && list.AsList().Size() == 0 ||
			list.Kind() == ast.IdentKind && list.AsIdent() == emptyStrings
		fine = fine && !empty && (len(element) == 0 || !isDyn(element[0]))
	}))
	return fine
}

// rowProgram evaluates one sub-expression; it may be used concurrently.
type rowProgram struct {
	program cel.Program
	columns []schema.ColumnID
	slots   map[string]slot
	loops   bool      // it has macros, whose visits are bounded
	pool    sync.Pool // of activations
}

// slot says where the value of a name is.
type slot struct {
	index    int // in columns
	presence bool
	unknown  ref.Val
}

// read gives a name its slot; a column and its presence test share one argument.
func (p *rowProgram) read(name string, id schema.ColumnID, presence bool) {
	i := slices.Index(p.columns, id)
	if i < 0 {
		i = len(p.columns)
		p.columns = append(p.columns, id)
	}
	p.slots[name] = slot{i, presence, types.WrapErr(expr.UnknownError{Column: id})}
}

// eval runs the program on the values of its columns, in their order.
func (p *rowProgram) eval(values []schema.Value) ref.Val {
	if len(values) != len(p.columns) {
		return types.NewErr("%d arguments where %d are wanted", len(values), len(p.columns))
	}
	a := p.pool.Get().(*activation)
	a.values = values
	var result ref.Val
	var err error
	if p.loops {
		result, err = evaluate(p.program, a)
	} else {
		result, _, err = p.program.Eval(a)
	}
	a.values = nil // the caller may reuse its slice
	p.pool.Put(a)
	if err != nil {
		return types.WrapErr(err)
	}
	return result
}

// timestamp evaluates a constant time with its fraction.
func (p *rowProgram) timestamp() (time.Time, bool) {
	t, ok := p.eval(nil).(types.Timestamp)
	return t.Time, ok
}

// activation gives cel-go the values of one row. A column that is unknown
// there is an error value, which hurts only if it is really read.
type activation struct {
	program *rowProgram
	values  []schema.Value
}

func (a *activation) Parent() cel.Activation { return nil }

func (a *activation) ResolveName(name string) (any, bool) {
	s, ok := a.program.slots[name]
	if !ok {
		return nil, false
	}
	v := a.values[s.index]
	switch {
	case s.presence:
		return types.Bool(v.Known()), true
	case !v.Known():
		return s.unknown, true
	}
	return box(v), true
}
