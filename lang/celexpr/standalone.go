package celexpr

import (
	"maps"
	"slices"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"

	"github.com/fairway-sched/fairway/lang/schema"
)

// plan builds cel-go's program of a sub-expression that is in a larger one.
func (l *lowering) plan(e ast.Expr, s *scope, options ...cel.ProgramOption) (*rowProgram, error) {
	fac := ast.NewExprFactory()
	root := fac.CopyExpr(e)
	p := &rowProgram{slots: map[string]slot{}}
	refs := maps.Clone(l.ast.ReferenceMap())
	tree := &substitution{fac: fac, scope: s, lowering: l, program: p, refs: refs}
	tree.expr(root, nil)
	checked := ast.NewCheckedAST(ast.NewAST(root, l.ast.SourceInfo()), l.ast.TypeMap(), refs)
	if p.loops {
		options = append(options, bounded()...)
	}
	program, err := l.base.PlanProgram(checked, options...)
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

// expr visits a copied tree; inner are the macro variables bound within it,
// which hide those bound outside.
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
			// Now that the types are checked the call can be the column it stands for.
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
		b.program.loops = true
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
	if name == emptyStrings {
		delete(b.refs, e.ID())
		e.SetKindCase(b.fac.NewList(e.ID(), nil, nil))
		return
	}
	if value := b.scope.find(name); value != nil {
		// It is a literal now, which refers to nothing.
		delete(b.refs, e.ID())
		e.SetKindCase(b.fac.NewLiteral(e.ID(), value.AsLiteral()))
		return
	}
	if id, ok := b.lowering.columns[name]; ok {
		b.program.read(name, id, name == presenceName(id))
	}
}
