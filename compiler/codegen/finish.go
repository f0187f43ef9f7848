package codegen

import (
	"math"
	"slices"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/program"
)

// finish turns the score into the priority: floor, then ceiling (which wins if they
// cross), then the first override whose condition holds. Rounding is left to
// the engine, which needs the double as well.
func (g *generator) finish(f *ir.Finish) {
	priority := g.prog.Score
	if f.Floor.IsSet() || f.Ceiling.IsSet() {
		low, high := g.orElse(f.Floor, math.Inf(-1)), g.orElse(f.Ceiling, math.Inf(1))
		priority = g.emit("clamp_double_double_double", schema.Double, f.Span, priority, low, high)
	}

	g.score = priority
	for _, c := range g.overrides(f) {
		priority = g.emit(program.OpCond, schema.Double, c.span, c.when, c.value, priority)
	}
	g.prog.Priority = g.emit(program.OpStorable, schema.Double, f.Span, priority)
}

// choice is an override that some job may take.
type choice struct {
	when, value program.Reg
	span        source.Span
}

// overrides lowers them and returns those that may apply, from the last to the first, so that the first one
// asked is the outermost choice. The value of an override that applies to no job, by its own condition or
// because another applies to all before it, is not evaluated: as with a branch that is never
// taken, a column that only it reads may be absent.
func (g *generator) overrides(f *ir.Finish) []choice {
	var list []choice
	decided := false
	for i := range f.Overrides {
		o := &f.Overrides[i]
		c := choice{when: g.condition(o.When, "override", o.Name, o.Span), span: o.Span}
		g.prog.Overrides = append(g.prog.Overrides, program.Flag{Name: o.Name, Doc: o.Doc, When: c.when, Span: o.Span})
		if !o.Value.IsSet() {
			g.diags.Errorf("codegen-missing-value", o.Span, "override %q has no value", o.Name).
				Note("write value = \"…\", the priority that replaces the score")
			continue
		}
		settled := o.When.Expr.IsConst()
		if decided || settled && o.When.Expr.Value.Int == 0 {
			continue
		}
		c.value, decided = g.number(o.Value.Expr), settled
		list = append(list, c)
	}
	slices.Reverse(list)
	return list
}

// orElse is a bound, or the infinity that bounds nothing.
func (g *generator) orElse(s ir.Scalar, none float64) program.Reg {
	if s.IsSet() {
		return g.ordered(g.number(s.Expr), s.Expr.Span)
	}
	return g.double(none, source.Span{})
}

// condition lowers what an override or a hold asks.
func (g *generator) condition(s ir.Scalar, kind, name string, span source.Span) program.Reg {
	if !s.IsSet() {
		g.diags.Errorf("codegen-missing-condition", span, "%s %q has no condition", kind, name).
			Note("write when = \"…\", an expression that is true or false for each job")
		return program.NoReg
	}
	if s.Expr.Type != schema.Bool {
		return g.fault(s.Expr, "codegen-not-a-condition", "%s has type %s where true or false is wanted", s.Expr,
			s.Expr.Type)
	}
	return g.lower(s.Expr)
}
