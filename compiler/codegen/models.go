package codegen

import (
	"math"
	"slices"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/schema"
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

// treeModels are the fairshare models that are trees.
var treeModels = []string{program.FairTree, program.Classic, program.DepthOblivious}

// tree finds the policy's account tree; nil without.
func tree(p *ir.Policy) *program.Tree {
	i := slices.IndexFunc(p.Fairshare, func(f ir.Fairshare) bool { return slices.Contains(treeModels, f.Model) })
	if i < 0 {
		return nil
	}
	f := &p.Fairshare[i]
	t := &program.Tree{
		Algorithm: f.Model, Damp: max(1, f.Setting("dampening_factor").Value.Int),
		HalfLifeSeconds: f.Setting("half_life").Value.Int,
		PassSeconds:     f.Setting("calc_period").Value.Int, Reset: f.Setting("reset_period").Value.Str,
		Bill:             f.Setting("billing").Value.Str,
		CalculateRunning: f.Setting("calculate_running").Value.Int != 0,
		IncrOnly:         f.Setting("incr_only").Value.Int != 0,
		TRES:             f.Setting("tres").Value.List, Span: f.Span,
	}
	t.Weights = f.Billing
	t.Associations = program.TreeOrder(slices.Clone(f.Associations), p.Version)
	return t
}

// windows finds the policy's fairshare windows. Those that count nothing, because a maui.cfg has
// no FSPOLICY, are dormant: reports show what is set, and that is all.
func windows(p *ir.Policy) (active, dormant *program.Windows) {
	for i := range p.Fairshare {
		f := &p.Fairshare[i]
		if f.Model != "windows" {
			continue
		}
		w := &program.Windows{
			Usage: f.Setting("usage").Value.Str, Ratio: f.Setting("ratio").Value.Int != 0,
			IntervalSeconds: f.Setting("interval").Value.Int, Depth: int(f.Setting("depth").Value.Int),
			Decay: f.Setting("decay").Value.Double, Targets: f.Targets, Span: f.Span,
		}
		if w.Usage == "" {
			return nil, w
		}
		return w, nil
	}
	return nil, nil
}

// plan collects how jobs are placed.
func plan(p *ir.Policy) *program.Plan {
	out := p.Plan
	out.Switches = p.Switches
	if out.NodeRecords, out.Partition = p.NodeRecords, p.Partition; p.SlurmPlan != nil {
		out.Slurm = &p.SlurmPlan.SlurmPlan
	}
	for i := range p.Reservations {
		out.Reservations = append(out.Reservations, program.Reservation(p.Reservations[i]))
	}
	return &out
}

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
