package program

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// String is the golden form of a program: what the policy's parts are called and
// which register holds them, then an instruction a line, as in
//
//	r7:f64@row#2 = add_double r3 r4   ; site.hcl:12:9
//
// where #2 is the buffer that the register shares with others.
func (p *Program) String() string {
	var b strings.Builder
	p.printHeader(&b)
	for i := range p.Components {
		if !p.Fused { // there they are names without registers
			p.printComponent(&b, &p.Components[i])
		}
	}
	fmt.Fprintf(&b, "score = %s\n", p.Score)
	for _, o := range p.Overrides {
		fmt.Fprintf(&b, "override %s when %s\n", o.Name, o.When)
	}
	fmt.Fprintf(&b, "priority = %s", p.Priority)
	if p.Rounding != "" {
		fmt.Fprintf(&b, " rounded %s", p.Rounding)
	}
	b.WriteByte('\n')
	for _, h := range p.Holds {
		fmt.Fprintf(&b, "hold %s when %s reason %q\n", h.Name, h.When, h.Reason)
	}
	for i := range p.Admission {
		a := &p.Admission[i]
		fmt.Fprintf(&b, "hold %s %s when %s\n", a.Name, &a.Entry, a.When)
	}
	for i := range p.Limits {
		b.WriteString(p.Limits[i].String())
		b.WriteByte('\n')
	}
	if p.Windows != nil {
		p.Windows.print(&b)
	}
	if p.Tree != nil {
		p.Tree.print(&b)
	}
	for i := range p.Usage {
		b.WriteString(p.Usage[i].String() + "\n")
	}
	if p.Queue != nil {
		b.WriteString(p.Queue.String())
		b.WriteByte('\n')
	}
	if p.Slurm != nil {
		b.WriteString(p.Slurm.String())
		b.WriteByte('\n')
	}
	if p.Plan != nil {
		p.Plan.print(&b, p.Family)
	}
	for _, s := range p.Settings {
		others := "others from the snapshot"
		if s.Others != nil {
			others = "others " + s.Others.Value.String()
		}
		fmt.Fprintf(&b, "setting %s: %d rows, %s\n", s.Column, len(s.Rows), others)
	}
	b.WriteByte('\n')
	for i := range p.Instrs {
		p.printInstr(&b, &p.Instrs[i])
	}
	return source.MaskQuoted(b.String())
}

func (p *Program) printHeader(b *strings.Builder) {
	fmt.Fprintf(b, "program %q", p.Policy)
	for _, part := range []struct{ name, value string }{
		{"family", p.Family}, {"version", p.Version}, {"semantics", p.Semantics},
		{"documented", strings.Join(p.Deviations, ",")}, {"without", strings.Join(p.Without, ",")},
		{"params", given(p.Params)},
	} {
		if part.value != "" {
			fmt.Fprintf(b, " %s=%s", part.name, part.value)
		}
	}
	if p.Fused {
		b.WriteString(" fused")
	}
	b.WriteByte('\n')
}

func (w *Windows) print(b *strings.Builder) {
	ratio := ""
	if w.Ratio {
		ratio = " ratio"
	}
	fmt.Fprintf(b, "windows of %s%s: %d of %d s, decay %v\n", w.Usage, ratio, w.Depth, w.IntervalSeconds, w.Decay)
	for _, t := range w.Targets {
		others := ""
		if t.Others {
			others = " and others"
		}
		fmt.Fprintf(b, "  %s %s%s: %s %v\n", t.Object, t.Name, others, t.Kind, t.Value)
	}
}

func given(params []Given) string {
	texts := make([]string, len(params))
	for i, p := range params {
		texts[i] = p.Name + "=" + strconv.Quote(p.Value)
	}
	return strings.Join(texts, ",")
}

func (p *Program) printComponent(b *strings.Builder, c *Component) {
	fmt.Fprintf(b, "component %s = %s: weight %s%s, sum %s\n", c.Name, c.Value, c.Weight.Reg, capped(c.Cap), c.Sum)
	for _, t := range c.Terms {
		fmt.Fprintf(b, "  term %s = %s: weight %s%s, factor %s",
			t.Name, t.Value, t.Weight.Reg, capped(t.Cap), t.Factor.Reg)
		for _, d := range t.Defines {
			fmt.Fprintf(b, ", define %s %s", d.Name, d.Reg)
		}
		b.WriteByte('\n')
	}
}

