package codegen

import (
	"slices"

	"github.com/fairway-sched/fairway/compiler/ir"
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
		flag := program.Flag{Name: h.Name, Doc: h.Doc, Reason: h.Reason, Span: h.Span,
			When: g.condition(h.When, "hold", h.Name, h.Span)}
		g.prog.Admission = append(g.prog.Admission,
			program.EntryHold{Flag: flag, Entry: h.Entry, Reads: reads(h.When.Expr)})
		g.prog.Asked = append(g.prog.Asked, slices.Concat(h.Entry.Word.Columns(), h.Entry.Text.Columns())...)
	}
	g.score = program.NoReg
	known := func(id schema.ColumnID) bool { return slices.Contains(before, id) }
	g.prog.Asked = slices.DeleteFunc(g.prog.Inputs(), known)
}
