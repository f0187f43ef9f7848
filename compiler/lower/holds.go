package lower

import (
	"cmp"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/celexpr"
	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/program"
)

// holds compiles what keeps jobs from starting: those that hold a job, and those that refuse its entries.
func (b *builder) holds(list []policy.Hold) {
	for i := range list {
		h := &list[i]
		out := ir.Hold{Name: h.Name, Doc: h.Doc.Value, Span: h.Span, Reason: cmp.Or(h.Reason.Value, h.Name),
			When: b.scalar(h.When, celexpr.WantBool, celexpr.OverrideScope)}
		if b.phaseless(h); !h.Phase.IsSet() {
			b.out.Holds = append(b.out.Holds, out)
			continue
		}
		out.Entry = program.Entry{Phase: program.Phase(h.Phase.Value), Setting: b.setting(h.Setting),
			Word: b.template(policy.Text{Value: out.Reason, Span: h.Reason.Span}), Text: b.template(h.Text),
			Rejects: h.Rejects.Value, Library: FromLibrary(h.Span) && !changed(h)}
		for _, way := range h.Passes {
			out.Entry.Passes = append(out.Entry.Passes, way.Value)
		}
		b.out.Admission = append(b.out.Admission, out)
	}
}

// changed reports a hold of the library that the site has written in part.
func changed(h *policy.Hold) bool {
	own := func(span source.Span) bool { return !span.IsZero() && !FromLibrary(span) }
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
func (b *builder) template(t policy.Text) (out program.Template) {
	plain := ""
	for rest := strings.TrimSpace(t.Value); rest != ""; {
		before, after, opened := strings.Cut(rest, "{")
		if plain += before; !opened {
			break
		}
		if rest = after; strings.HasPrefix(rest, "{") {
			plain, rest = plain+"{", rest[1:]
			continue
		}
		inner, after, closed := strings.Cut(rest, "}")
		if !closed {
			b.diags.Errorf("hold-text", t.Span, "a { is not closed in %q", t.Value).
				Note("write {job.nodes} for a value of the job, and {{ for a brace")
			return nil
		}
		if plain != "" {
			out = append(out, program.Part{Text: plain})
		}
		out = append(out, b.value(strings.TrimSpace(inner), t.Span))
		plain, rest = "", after
	}
	if plain != "" {
		out = append(out, program.Part{Text: plain})
	}
	return out
}

// value compiles what is in braces. A column alone needs no CEL.
func (b *builder) value(text string, span source.Span) program.Part {
	id := schema.ColumnID(text)
	if c := schema.Lookup(id); c != nil && c.ID == id && !schema.Keyed(id.Name()) {
		return program.Part{Column: id}
	}
	src := celexpr.Source{Span: span, Text: text, Offsets: make([]int, len(text)+1), Scope: celexpr.OverrideScope}
	start := int(span.Start) + max(0, strings.Index(span.Text(), text))
	for i := range src.Offsets {
		src.Offsets[i] = min(start+i, int(span.End))
	}
	compiled, list := b.env.Compile(src, celexpr.WantValue)
	*b.diags = append(*b.diags, list...)
	if compiled == nil {
		return program.Part{}
	}
	for _, name := range compiled.Defines {
		b.readDefines[name] = true
	}
	return program.Part{Text: compiled.Expr.Text, Fn: compiled.Expr.Fn, Args: compiled.Expr.Columns()}
}
