package codegen

import (
	"fmt"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/program"
)

// number lowers an expression used where a double is wanted: ints are
// converted, a condition counts 1 or 0.
func (g *generator) number(e *expr.Expr) program.Reg {
	if v, ok := constNumber(e); ok {
		return g.double(v, e.Span)
	}
	r := g.lower(e)
	if r == program.NoReg {
		return r
	}
	switch g.prog.Regs[r].Type {
	case schema.Double:
		return r
	case schema.Int:
		return g.emit("int64_to_double", schema.Double, e.Span, r)
	case schema.Bool:
		return g.emit(program.OpCond, schema.Double, e.Span, r, g.double(1, e.Span), g.double(0, e.Span))
	}
	return g.fault(e, "codegen-not-a-number", "%s has type %s where a number is wanted", e, e.Type)
}

// lower emits the instructions of an expression and returns its register.
func (g *generator) lower(e *expr.Expr) program.Reg {
	if r, ok := g.memo[e]; ok {
		return r
	}
	r := g.lowerNew(e)
	// What an expression is may depend on where score stands for something.
	if g.score == program.NoReg && r != program.NoReg {
		g.memo[e] = r
	}
	return r
}

func (g *generator) lowerNew(e *expr.Expr) program.Reg {
	switch e.Op {
	case expr.Const:
		if !e.Value.Known() {
			return g.malformed(e, "the constant has no type")
		}
		return g.constant(e.Value, e.Span)
	case expr.Column, expr.Present:
		return g.lowerColumn(e)
	case expr.Call:
		return g.lowerCall(e)
	case expr.And:
		return g.lowerLogic(e, program.OpAnd)
	case expr.Or:
		return g.lowerLogic(e, program.OpOr)
	case expr.Cond:
		return g.lowerCond(e)
	case expr.Opaque:
		return g.lowerOpaque(e)
	}
	return g.malformed(e, "its kind is not known")
}

// lowerColumn loads a column. Score is no column of the table but a register, and stands for
// something only while overrides are lowered.
func (g *generator) lowerColumn(e *expr.Expr) program.Reg {
	if e.Column == ir.Score {
		if g.score == program.NoReg {
			return g.fault(e, "codegen-score-out-of-place", "score is read where it is not known yet")
		}
		if e.Op == expr.Present {
			return g.constant(schema.BoolValue(true), e.Span)
		}
		return g.score
	}
	if e.Op == expr.Present {
		return g.column(program.OpPresent, e.Column, schema.Bool, e.Span)
	}
	if e.Type == schema.Invalid {
		return g.malformed(e, "the column has no type")
	}
	return g.column(program.OpColumn, e.Column, e.Type, e.Span)
}

// lowerCall emits a function under its overload id. The types are looked at again, because
// a wrong one would make the machine read a register that does not exist.
func (g *generator) lowerCall(e *expr.Expr) program.Reg {
	fn := schema.FunctionByOverload(e.Func)
	if fn == nil {
		return g.fault(e, "codegen-unknown-function", "%q is not a function with a kernel", e.Func)
	}
	if len(e.Args) != len(fn.Params) {
		return g.malformed(e, "%s takes %d arguments and has %d", fn.Overload, len(fn.Params), len(e.Args))
	}
	if storage(e.Type) != storage(fn.Result) {
		return g.malformed(e, "%s gives %s, not %s", fn.Overload, fn.Result, e.Type)
	}
	args := make([]program.Reg, len(e.Args))
	for i, a := range e.Args {
		if storage(a.Type) != storage(fn.Params[i]) {
			return g.malformed(e, "argument %d of %s is %s, not %s", i+1, fn.Overload, a.Type, fn.Params[i])
		}
		args[i] = g.lower(a)
	}
	return g.emit(fn.Overload, e.Type, e.Span, args...)
}

// lowerLogic makes a chain of two-sided steps, which keeps CEL's rules: the deciding
// value wins over an error on either side, else the first error counts.
func (g *generator) lowerLogic(e *expr.Expr, op string) program.Reg {
	if len(e.Args) == 0 {
		return g.malformed(e, "%s has no arguments", op)
	}
	acc := program.NoReg
	for i, a := range e.Args {
		if a.Type != schema.Bool {
			return g.malformed(e, "argument %d of %s is %s, not bool", i+1, op, a.Type)
		}
		r := g.lower(a)
		if i > 0 {
			r = g.emit(op, schema.Bool, e.Span, acc, r)
		}
		acc = r
	}
	return acc
}

// lowerCond emits a choice. Both sides are computed for every row and one is taken: there
// are no side effects, and a jump per row costs more than most sides.
func (g *generator) lowerCond(e *expr.Expr) program.Reg {
	if len(e.Args) != 3 {
		return g.malformed(e, "a condition takes 3 arguments and has %d", len(e.Args))
	}
	cond, then, other := e.Args[0], e.Args[1], e.Args[2]
	if cond.Type != schema.Bool || storage(then.Type) != storage(other.Type) || storage(then.Type) != storage(e.Type) {
		return g.malformed(e, "a condition has types %s ? %s : %s", cond.Type, then.Type, other.Type)
	}
	if storage(e.Type) == schema.String || storage(e.Type) == schema.StringList {
		return g.malformed(e, "strings have no registers to choose between")
	}
	return g.emit(program.OpCond, e.Type, e.Span, g.lower(cond), g.lower(then), g.lower(other))
}

// lowerOpaque emits a call of the boxed function. Its arguments are boxed from
// where they lie, so none is gathered; a dictionary's call runs per entry.
func (g *generator) lowerOpaque(e *expr.Expr) program.Reg {
	if e.Fn == nil {
		return g.malformed(e, "the boxed function is missing")
	}
	if s := storage(e.Type); s != schema.Bool && s != schema.Int && s != schema.Double {
		return g.fault(e, "codegen-not-a-number", "%s has type %s where a number or a condition is wanted", e, e.Type)
	}
	shape := program.Shape{Level: program.Once}
	args := make([]program.Reg, len(e.Args))
	for i, a := range e.Args {
		if a.Op != expr.Column {
			return g.malformed(e, "argument %d of a boxed function is not a column", i+1)
		}
		args[i] = g.lower(a)
		if args[i] == program.NoReg {
			return program.NoReg
		}
		shape = join(shape, g.prog.Regs[args[i]].Shape)
	}
	key := instrKey{op: program.OpCall, typ: e.Type, a: program.NoReg, b: program.NoReg, c: program.NoReg}
	key.text = fmt.Sprint(e.Text, "\x00", args)
	if r, ok := g.known[key]; ok {
		return r
	} else if g.lookOnly {
		return program.NoReg
	}
	call := len(g.prog.Calls)
	g.prog.Calls = append(g.prog.Calls, program.Call{Fn: e.Fn, Text: e.Text, Reason: e.Reason, Span: e.Span})
	return g.intern(key, shape, program.Instr{Op: program.OpCall, Args: args, Call: call, Span: e.Span})
}

// storage maps a type to the one it is held as: times are ints.
func storage(t schema.Type) schema.Type {
	if t == schema.Timestamp || t == schema.Duration {
		return schema.Int
	}
	return t
}

// fault reports an expression once and gives the absent register.
func (g *generator) fault(e *expr.Expr, code, format string, args ...any) program.Reg {
	if !g.shown[e] {
		g.shown[e] = true
		g.diags.Errorf(code, e.Span, format, args...).Note("%s", advice[code])
	}
	return program.NoReg
}

func (g *generator) malformed(e *expr.Expr, format string, args ...any) program.Reg {
	return g.fault(e, "codegen-malformed-expression", format, args...)
}