func capped(n Number) string {
	if n.Reg == NoReg {
		return ""
	}
	return ", cap " + n.Reg.String()
}

func (p *Program) printInstr(b *strings.Builder, in *Instr) {
	start := b.Len()
	r := p.Regs[in.Dst]
	fmt.Fprintf(b, "%s:%s@%s", in.Dst, shortType(r.Type), r.Shape)
	if r.Buffer > 0 {
		fmt.Fprintf(b, "#%d", r.Buffer)
	}
	b.WriteString(" = " + in.Op)
	switch in.Op {
	case OpConst:
		b.WriteString(" " + in.Value.String())
	case OpColumn, OpPresent:
		b.WriteString(" " + string(in.Column))
	case OpCall:
		fmt.Fprintf(b, " {%s}", strings.Join(strings.Fields(p.Calls[in.Call].Text), " "))
	}
	for _, a := range in.Args {
		b.WriteString(" " + a.String())
	}
	if place := in.Span.String(); place != "" {
		fmt.Fprintf(b, "%s; %s", strings.Repeat(" ", max(3, 44-(b.Len()-start))), place)
	}
	b.WriteByte('\n')
}

// String is a limit on one line, as in
//
//	limit MAXJOB user[DEFAULT] others: jobs active per user, soft 2, hard 4
func (l *Limit) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "limit %s %s[%s]", l.Name, l.Object, l.Row)
	for _, f := range []struct {
		name string
		set  bool
	}{{"others", l.Others}, {"override", l.Override}, {"existing", l.Existing}, {"at-least", l.AtLeast}} {
		if f.set {
			b.WriteString(" " + f.name)
		}
	}
	fmt.Fprintf(&b, ": %s %s", l.Counts, l.Phase)
	for _, f := range []struct {
		name string
		list []string
	}{{"per", l.Per}, {"of", l.Cross}, {"reach", l.Reach}} {
		if f.list != nil {
			fmt.Fprintf(&b, " %s %s", f.name, strings.Join(f.list, ","))
		}
	}
	fmt.Fprintf(&b, ", soft %s, hard %s", bound(l.Soft), bound(l.Hard))
	if l.When != NoReg {
		fmt.Fprintf(&b, ", when %s", l.When)
	}
	if l.Reason != "" {
		fmt.Fprintf(&b, ", reason %q", l.Reason)
	}
	return b.String()
}

func bound(n int64) string {
	if n == NoLimit {
		return "none"
	}
	return strconv.FormatInt(n, 10)
}

// String is r7, or - for none.
func (r Reg) String() string {
	if r == NoReg {
		return "-"
	}
	return "r" + strconv.Itoa(int(r))
}

// String is once, dict(job.user) or row.
func (s Shape) String() string {
	switch s.Level {
	case Once:
		return "once"
	case Dict:
		return "dict(" + string(s.Key) + ")"
	}
	return "row"
}

func shortType(t schema.Type) string {
	switch t {
	case schema.Double:
		return "f64"
	case schema.Int:
		return "i64"
	case schema.StringList:
		return "strings"
	}
	return t.String()
}

// String is all but the condition.
func (e *Entry) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "at %s reason %q", e.Phase, e.Word)
	for _, f := range []struct{ name, text string }{
		{"setting", string(e.Setting)}, {"text", e.Text.String()}, {"rejects", e.Rejects},
	} {
		if f.text != "" {
			fmt.Fprintf(&b, " %s %q", f.name, f.text)
		}
	}
	for _, way := range e.Passes {
		fmt.Fprintf(&b, " passes %q", way)
	}
	return b.String()
}

// String is the template with columns and expressions in braces.
func (t Template) String() string {
	var b strings.Builder
	for i := range t {
		switch p := &t[i]; {
		case p.Column != "":
			b.WriteString("{" + string(p.Column) + "}")
		case p.Fn != nil:
			b.WriteString("{" + strings.Join(strings.Fields(p.Text), " ") + "}")
		default:
			b.WriteString(strings.ReplaceAll(p.Text, "{", "{{"))
		}
	}
	return b.String()
}
