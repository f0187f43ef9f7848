package policy

import (
	"fmt"
	"sort"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// dump prints a document as goldens show it: each value with line and column,
// and the file when there are several.
type dumper struct {
	strings.Builder
	depth int
	files bool
}

func (d *dumper) line(format string, args ...any) {
	d.WriteString(strings.Repeat("  ", d.depth))
	fmt.Fprintf(d, format, args...)
	d.WriteByte('\n')
}

func (d *dumper) at(s source.Span) string {
	if s.IsZero() {
		return "nowhere"
	}
	if d.files {
		return s.String()
	}
	p := s.Position()
	return fmt.Sprintf("%d:%d", p.Line, p.Column)
}

func (d *dumper) text(name string, t Text) {
	if t.IsSet() {
		d.line("%s %q @%s", name, t.Value, d.at(t.Span))
	}
}

func (d *dumper) texts(name string, list []Text) {
	for _, t := range list {
		d.text(name, t)
	}
}

func (d *dumper) scalar(name string, s Scalar) {
	if !s.IsSet() {
		return
	}
	if s.CEL == nil {
		from := ""
		if len(s.Params) > 0 {
			from = " from " + strings.Join(s.Params, ",")
		}
		d.line("%s %s @%s%s", name, s.Value.String(), d.at(s.Span), from)
		return
	}
	d.line("%s cel %q @%s", name, s.CEL.Text, d.at(s.Span))
	d.depth++
	if s.CEL.Offsets != nil {
		d.line("offsets %v", s.CEL.Offsets)
	}
	d.values(s.CEL.Each)
	if len(s.CEL.EachParams) > 0 {
		d.line("each from %v", s.CEL.EachParams)
	}
	d.depth--
}

func (d *dumper) values(m map[string]schema.Value) {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		d.line("each.%s %s", k, m[k].String())
	}
}

func (d *dumper) settings(prefix string, list []Setting) {
	for _, s := range list {
		d.scalar(strings.TrimSpace(prefix+" "+s.Name)+unitSuffix(s.Unit), s.Scalar)
	}
}

func unitSuffix(u schema.Unit) string {
	if u == schema.None {
		return ""
	}
	return " [" + string(u) + "]"
}

func (d *dumper) open(kind string, b Block) {
	label := ""
	if b.Label != b.Name {
		label = fmt.Sprintf(" (label %q)", b.Label)
	}
	d.line("%s %q%s @%s", kind, b.Name, label, d.at(b.Span))
	d.depth++
	d.text("doc", b.Doc)
}

func (d *dumper) limit(l Limit) {
	d.open("limit", l.Block)
	d.scalar("soft", l.Soft)
	d.scalar("hard", l.Hard)
	d.text("count", l.Count)
	d.texts("per", l.Per)
	d.text("phase", l.Phase)
	d.scalar("when", l.When)
	d.text("reason", l.Reason)
	d.depth--
}

func dumpDocument(doc *Document, files bool) string {
	d := &dumper{files: files}
	d.text("policy", doc.Name)
	d.text("use", doc.Use)
	d.text("version", doc.Version)
	d.text("semantics", doc.Semantics)
	d.text("doc", doc.Doc)
	d.texts("deviation", doc.Deviations)
	for _, p := range doc.Params {
		d.line("set %s = %s (raw %q) @%s", p.Name.Value, p.Value.String(), p.Raw, d.at(p.Span))
	}
	for _, p := range doc.ParamDecls {
		d.open("param", p.Block)
		d.line("type %s unit %q default %s min %s max %s", p.Type, p.Unit, p.Default.String(), p.Min.String(), p.Max.String())
		if len(p.Enum)+len(p.Aliases) > 0 {
			d.line("enum %q aliases %q", p.Enum, p.Aliases)
		}
		d.text("since", p.Since)
		d.text("until", p.Until)
		d.text("deviations", p.Deviations)
		d.depth--
	}
	for _, v := range doc.DeviationDecls {
		d.open("deviation", v.Block)
		d.text("number", v.Number)
		d.text("observed", v.Observed)
		d.text("documented", v.Documented)
		d.text("changes", v.Changes)
		d.depth--
	}
	for _, c := range doc.Credentials {
		d.open(c.Object, c.Block)
		if c.Parent != "" {
			d.line("parent %q", c.Parent)
		}
		d.settings("", c.Columns)
		d.settings("share", c.Shares)
		for _, l := range c.Limits {
			d.limit(l)
		}
		d.depth--
	}
	for _, x := range doc.Defines {
		d.open("define", x.Block)
		d.scalar("value", x.Value)
		d.depth--
	}
	for _, c := range doc.Components {
		d.open("component", c.Block)
		d.scalar("weight", c.Weight)
		d.scalar("cap", c.Cap)
		for _, t := range c.Terms {
			d.open("term", t.Block)
			d.scalar("weight", t.Weight)
			d.scalar("cap", t.Cap)
			d.scalar("factor", t.Factor)
			d.depth--
		}
		d.depth--
	}
	if !doc.Finish.Span.IsZero() {
		d.line("finish @%s", d.at(doc.Finish.Span))
		d.depth++
		d.scalar("floor", doc.Finish.Floor)
		d.scalar("ceiling", doc.Finish.Ceiling)
		d.text("rounding", doc.Finish.Rounding)
		for _, o := range doc.Finish.Overrides {
			d.open("override", o.Block)
			d.scalar("when", o.When)
			d.scalar("value", o.Value)
			d.depth--
		}
		d.depth--
	}
	for _, u := range doc.Usage {
		d.open("usage", u.Block)
		d.line("at %s", u.At.String())
		d.scalar("total", u.Total)
		for _, x := range u.Used {
			d.scalar("used "+x.Object+" "+x.Name, x.Scalar)
		}
		d.depth--
	}
	for _, r := range doc.Reservations {
		d.open("reservation", r.Block)
		d.settings("", r.Settings)
		d.depth--
	}
	for _, h := range doc.Holds {
		d.open("hold", h.Block)
		d.scalar("when", h.When)
		d.text("reason", h.Reason)
		d.depth--
	}
	for _, f := range doc.Fairshare {
		d.open("fairshare", f.Block)
		d.settings("", f.Settings)
		d.depth--
	}
	for _, l := range doc.Limits {
		d.limit(l)
	}
	if len(doc.Backfill) > 0 {
		d.line("backfill")
		d.depth++
		d.settings("", doc.Backfill)
		d.depth--
	}
	return d.String()
}
