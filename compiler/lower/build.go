package lower

import (
	"slices"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/celexpr"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// builder turns an evaluated document into IR, compiling its CEL.
type builder struct {
	env    *celexpr.Env
	params *params
	out    *ir.Policy
	diags  *diag.List

	// What the site's credentials and limits change of a dialect's file.
	whole         bool // a policy file may change whatever earlier files set
	tree          bool // a block switches an account tree on
	dialect       int  // how many limits dialects set
	needsOverride func(span source.Span, what string, earlier source.Span)

	partitions []partitionScope

	readDefines map[string]bool
}

func (b *builder) document(d *policy.Document) {
	b.defines(d.Defines)
	for _, c := range d.Components {
		comp := ir.Component{Name: c.Name, Doc: c.Doc.Value, Span: c.Span,
			Weight: b.weight(c.Weight),
			Cap:    b.weight(c.Cap)}
		b.defaultWeight(&comp.Weight, c.Span)
		for _, t := range c.Terms {
			term := ir.Term{Name: t.Name, Doc: t.Doc.Value, Span: t.Span,
				Weight: b.weight(t.Weight),
				Cap:    b.weight(t.Cap),
				Factor: b.scalar(t.Factor, celexpr.WantFactor, celexpr.JobScope)}
			b.defaultWeight(&term.Weight, t.Span)
			if !t.Factor.IsSet() {
				b.diags.Errorf("term-without-factor", t.Span, "term %q has no factor", t.Name).
					Note("write factor = \"…\" with a CEL expression over the job, such as \"job.queue_minutes\"")
			}
			comp.Terms = append(comp.Terms, term)
		}
		b.out.Components = append(b.out.Components, comp)
	}
	b.finish(d.Finish)
	b.holds(d.Holds)
	for _, s := range d.Backfill {
		b.out.Backfill = append(b.out.Backfill,
			ir.Setting{Name: s.Name, Value: s.Value, Unit: string(s.Unit), Span: s.Span})
	}
	for i := range d.Reservations {
		b.reservation(&d.Reservations[i])
	}
}

// defaultWeight: a weight that is not set is 1.
func (b *builder) defaultWeight(s *ir.Scalar, span source.Span) {
	if s.Expr == nil {
		s.Expr = expr.NewConst(schema.DoubleValue(1), source.Span{File: span.File, Start: span.Start, End: span.End})
	}
}

func (b *builder) finish(f policy.Finish) {
	b.out.Finish = ir.Finish{Span: f.Span, Rounding: f.Rounding.Value,
		Floor:   b.scalar(f.Floor, celexpr.WantNumber, celexpr.CredentialScope),
		Ceiling: b.scalar(f.Ceiling, celexpr.WantNumber, celexpr.CredentialScope)}
	if b.out.Finish.Rounding == "" {
		b.out.Finish.Rounding = "truncate"
	}
	for _, o := range f.Overrides {
		b.out.Finish.Overrides = append(b.out.Finish.Overrides,
			ir.Override{Name: o.Name, Doc: o.Doc.Value, Span: o.Span,
				When:  b.scalar(o.When, celexpr.WantBool, celexpr.OverrideScope),
				Value: b.scalar(o.Value, celexpr.WantNumber, celexpr.OverrideScope)})
	}
}

// scalar compiles a constant or a CEL text; what is not set stays unset.
func (b *builder) scalar(s policy.Scalar, want celexpr.Want, scope celexpr.Scope) ir.Scalar {
	switch {
	case !s.IsSet():
		return ir.Scalar{}
	case s.CEL == nil:
		return ir.Scalar{Expr: expr.NewConst(s.Value, s.Span), Sources: b.sources(s.Params, s)}
	}
	src := textOf(s.CEL)
	src.Scope = scope
	compiled, list := b.env.Compile(src, want)
	*b.diags = append(*b.diags, list...)
	if compiled == nil {
		return ir.Scalar{}
	}
	names := slices.Clone(compiled.Params)
	for _, p := range s.CEL.EachParams {
		if !slices.Contains(names, p) {
			names = append(names, p)
		}
	}
	for _, name := range compiled.Defines {
		b.readDefines[name] = true
	}
	return ir.Scalar{Expr: compiled.Expr, Sources: b.sources(names, s), Defines: compiled.Defines, Text: writtenAt(s.CEL)}
}

// writtenAt is where a site's file has the very text of an expression; zero where escapes are in it, or it is a
// constant.
func writtenAt(c *policy.CEL) source.Span {
	if c == nil || c.Offsets != nil || FromLibrary(c.Span) {
		return source.Span{}
	}
	return c.Span
}

// textOf is a CEL text of a document as the expression compiler takes it.
func textOf(c *policy.CEL) celexpr.Source {
	src := celexpr.Source{Span: c.Span, Each: c.Each}
	if c.Offsets != nil {
		src.Text = c.Text
		src.Offsets = make([]int, len(c.Offsets))
		for i, o := range c.Offsets {
			src.Offsets[i] = int(c.Span.Start) + o
		}
	}
	return src
}

// sources names the parameters a number was made from. A constant that was
// written as it is has its own place as its source, unless the library wrote it.
func (b *builder) sources(names []string, s policy.Scalar) []ir.Source {
	var out []ir.Source
	for _, name := range names {
		if p := b.params.by[name]; p != nil {
			out = append(out, ir.Source{Name: name, Value: p.Value, Span: p.Set})
		}
	}
	if len(out) == 0 && s.CEL == nil && !FromLibrary(s.Span) {
		out = append(out, ir.Source{Name: ir.Constant, Value: s.Value, Span: s.Span})
	}
	return out
}

// credentials adds the rows of a document's credential blocks to the tables,
// and their limits and shares to the policy, after what dialects say of these.
func (b *builder) credentials(d *policy.Document, l *lowering) {
	t := l.tables
	b.whole = slices.ContainsFunc(l.site, func(p *policy.Policy) bool { return p.Override })
	b.tree = slices.ContainsFunc(d.Fairshare,
		func(f policy.Fairshare) bool { return slices.Contains(treeModels, f.Name) })
	b.dialect, b.needsOverride = len(b.out.Limits), l.needsOverride
	for _, limit := range d.Limits {
		b.limit(limit, nil)
	}
	for _, c := range d.Credentials {
		for _, l := range c.Limits {
			b.limit(l, &c)
		}
	}
	reads, drawn := b.reads(), families[b.out.Family].tree
	changed := map[source.Span]ir.TableRow{} // priorities of associations, by the place of what they replace
	for _, c := range d.Credentials {
		for _, s := range c.Columns {
			id := schema.ColumnID(c.Object + "." + s.Name)
			r := ir.TableRow{Name: c.Name, Value: retype(id, s.Value), Span: s.Span, Source: c.Word + " " + c.Name +
				" " + s.Name}
			if key := associationOf(&c); s.Name == "priority" && key != "" && drawn {
				if reads[id] { // by a term of the site's own
					t.set(id, r)
				}
				id, r.Name = "association.priority", key
			}
			b.unread(&c, id, r, reads)
			if old := t.row(id, r.Name); old != nil && !b.whole && !c.Override {
				l.needsOverride(s.Span, string(id)+" of "+r.Name, old.Span)
				continue
			} else if old != nil && id == "association.priority" {
				changed[old.Span] = r
			}
			if c.Name == "DEFAULT" {
				t.setOthers(id, r)
			} else {
				t.set(id, r)
			}
		}
		if drawn {
			t.drawn(&c)
		}
	}
	if drawn && len(d.Credentials) > 0 {
		t.inheritPriorities(changed)
	}
}

// retype gives a constant the type of its column: HCL has one kind of number.
func retype(id schema.ColumnID, v schema.Value) schema.Value {
	c := schema.Lookup(id)
	switch {
	case c == nil:
	case c.Type == schema.Double && v.Type == schema.Int:
		return schema.DoubleValue(float64(v.Int))
	case c.Type == schema.Int && v.Type == schema.Double && v.Double == float64(int64(v.Double)):
		return schema.IntValue(int64(v.Double))
	}
	return v
}
