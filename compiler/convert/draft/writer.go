// Package draft is what the files of a scheduler are going to say, and what of the policy that covers.
//
// In: the parsed files of a policy, and what the writers of maui.cfg and slurm.conf put into it. Out: the text
// of the files, which are read again, and an account of what is translated, approximated, or left.
package draft

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// Writer writes a policy for a scheduler, or in HCL.
type Writer struct {
	Policy *ir.Policy
	params map[string]*ir.Param
	Diags  *diag.List

	From     scheduler       // whose policy it is
	Use      string          // the family to write for
	To       scheduler       // which is this one
	Asked    string          // the version of Slurm to write for, "" if none is named
	Version  bool            // the policy states one
	dumpsQOS bool            // the site's own dump has lines of QOS
	Bare     bool            // no record of the policy's own is the scheduler's, and those written are placeholders
	File     bool            // a file of the scheduler's own is among those to convert
	Made     map[string]bool // records for what is no part of the policy, such as NodeName=n[1-16]
	Same     map[string]bool // settings that stand for each other, so that no difference between them matters
	Members  []Member        // of a queue, who get a place among the accounts
	Became   map[Said]bool   // limits in the policy's own words that are written as the scheduler's

	page
	gathered
	translation
}

// Member is a user of a queue in an account, "" for none, with how many jobs.
type Member struct {
	Account, User string
	Jobs          int
}

// page is how the text looks: a header, then what was gathered, with the comments of the files.
type page struct {
	Intro   string
	Heads   []string
	Remarks remarks
	Blocks  bool // records are blocks of the language's own where it has them
	bare    bool // without comments
	quoted  bool // every value is text, as the scheduler's file has it
}

// translation keeps account of what one scheduler's policy becomes for another.
type translation struct {
	Effects    *Effects
	Library    *ir.Policy             // what the policy uses of the library; nil for one from scratch
	Overridden map[string]bool        // parameters that say what a block overrides
	Taken      map[source.Span]bool   // what it says, or names
	Collided   map[source.Span]bool   // what has no place, as something else has it
	Missed     []Unsaid               // rows that are not expressed, though others at the same place of the file are
	Reasons    map[source.Span]string // why something is left
	Spelt      map[source.Span]string // parameters that the file has by another name than the library
	Scale      float64                // of all weights
	Own        map[string]Part        // of a policy from scratch: the parts of a formula that it has
}

// Said is a thing of the policy: for_each makes several of one place.
type Said struct {
	At   source.Span
	Name string
}

// Text writes it all. format gives the lines within so many blocks their spaces: many records have the same.
func (w *Writer) Text(format func(depth int, lines string) string) string {
	b, head := &strings.Builder{}, &strings.Builder{}
	w.Remarks.written = nil
	for _, h := range w.Heads {
		head.WriteString("  " + h + "\n")
	}
	if len(w.Set) > 0 {
		head.WriteString("\n  params = {\n")
		for _, s := range w.Set {
			w.setting(head, s, w.params[s.Name], 0)
		}
		head.WriteString("  }\n")
	}
	b.WriteString(w.Intro + "policy " + Quote(w.Policy.Name) + " {\n" + format(1, head.String()))
	var first map[*Record]*block
	var taken map[*Record]bool
	if w.Blocks {
		first, taken = w.blocks()
	}
	for i := range w.Records {
		switch r := &w.Records[i]; {
		case first[r] != nil:
			b.WriteString("\n")
			w.block(b, first[r], 1, format)
		case !taken[r]:
			b.WriteString("\n")
			w.record(b, r, format)
		}
	}
	for i, text := range w.Remarks.rest() {
		if i == 0 {
			b.WriteString("\n")
		}
		b.WriteString("  " + text + "\n")
	}
	b.WriteString("}\n")
	return b.String()
}

// Unformatted leaves the spaces as they are.
func Unformatted(_ int, lines string) string { return lines }

func (w *Writer) record(b *strings.Builder, r *Record, format func(depth int, lines string) string) {
	lines := &strings.Builder{}
	w.above(lines, r.Span)
	if lines.Len() > 0 {
		b.WriteString(format(1, lines.String()))
		lines.Reset()
	}
	w.isText(r.Kind, r.Name, r.Span)
	b.WriteString("  record " + Quote(r.Kind))
	if r.Name != "" {
		b.WriteString(" " + Quote(r.Name))
	}
	switch {
	case r.Value != nil:
		b.WriteString(" {\n")
		lines.WriteString("value = " + w.literal(*r.Value, nil) + w.comment(r.Value.Span, 0) + "\n")
	case len(r.Settings) > 0:
		b.WriteString(" {" + w.comment(r.Span, 0) + "\n")
		lines.WriteString("settings = {\n")
		line := r.Span.Position().Line
		for _, s := range r.Settings {
			w.setting(lines, s, nil, line)
		}
		lines.WriteString("}\n")
	default:
		b.WriteString(" {}" + w.comment(r.Span, 0) + "\n")
		return
	}
	b.WriteString(format(2, lines.String()) + "  }\n")
}

// setting writes one entry of a map; its place too unless that is the line of its record.
func (w *Writer) setting(b *strings.Builder, s Setting, p *ir.Param, line int) {
	w.above(b, s.Span)
	key := s.Name
	if !isWord(key) {
		key = Quote(key)
	}
	fmt.Fprintf(b, "    %s = %s%s\n", key, w.literal(s, p), w.comment(s.Span, line))
}

func (p *page) above(b *strings.Builder, s source.Span) {
	if p.bare {
		return
	}
	for _, text := range p.Remarks.above(s) {
		b.WriteString(text + "\n")
	}
}

// isText refuses what HCL cannot hold.
func (w *Writer) isText(name, text string, span source.Span) {
	if !utf8.ValidString(name + text) {
		w.Diags.Errorf("convert-not-text", span, "%s has bytes that are no UTF-8 text", strings.ToValidUTF8(name, "?")).
			Note("HCL is text in UTF-8; write it so")
	}
}

func (w *Writer) literal(s Setting, p *ir.Param) string {
	w.isText(s.Name, s.Text, s.Span)
	if !w.quoted && number(s.Text, p) {
		return s.Text
	}
	return Quote(s.Text)
}

// comment names the line that a setting comes from, with the comment there; nothing for a line that is named
// already.
func (p *page) comment(s source.Span, named int) string {
	if s.IsZero() || p.bare {
		return ""
	}
	text := fmt.Sprintf("%s:%d", OneLine(s.File.Name), s.Position().Line)
	if remark := p.Remarks.behind(s); remark != "" {
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

// Quote writes a string of HCL, in which ${ and %{ would begin a template.
func Quote(text string) string {
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
