package codegen

import (
	"math"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/runtime/program"
)

// limits turns throttles into plain values, and their conditions into registers.
func (g *generator) limits(list []ir.Limit) {
	for i := range list {
		l := &list[i]
		out := program.Limit{Name: l.Name, Kind: l.Kind, Object: l.Object, Row: l.Row, Others: l.Others,
			Counts: l.Counts, Per: l.Per, Cross: l.Cross, Phase: l.Phase, Soft: limitBound(l.Soft),
			Hard: limitBound(l.Hard), AtLeast: l.AtLeast, When: program.NoReg, Reason: l.Reason, Source: l.Source,
			Span: l.Span, Override: l.Override, Reach: l.Reach, Existing: l.Existing}
		if l.When.IsSet() {
			out.When = g.condition(l.When, "limit", l.Name, l.Span)
		}
		g.prog.Limits = append(g.prog.Limits, out)
	}
}

// limitBound is a bound as a whole number: counts are whole, so 2.5 lets as many pass as 2.
func limitBound(f *float64) int64 {
	if f == nil || *f < 0 || *f >= math.MaxInt64 {
		return program.NoLimit
	}
	return int64(*f)
}
