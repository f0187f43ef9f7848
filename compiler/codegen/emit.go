package codegen

import (
	"math"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/program"
)

// instrKey is what makes two instructions the same: everything but the place.
// Boxed functions are known by their text, which names the constants in it.
type instrKey struct {
	op      string
	a, b, c program.Reg
	column  schema.ColumnID
	typ     schema.Type
	number  uint64
	text    string
}

// emit appends an instruction on registers, or finds the one that already
// computes it. Its shape is the join of its arguments'; arguments of a
// dictionary are gathered when the instruction runs per row. An absent argument
// (its fault is reported already) makes an absent result.
func (g *generator) emit(op string, t schema.Type, span source.Span, args ...program.Reg) program.Reg {
	shape := program.Shape{Level: program.Once}
	for _, a := range args {
		if a == program.NoReg {
			return program.NoReg
		}
		shape = join(shape, g.prog.Regs[a].Shape)
	}
	key := instrKey{op: op, typ: t, a: program.NoReg, b: program.NoReg, c: program.NoReg}
	for i, slot := range []*program.Reg{&key.a, &key.b, &key.c} {
		if i >= len(args) {
			break
		}
		if shape.Level == program.Row && op != program.OpGather {
			args[i] = g.gather(args[i], span)
		}
		if *slot = args[i]; args[i] == program.NoReg {
			return program.NoReg
		}
	}
	return g.intern(key, shape, program.Instr{Op: op, Args: args, Span: span})
}

// gather spreads a dictionary's register over the rows; others stay as they are.
func (g *generator) gather(r program.Reg, span source.Span) program.Reg {
	from := g.prog.Regs[r]
	if from.Shape.Level != program.Dict {
		return r
	}
	key := instrKey{op: program.OpGather, typ: from.Type, a: r, b: program.NoReg, c: program.NoReg}
	return g.intern(key, program.Shape{Level: program.Row},
		program.Instr{Op: program.OpGather, Args: []program.Reg{r}, Span: span})
}

// intern appends the instruction with a register of its own unless an equal one is there.
func (g *generator) intern(key instrKey, shape program.Shape, in program.Instr) program.Reg {
	if r, ok := g.known[key]; ok {
		return r
	}
	if g.lookOnly {
		return program.NoReg
	}
	r := g.define(key.typ, shape, in)
	g.known[key] = r
	return r
}

// define appends the instruction with the next register. Registers are numbered as they
// are defined, so a program can be read, run and checked from top to bottom.
func (g *generator) define(t schema.Type, shape program.Shape, in program.Instr) program.Reg {
	in.Dst = program.Reg(len(g.prog.Regs))
	g.prog.Regs = append(g.prog.Regs, program.Register{Type: t, Shape: shape})
	g.prog.Instrs = append(g.prog.Instrs, in)
	return in.Dst
}

// constant interns by bits: −0.0 is not 0.0, and a NaN equals itself.
func (g *generator) constant(v schema.Value, span source.Span) program.Reg {
	key := instrKey{op: program.OpConst, typ: v.Type, a: program.NoReg, b: program.NoReg, c: program.NoReg}
	switch v.Type {
	case schema.Double:
		key.number = math.Float64bits(v.Double)
	case schema.String:
		key.text = v.Str
	case schema.StringList:
		key.number, key.text = uint64(len(v.List)), strings.Join(v.List, "\x00")
	default:
		key.number = uint64(v.Int)
	}
	return g.intern(key, program.Shape{Level: program.Once}, program.Instr{Op: program.OpConst, Value: v, Span: span})
}

func (g *generator) double(v float64, span source.Span) program.Reg {
	return g.constant(schema.DoubleValue(v), span)
}

// column loads a column, or with OpPresent whether it is known.
func (g *generator) column(op string, id schema.ColumnID, t schema.Type, span source.Span) program.Reg {
	key := instrKey{op: op, typ: t, column: id, a: program.NoReg, b: program.NoReg, c: program.NoReg}
	return g.intern(key, program.ShapeOf(id), program.Instr{Op: op, Column: id, Span: span})
}

// join is the shape of what reads both: two different dictionaries meet only in rows.
func join(a, b program.Shape) program.Shape {
	switch {
	case a == b || b.Level == program.Once:
		return a
	case a.Level == program.Once:
		return b
	}
	return program.Shape{Level: program.Row}
}
