package celexpr

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
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
	program, err := l.plan(e, s)
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
		Text:   l.text.of(e) + l.where(s),
		Reason: reason,
	}
}

// where tells copies of one text apart: the constants it was compiled with.
// INVARIANT: two Opaque nodes of equal Text compute the same.
func (l *lowering) where(s *scope) string {
	facts := slices.Clone(l.constants)
	for ; s != nil; s = s.outer {
		facts = append(facts, s.name+" = "+types.Format(s.value.AsLiteral()))
	}
	if len(facts) == 0 {
		return ""
	}
	return " where " + strings.Join(facts, ", ")
}

// plan builds cel-go's program of a sub-expression: once, with constant parts
// computed and constant regular expressions compiled.
func (l *lowering) plan(e ast.Expr, s *scope) (*rowProgram, error) {
	fac := ast.NewExprFactory()
	root := fac.CopyExpr(e)
	p := &rowProgram{slots: map[string]slot{}}
	refs := map[int64]*ast.ReferenceInfo{}
	for id, r := range l.ast.ReferenceMap() {
		refs[id] = r
	}
	tree := &substitution{fac: fac, scope: s, lowering: l, program: p, refs: refs}
	tree.expr(root, nil)
	checked := ast.NewCheckedAST(ast.NewAST(root, l.ast.SourceInfo()), l.ast.TypeMap(), refs)
	program, err := l.base.PlanProgram(checked, cel.EvalOptions(cel.OptOptimize))
	if err != nil {
		return nil, err
	}
	p.program = program
	p.pool.New = func() any { return &activation{program: p} }
	return p, nil
}

// substitution prepares a copy of a sub-expression to stand alone: macro
// variables bound outside become their values, columns get their slots.
type substitution struct {
	fac      ast.ExprFactory
	scope    *scope
	lowering *lowering
	program  *rowProgram
	refs     map[int64]*ast.ReferenceInfo
}

func (b *substitution) expr(e ast.Expr, inner []string) {
	switch e.Kind() {
	case ast.IdentKind:
		b.ident(e, inner)
	case ast.SelectKind:
		b.expr(e.AsSelect().Operand(), inner)
	case ast.CallKind:
		c := e.AsCall()
		if c.FunctionName() == tresFunction {
			id := schema.ColumnID(c.Args()[0].AsLiteral().(types.String))
			b.program.read(string(id), id, false)
			b.refs[e.ID()] = ast.NewIdentReference(string(id), nil)
			e.SetKindCase(b.fac.NewIdent(e.ID(), string(id)))
			return
		}
		if c.IsMemberFunction() {
			b.expr(c.Target(), inner)
		}
		for _, a := range c.Args() {
			b.expr(a, inner)
		}
	case ast.ListKind:
		for _, a := range e.AsList().Elements() {
			b.expr(a, inner)
		}
	case ast.MapKind:
		for _, entry := range e.AsMap().Entries() {
			b.expr(entry.AsMapEntry().Key(), inner)
			b.expr(entry.AsMapEntry().Value(), inner)
		}
	case ast.StructKind:
		for _, field := range e.AsStruct().Fields() {
			b.expr(field.AsStructField().Value(), inner)
		}
	case ast.ComprehensionKind:
		c := e.AsComprehension()
		b.expr(c.IterRange(), inner)
		b.expr(c.AccuInit(), inner)
		inner = append(slices.Clone(inner), c.IterVar(), c.IterVar2(), c.AccuVar())
		b.expr(c.LoopCondition(), inner)
		b.expr(c.LoopStep(), inner)
		b.expr(c.Result(), inner)
	}
}

func (b *substitution) ident(e ast.Expr, inner []string) {
	name := e.AsIdent()
	if slices.Contains(inner, name) {
		return
	}
	if value := b.scope.find(name); value != nil {
		delete(b.refs, e.ID())
		e.SetKindCase(b.fac.NewLiteral(e.ID(), value.AsLiteral()))
		return
	}
	if id, ok := b.lowering.columns[name]; ok {
		b.program.read(name, id, name == presenceName(id))
	}
}

// rowProgram evaluates one sub-expression; it may be used concurrently.
type rowProgram struct {
	program cel.Program
	columns []schema.ColumnID
	slots   map[string]slot
	pool    sync.Pool // of activations
}

// slot says where the value of a name is.
type slot struct {
	index    int // in columns
	presence bool
	unknown  ref.Val
}

func (p *rowProgram) read(name string, id schema.ColumnID, presence bool) {
	i := slices.Index(p.columns, id)
	if i < 0 {
		i = len(p.columns)
		p.columns = append(p.columns, id)
	}
	p.slots[name] = slot{i, presence, types.WrapErr(expr.UnknownError{Column: id})}
}

func (p *rowProgram) eval(values []schema.Value) ref.Val {
	if len(values) != len(p.columns) {
		return types.NewErr("%d arguments where %d are wanted", len(values), len(p.columns))
	}
	a := p.pool.Get().(*activation)
	a.values = values
	result, _, err := p.program.Eval(a)
	a.values = nil
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
