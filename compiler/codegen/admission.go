package codegen

import (
	"slices"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/program"
)

// admission lowers what refuses entries of jobs. It comes last, so that what it alone reads is known: a site that does
// not record such a column still has priorities.
func (g *generator) admission(holds []ir.Hold, score program.Reg) {
	before := g.prog.Inputs()
	g.score = score
	for i := range holds {
		h := &holds[i]
		g.prog.Admission = append(g.prog.Admission, program.EntryHold{
			Flag: program.Flag{Name: h.Name, Doc: h.Doc, Reason: h.Reason, Span: h.Span,
				When: g.condition(h.When, "hold", h.Name, h.Span)},
			Phase: program.Phase(h.Phase), Setting: h.Setting, Word: template(h.Word), Text: template(h.Text),
			Passes: h.Passes, Rejects: h.Rejects, Reads: reads(h.When.Expr), Library: h.Library,
		})
		g.prog.Asked = append(g.prog.Asked, slices.Concat(h.Word.Columns(), h.Text.Columns())...)
	}
	g.score = program.NoReg
	known := func(id schema.ColumnID) bool { return slices.Contains(before, id) }
	g.prog.Asked = slices.DeleteFunc(g.prog.Inputs(), known)
}

// template takes over what the compiler made of the expressions in a text.
func template(t ir.Template) program.Template {
	var out program.Template
	for _, p := range t {
		switch {
		case p.Expr == nil:
			out = append(out, program.Part{Text: p.Text})
		case p.Expr.Op == expr.Column:
			out = append(out, program.Part{Column: p.Expr.Column})
		default:
			out = append(out, program.Part{Text: p.Expr.Text, Fn: p.Expr.Fn, Args: p.Expr.Columns()})
		}
	}
	return out
}
