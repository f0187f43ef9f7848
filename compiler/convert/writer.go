package convert

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// writer writes a policy for a scheduler, or in HCL.
type writer struct {
	policy *ir.Policy
	params map[string]*ir.Param
	diags  *diag.List

	from     scheduler       // whose policy it is
	use      string          // the family to write for
	to       scheduler       // which is this one
	asked    string          // the version of Slurm to write for, "" if nobody names one
	version  bool            // the policy states one
	dumpsQOS bool            // the site's own dump has lines of QOS
	bare     bool            // no record of the policy's own is the scheduler's, and those written are placeholders
	file     bool            // a file of the scheduler's own is among those to convert
	made     map[string]bool // records for what is no part of the policy, such as NodeName=n[1-16]
	same     map[string]bool // settings that stand for each other, so that no difference between them matters
	became   map[said]bool   // limits in the policy's own words that are written as the scheduler's

	page
	gathered
	translation
}

// page is how the text looks: a header, then what was gathered, with the comments of the files.
type page struct {
	intro   string
	heads   []string
	remarks remarks
	bare    bool // without comments
	quoted  bool // every value is text, as the scheduler's file has it
}

// translation keeps account of what one scheduler's policy becomes for another.
type translation struct {
	effects    *effects
	library    *ir.Policy             // what the policy uses of the library; nil for one from scratch
	overridden map[string]bool        // parameters that say what a block overrides
	taken      map[source.Span]bool   // what it says, or names
	collided   map[source.Span]bool   // what has no place, as something else stands there
	missed     []unsaid               // rows that are not said, though others at the same place of the file are
	reasons    map[source.Span]string // why something is left
	spelt      map[source.Span]string // parameters that the file has by another name than the library
	scale      float64                // of all weights
	own        map[string]part        // of a policy from scratch: the parts of a formula that it has
}

// said is a thing of the policy: for_each makes several of one place.
type said struct {
	at   source.Span
	name string
}

// text writes it all; the spaces are Format's business.
func (w *writer) text() string {
	b := &strings.Builder{}
	b.WriteString(w.intro)
	fmt.Fprintf(b, "policy %s {\n", quote(w.policy.Name))
	for _, h := range w.heads {
		b.WriteString("  " + h + "\n")
	}
	if len(w.set) > 0 {
		b.WriteString("\n  params = {\n")
		for _, s := range w.set {
			w.setting(b, s, w.params[s.name], 0)
		}
		b.WriteString("  }\n")
	}
	for i := range w.records {
		b.WriteString("\n")
		w.record(b, &w.records[i])
	}
	for i, text := range w.remarks.rest() {
		if i == 0 {
			b.WriteString("\n")
		}
		b.WriteString("  " + text + "\n")
	}
	b.WriteString("}\n")
	return b.String()
}

func (w *writer) record(b *strings.Builder, r *record) {
	w.above(b, r.span)
	w.isText(r.kind, r.name, r.span)
	b.WriteString("  record " + quote(r.kind))
	if r.name != "" {
		b.WriteString(" " + quote(r.name))
	}
	switch {
	case r.value != nil:
		b.WriteString(" {\n value = " + w.literal(*r.value, nil) + w.comment(r.value.span, 0) + "\n")
	case len(r.settings) > 0:
		b.WriteString(" {" + w.comment(r.span, 0) + "\n  settings = {\n")
		for _, s := range r.settings {
			w.setting(b, s, nil, r.span.Position().Line)
		}
		b.WriteString("  }\n")
	default:
		b.WriteString(" {}" + w.comment(r.span, 0) + "\n")
		return
	}
	b.WriteString("  }\n")
}

// setting writes one entry of a map; its place too unless that is the line of its record.
func (w *writer) setting(b *strings.Builder, s setting, p *ir.Param, line int) {
	w.above(b, s.span)
	key := s.name
	if !isWord(key) {
		key = quote(key)
	}
	fmt.Fprintf(b, "    %s = %s%s\n", key, w.literal(s, p), w.comment(s.span, line))
}

func (p *page) above(b *strings.Builder, s source.Span) {
	if p.bare {
		return
	}
	for _, text := range p.remarks.above(s) {
		b.WriteString(text + "\n")
	}
}

// isText refuses what HCL cannot hold.
func (w *writer) isText(name, text string, span source.Span) {
	if !utf8.ValidString(name + text) {
		w.diags.Errorf("convert-not-text", span, "%s has bytes that are no UTF-8 text", strings.ToValidUTF8(name, "?")).
			Note("HCL is text in UTF-8; write it so")
	}
}

func (w *writer) literal(s setting, p *ir.Param) string {
	w.isText(s.name, s.text, s.span)
	if !w.quoted && number(s.text, p) {
		return s.text
	}
	return quote(s.text)
}

// comment names the line that a setting comes from, with the comment there; nothing for a line that is named
// already.
func (p *page) comment(s source.Span, named int) string {
	if s.IsZero() || p.bare {
		return ""
	}
	text := fmt.Sprintf("%s:%d", oneLine(s.File.Name), s.Position().Line)
	if remark := p.remarks.behind(s); remark != "" {
		return " # " + text + ": " + remark
	}
	if s.Position().Line == named {
		return ""
	}
	return " # " + text
}

// isWord reports a key that needs no quotes.
func isWord(key string) bool {
	for i, r := range key {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	switch key {
	case "", "for", "true", "false", "null", "if", "else", "in":
		return false
	}
	return true
}

// quote writes a string of HCL, in which ${ and %{ would begin a template.
func quote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case !source.Shown(r) && r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		case !source.Shown(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		case (r == '$' || r == '%') && strings.HasPrefix(text[i+1:], "{"):
			b.WriteRune(r)
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
