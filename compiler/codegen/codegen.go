// Package codegen turns a checked policy into a program: what comes in is an
// ir.Policy, what goes out is a flat list of instructions over typed registers,
// each computed as seldom as its inputs allow. compiler/optimize makes what runs of it.
//
// Registers are assigned once and shared: the same expression in two terms is one
// register. Nothing here evaluates anything; folding constants is the fold pass's work.
package codegen

import (
	"math"
	"slices"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/program"
)

// generator is the state of one Generate.
type generator struct {
	prog  *program.Program
	diags diag.List
	known map[instrKey]program.Reg   // hash-consing
	memo  map[*expr.Expr]program.Reg // shared nodes, boxed functions above all
	score program.Reg                // what the column "score" means, NoReg where it means nothing
	shown map[*expr.Expr]bool        // nodes whose fault was reported

	defines  []ir.Define
	lookOnly bool // nothing is emitted: what is not computed already has no register
}

// deviations names the points in which the policy follows the manual.
func deviations(p *ir.Policy) []string {
	var names []string
	for _, d := range p.Deviations {
		if d.Documented {
			names = append(names, d.Name)
		}
	}
	return names
}

// Generate compiles a policy. The program is nil when the list has errors.
func Generate(p *ir.Policy) (*program.Program, diag.List) {
	g := &generator{
		prog: &program.Program{
			Policy: p.Name, Family: p.Family, Version: p.Version, Semantics: p.Semantics,
			Deviations: deviations(p), Without: p.Without, Rounding: p.Finish.Rounding,
		},
		known: map[instrKey]program.Reg{},
		memo:  map[*expr.Expr]program.Reg{},
		shown: map[*expr.Expr]bool{},
		score: program.NoReg,

		defines: p.Defines,
	}
	// The sum starts from +0.0, as Σ does, so that a first value of −0.0 leaves the same
	// bits as in any other evaluator.
	score := g.double(0, source.Span{})
	for i := range p.Components {
		c := g.component(&p.Components[i])
		g.prog.Components = append(g.prog.Components, c)
		if !p.Components[i].Weight.IsZero() {
			score = g.emit("add_double", schema.Double, c.Span, score, c.Value)
		}
	}
	g.prog.Score = g.emit(program.OpFinite, schema.Double, p.Span, score)
	g.finish(&p.Finish)
	for i := range p.Holds { // they may read the score, as overrides do
		h := &p.Holds[i]
		g.prog.Holds = append(g.prog.Holds, program.Flag{
			Name: h.Name, Doc: h.Doc, Reason: h.Reason, Span: h.Span,
			When: g.condition(h.When, "hold", h.Name, h.Span),
		})
	}
	score, g.score = g.score, program.NoReg
	g.limits(p.Limits)
	g.prog.Counting = p.Counting
	g.prog.Windows, g.prog.Dormant = windows(p)
	g.prog.Usage = p.Usage
	g.prog.Tree = tree(p)
	g.prog.Settings = settings(p.Tables)
	g.prog.Queue = p.Queue
	g.prog.Slurm = p.Enforced
	g.prog.Plan = plan(p)
	g.admission(p.Admission, score)
	if g.diags.HasErrors() {
		return nil, g.diags
	}
	return g.prog, g.diags
}

// component emits Σ of the terms' values and the weighted, capped result.
func (g *generator) component(c *ir.Component) program.Component {
	out := program.Component{Name: c.Name, Doc: c.Doc, Span: c.Span}
	skip := c.Weight.IsZero()
	out.Weight = g.weight(c.Weight, "component", c.Name, c.Span)
	out.Cap = program.Number{Reg: program.NoReg, Sources: c.Cap.Sources}
	if !skip {
		out.Cap = g.bound(c.Cap)
	}
	out.Sum = g.double(0, source.Span{})
	for i := range c.Terms {
		t := g.term(&c.Terms[i], skip)
		if t.Factor.Reg != program.NoReg {
			out.Sum = g.emit("add_double", schema.Double, t.Span, out.Sum, t.Value)
		}
		out.Terms = append(out.Terms, t)
	}
	if skip {
		out.Value = g.double(0, source.Span{})
		return out
	}
	out.Value = g.capmul(out.Weight.Reg, out.Sum, out.Cap.Reg, c.Span, c.Span)
	return out
}

// term emits weight · min(cap, factor). A term of constant weight 0, or of a
// component that has it, is not evaluated: that is a rule of the language, so that a factor
// whose column a site does not record costs nothing until somebody weighs it.
func (g *generator) term(t *ir.Term, skip bool) program.Term {
	out := program.Term{Name: t.Name, Doc: t.Doc, Span: t.Span}
	out.Factor = program.Number{Reg: program.NoReg, Sources: t.Factor.Sources}
	if skip || t.Weight.IsZero() {
		out.Weight = program.Number{Reg: program.NoReg, Sources: t.Weight.Sources}
		if t.Weight.Expr.IsConst() {
			out.Weight = g.weight(t.Weight, "term", t.Name, t.Span)
		}
		out.Cap = program.Number{Reg: program.NoReg, Sources: t.Cap.Sources}
		out.Value = g.double(0, source.Span{})
		return out
	}
	out.Weight = g.weight(t.Weight, "term", t.Name, t.Span)
	out.Cap = g.bound(t.Cap)
	if t.Factor.IsSet() {
		out.Factor.Reg = g.number(t.Factor.Expr)
	} else {
		g.diags.Errorf("codegen-missing-factor", t.Span, "term %q has no factor", t.Name).
			Note("write factor = \"…\", an expression evaluated for each job")
	}
	out.Value = g.capmul(out.Weight.Reg, out.Factor.Reg, out.Cap.Reg, t.Span, placeOf(t.Factor, t.Span))
	out.Reads = reads(t.Factor.Expr, t.Weight.Expr)
	out.Defines = g.definesOf(t)
	return out
}

