package lower

import (
	"cmp"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/celexpr"
	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// holds compiles what keeps jobs from starting: those that hold a job, and those that refuse its entries.
func (b *builder) holds(list []policy.Hold) {
	for _, h := range list {
		out := ir.Hold{Name: h.Name, Doc: h.Doc.Value, Span: h.Span, Phase: h.Phase.Value,
			Setting: b.setting(h.Setting), Rejects: h.Rejects.Value,
			When: b.scalar(h.When, celexpr.WantBool, celexpr.OverrideScope), Reason: cmp.Or(h.Reason.Value, h.Name),
			Library: fromLibrary(h.Span) && !changed(&h)}
		if b.phaseless(&h); out.Phase == "" {
			b.out.Holds = append(b.out.Holds, out)
			continue
		}
		out.Word = b.template(policy.Text{Value: out.Reason, Span: h.Reason.Span})
		out.Text = b.template(h.Text)
		for _, way := range h.Passes {
			out.Passes = append(out.Passes, way.Value)
		}
		b.out.Admission = append(b.out.Admission, out)
	}
}

// changed reports a hold of the library of which the site has written a part.
func changed(h *policy.Hold) bool {
	own := func(span source.Span) bool { return !span.IsZero() && !fromLibrary(span) }
	return own(h.When.Span) || own(h.Reason.Span) || own(h.Phase.Span) || own(h.Setting.Span) || own(h.Text.Span) ||
		own(h.Rejects.Span) || len(h.Passes) > 0 && own(h.Passes[0].Span) || own(h.Doc.Span)
}

// phaseless reports attributes that mean something only where a hold has a phase.
func (b *builder) phaseless(h *policy.Hold) {
	if h.Phase.IsSet() {
		return
	}
	for _, a := range []struct {
		name string
		set  policy.Text
	}{{"setting", h.Setting}, {"text", h.Text}, {"rejects", h.Rejects}} {
		if a.set.IsSet() {
			b.diags.Errorf("hold-without-phase", a.set.Span, "hold %q has %s and no phase", h.Name, a.name).
				Note("write phase = \"queue\" to refuse entries of jobs, or remove %s", a.name)
		}
	}
}

// setting is the column that a hold names.
func (b *builder) setting(t policy.Text) schema.ColumnID {
	id := schema.ColumnID(t.Value)
	c := schema.Lookup(id)
	if !t.IsSet() || c != nil && schema.ObjectByName(id.Object()).Key != "" {
		return id
	}
	d := b.diags.Errorf("hold-setting", t.Span, "%q is no setting of a credential", t.Value)
	if c == nil {
		d.Note("`fairway doc columns` lists the columns of each credential, such as partition.nodes_max")
	} else {
		d.Note("%s is no credential: name what limits the jobs, such as partition.nodes_max", id.Object())
	}
	return ""
}

// template takes the text of a hold apart. {job.nodes} is a value of the job, {{ a brace.
func (b *builder) template(t policy.Text) (out ir.Template) {
	text := strings.TrimSpace(t.Value)
	add := func(plain string) {
		if n := len(out); n > 0 && out[n-1].Expr == nil {
			out[n-1].Text += plain
		} else if plain != "" {
			out = append(out, ir.Part{Text: plain})
		}
	}
	for text != "" {
		plain, rest, opened := strings.Cut(text, "{")
		if add(plain); !opened {
			break
		}
		if text = rest; strings.HasPrefix(rest, "{") {
			add("{")
			text = rest[1:]
			continue
		}
		inner, after, closed := strings.Cut(rest, "}")
		if !closed {
			b.diags.Errorf("hold-text", t.Span, "a { is not closed in %q", t.Value).
				Note("write {job.nodes} for a value of the job, and {{ for a brace")
			return nil
		}
		if e := b.value(inner, t.Span); e != nil {
			out = append(out, ir.Part{Expr: e})
		}
		text = after
	}
	return out
}

// value compiles what stands in braces. A column alone needs no CEL.
func (b *builder) value(text string, span source.Span) *expr.Expr {
	text = strings.TrimSpace(text)
	id := schema.ColumnID(text)
	if c := schema.Lookup(id); c != nil && id.Key() == "" && !schema.Keyed(c.ID.Name()) && c.ID == id {
		return &expr.Expr{Op: expr.Column, Type: c.Type, Column: id, Span: span}
	}
	src := celexpr.Source{Span: span, Text: text, Offsets: make([]int, len(text)+1), Scope: celexpr.OverrideScope}
	start := int(span.Start)
	if at := strings.Index(span.Text(), text); at >= 0 {
		start += at
	}
	for i := range src.Offsets {
		src.Offsets[i] = min(start+i, int(span.End))
	}
	compiled, list := b.env.Compile(src, celexpr.WantValue)
	*b.diags = append(*b.diags, list...)
	if compiled == nil {
		return nil
	}
	for _, name := range compiled.Defines {
		b.readDefines[name] = true
	}
	return compiled.Expr
}
