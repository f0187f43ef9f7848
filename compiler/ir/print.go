package ir

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/source"
)

// String is the golden form of a policy: what `--dump=lower` prints. Parameters
// the site did not set and the library's defines are left out.
func (p *Policy) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "policy %q family=%s version=%s semantics=%s", p.Name, p.Family, p.Version, p.Semantics)
	if len(p.Without) > 0 {
		fmt.Fprintf(&b, " without=%s", strings.Join(p.Without, ","))
	}
	b.WriteByte('\n')
	for _, d := range p.Deviations {
		if d.Documented {
			fmt.Fprintf(&b, "deviation %s documented\n", d.Name)
		}
	}
	for _, v := range p.Params {
		if !v.Set.IsZero() {
			value := v.Value.String()
			if source.Secret(v.Name) {
				value = source.Hidden
			}
			fmt.Fprintf(&b, "param %s = %s%s\n", v.Name, value, at(v.Set))
		}
	}
	for _, t := range p.Tables {
		fmt.Fprintf(&b, "table %s\n", t.Column)
		for _, r := range t.Rows {
			fmt.Fprintf(&b, "  %s = %s%s\n", r.Name, r.Value.String(), at(r.Span))
		}
		if t.Others != nil {
			fmt.Fprintf(&b, "  * = %s%s\n", t.Others.Value.String(), at(t.Others.Span))
		}
	}
	for _, d := range p.Defines {
		if !d.Span.IsZero() {
			fmt.Fprintf(&b, "define %s = %s%s\n", d.Name, d.Value, at(d.Span))
		}
	}
	for _, c := range p.Components {
		fmt.Fprintf(&b, "component %s weight=%s cap=%s\n", c.Name, c.Weight, c.Cap)
		for _, t := range c.Terms {
			fmt.Fprintf(&b, "  term %s weight=%s cap=%s\n    factor %s\n", t.Name, t.Weight, t.Cap, t.Factor)
		}
	}
	fmt.Fprintf(&b, "finish floor=%s ceiling=%s rounding=%s\n", p.Finish.Floor, p.Finish.Ceiling, p.Finish.Rounding)
	for _, o := range p.Finish.Overrides {
		fmt.Fprintf(&b, "  override %s when %s value %s\n", o.Name, o.When, o.Value)
	}
	p.printHolds(&b)
	for i := range p.Fairshare {
		f := &p.Fairshare[i]
		if f.untouched() {
			continue
		}
		fmt.Fprintf(&b, "fairshare %s%s\n", f.Model, settings(f.Settings))
		for _, t := range f.Targets {
			fmt.Fprintf(&b, "  %s %s %s %g%s\n", t.Object, t.Name, t.Kind, t.Value, at(t.Span))
		}
		f.printTree(&b)
	}
	for i := range p.Usage {
		fmt.Fprintf(&b, "%s%s\n", &p.Usage[i], at(p.Usage[i].Span))
	}
	for _, l := range p.Limits {
		fmt.Fprintf(&b, "limit %s %s[%s] counts=%s per=%s phase=%s soft=%s hard=%s%s%s\n",
			l.Name, l.Object, l.Row, l.Counts, strings.Join(l.Per, ","), l.Phase, number(l.Soft), number(l.Hard),
			l.flags(), at(l.Span))
	}
	for _, o := range p.Options {
		if o.IsSet() {
			fmt.Fprintf(&b, "option %s = %s%s\n", o.Name, o.Value, at(o.Set))
		}
	}
	if len(p.Backfill) > 0 {
		fmt.Fprintf(&b, "backfill%s\n", settings(p.Backfill))
	}
	for i := range p.Reservations {
		b.WriteString(p.Reservations[i].String() + "\n")
	}
	return source.MaskQuoted(b.String())
}

func (p *Policy) printHolds(b *strings.Builder) {
	for _, h := range p.Holds {
		fmt.Fprintf(b, "hold %s when %s reason %q\n", h.Name, h.When, h.Reason)
	}
	for i := range p.Admission {
		if h := &p.Admission[i]; !h.Entry.Library {
			fmt.Fprintf(b, "hold %s %s when %s\n", h.Name, &h.Entry, h.When)
		}
	}
}

// printTree prints what trees have besides settings.
func (f *Fairshare) printTree(b *strings.Builder) {
	for _, x := range f.Billing {
		fmt.Fprintf(b, "  billing %s", cmp.Or(x.Partition, "of all others"))
		for _, w := range x.Weights {
			fmt.Fprintf(b, " %s=%g", w.Name, w.Value)
		}
		b.WriteString(at(x.Span) + "\n")
	}
	for _, a := range f.Associations {
		shares, above := fmt.Sprint(a.Shares), ""
		if a.UsesParent() {
			shares = "parent"
		}
		if a.Parent != "" {
			above = " under " + a.Parent
		}
		fmt.Fprintf(b, "  association %s%s shares=%s%s\n", a.Key(), above, shares, at(a.Span))
	}
}

// untouched reports windows that are off and without any setting: every Maui
// policy has them.
func (f *Fairshare) untouched() bool {
	if f.Model != "windows" || len(f.Targets) > 0 || !f.Span.IsZero() {
		return false
	}
	return !slices.ContainsFunc(f.Settings, func(s Setting) bool { return !s.Span.IsZero() })
}

// String prints the expression of a scalar, or "-".
func (s Scalar) String() string { return s.Expr.String() }

func settings(list []Setting) string {
	var b strings.Builder
	for _, s := range list {
		fmt.Fprintf(&b, " %s=%s", s.Name, s.Value.String())
	}
	return b.String()
}

// flags are the rarer properties of a limit, where it has them.
func (l *Limit) flags() string {
	var b strings.Builder
	for _, f := range []struct {
		name string
		set  bool
	}{{"others", l.Others}, {"at-least", l.AtLeast}, {"override", l.Override}, {"existing", l.Existing}} {
		if f.set {
			b.WriteString(" " + f.name)
		}
	}
	for _, f := range []struct{ name, value string }{
		{"cross", strings.Join(l.Cross, ",")}, {"reach", strings.Join(l.Reach, ",")}, {"reason", l.Reason},
	} {
		if f.value != "" {
			fmt.Fprintf(&b, " %s=%s", f.name, f.value)
		}
	}
	if l.When.IsSet() {
		fmt.Fprintf(&b, " when %s", l.When)
	}
	return b.String()
}

func number(f *float64) string {
	if f == nil {
		return "-"
	}
	return fmt.Sprint(*f)
}

func at(s source.Span) string {
	if s.IsZero() {
		return ""
	}
	return "   ; " + s.String()
}