// definesOf finds the registers of the defines that a term reads. One that folding took out of the term has none.
func (g *generator) definesOf(t *ir.Term) []program.Define {
	var out []program.Define
	g.lookOnly = true
	for _, d := range g.defines {
		if !slices.Contains(t.Factor.Defines, d.Name) && !slices.Contains(t.Weight.Defines, d.Name) ||
			!d.Value.IsSet() || d.Value.Expr.IsConst() {
			continue
		}
		if r := g.lower(d.Value.Expr); r != program.NoReg {
			out = append(out, program.Define{Name: d.Name, Doc: d.Doc, Reg: r, Span: d.Span})
		}
	}
	g.lookOnly = false
	return out
}

// weight lowers a weight. Unlike a cap it cannot be absent: once or not at all would be a guess.
func (g *generator) weight(s ir.Scalar, kind, name string, span source.Span) program.Number {
	if !s.IsSet() {
		g.diags.Errorf("codegen-missing-weight", span, "%s %q has no weight", kind, name).
			Note("write weight = 1 to take it as it is, or weight = 0 to leave it out")
		return program.Number{Reg: program.NoReg}
	}
	return program.Number{Reg: g.number(s.Expr), Sources: s.Sources}
}

// bound is a cap. One that is constant and not above zero is none, in both
// schedulers (Maui MPriority.c tests every cap with > 0).
func (g *generator) bound(s ir.Scalar) program.Number {
	none := program.Number{Reg: program.NoReg, Sources: s.Sources}
	if !s.IsSet() {
		return none
	}
	if v, ok := constNumber(s.Expr); ok && v <= 0 {
		return none
	}
	return program.Number{Reg: g.ordered(g.number(s.Expr), s.Expr.Span), Sources: s.Sources}
}

// capmul emits the one shape that terms and components share. A cap bounds numbers alone: what is infinite or NaN at
// the place of x fails.
func (g *generator) capmul(weight, x, limit program.Reg, span, place source.Span) program.Reg {
	if limit == program.NoReg {
		return g.emit(program.OpCapMul, schema.Double, span, weight, x)
	}
	return g.emit(program.OpCapMul, schema.Double, span, weight, g.finite(x, place), limit)
}

// finite passes a register on and fails where it is infinite or NaN. What never is needs no test.
func (g *generator) finite(r program.Reg, span source.Span) program.Reg {
	if r == program.NoReg || g.alwaysFinite(r) {
		return r
	}
	return g.emit(program.OpNumber, schema.Double, span, r)
}

// ordered passes a bound on and fails where it is NaN, as comparing with it does. An infinite bound bounds nothing.
func (g *generator) ordered(r program.Reg, span source.Span) program.Reg {
	if r == program.NoReg || g.alwaysFinite(r) {
		return r
	}
	if in := &g.prog.Instrs[r]; in.Op == program.OpConst && !math.IsNaN(in.Value.Double) {
		return r
	}
	return g.emit("math_@max_double_double", schema.Double, span, r, r)
}

// alwaysFinite reports numbers, ints, conditions that count 1 or 0, and choices among them.
func (g *generator) alwaysFinite(r program.Reg) bool {
	switch in := &g.prog.Instrs[r]; in.Op {
	case program.OpConst:
		return !math.IsInf(in.Value.Double, 0) && !math.IsNaN(in.Value.Double)
	case program.OpGather:
		return g.alwaysFinite(in.Args[0])
	case program.OpCond:
		return g.alwaysFinite(in.Args[1]) && g.alwaysFinite(in.Args[2])
	case "int64_to_double", program.OpNumber:
		return true
	}
	return false
}

// placeOf is where a setting is written, or else the block around it.
func placeOf(s ir.Scalar, block source.Span) source.Span {
	if s.IsSet() && !s.Expr.Span.IsZero() {
		return s.Expr.Span
	}
	return block
}

// constNumber is the value of a constant number.
func constNumber(e *expr.Expr) (float64, bool) {
	if !e.IsConst() {
		return math.NaN(), false
	}
	switch e.Value.Type {
	case schema.Double:
		return e.Value.Double, true
	case schema.Int, schema.Bool:
		return float64(e.Value.Int), true
	}
	return math.NaN(), false
}

// reads lists the distinct columns of the expressions, in first-read order.
func reads(exprs ...*expr.Expr) []schema.ColumnID {
	var ids []schema.ColumnID
	seen := map[schema.ColumnID]bool{}
	for _, e := range exprs {
		for _, id := range e.Columns() {
			if !seen[id] {
				seen[id] = true
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// settings copies the credential tables of the policy.
func settings(tables []ir.Table) []program.Setting {
	var out []program.Setting
	for _, t := range tables {
		s := program.Setting{Column: t.Column, Rows: make(map[string]program.SettingRow, len(t.Rows))}
		for _, r := range t.Rows {
			s.Rows[r.Name] = program.SettingRow{Value: r.Value, Source: r.Source, Span: r.Span}
		}
		if o := t.Others; o != nil {
			s.Others = &program.SettingRow{Value: o.Value, Source: o.Source, Span: o.Span}
		}
		out = append(out, s)
	}
	return out
}
