package diag

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/fairway-sched/fairway/lang/source"
)

// WriteText prints each diagnostic with its place, a caret snippet, its notes
// and its fix, for a person at a terminal. Colour uses ANSI escapes.
func WriteText(w io.Writer, list List, colour bool) error {
	p := printer{colour: colour}
	for _, d := range list {
		p.diagnostic(d)
	}
	_, err := io.WriteString(w, p.String())
	return err
}

type printer struct {
	strings.Builder
	colour bool
}

func (p *printer) style(code, text string) string {
	if !p.colour {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (p *printer) diagnostic(d *Diagnostic) {
	where := ""
	if !d.Span.IsZero() {
		where = p.style("1", source.Plain(d.Span.String())) + ": "
	}
	sev := p.style([...]string{"1;31", "1;33", "1;36"}[d.Severity], d.Severity.String())
	fmt.Fprintf(p, "%s%s: %s [%s]\n", where, sev, source.Plain(d.Message), d.Code)
	p.snippet(d.Span)
	for _, n := range d.Notes {
		if n.Span.IsZero() {
			fmt.Fprintf(p, "  note: %s\n", source.Plain(n.Text))
		} else {
			fmt.Fprintf(p, "  note: %s: %s\n", source.Plain(n.Span.String()), source.Plain(n.Text))
		}
	}
	if d.Fix != nil {
		fmt.Fprintf(p, "  fix: %s\n", p.fix(d.Fix))
	}
}

// fix says an edit in words where the new text alone would not be seen.
func (p *printer) fix(f *Fix) string {
	switch {
	case f.NewText == "" || strings.TrimSpace(f.NewText) == "" && strings.TrimSpace(f.Span.Text()) == "":
		return fmt.Sprintf("delete %q", f.Span.Shown())
	case strings.TrimSpace(f.NewText) == "":
		return fmt.Sprintf("write a blank instead of %q", f.Span.Shown())
	}
	return "write " + p.style("32", source.Plain(f.Shown()))
}

func (p *printer) snippet(s source.Span) {
	if s.IsZero() || len(s.File.Text) == 0 {
		return
	}
	pos := s.Position()
	line := s.File.Line(pos.Line)
	if utf8.RuneCountInString(line) > 200 {
		return // a caret under a wrapped line misleads
	}
	shown := s.File.Shown(pos.Line)
	if hidden := prefixLen(line, shown); shown != line &&
		pos.Column-1+utf8.RuneCountInString(firstLine(s.Text())) > hidden {
		return // a caret past what is hidden would be somewhere else
	}
	line = shown
	width := utf8.RuneCount([]byte(firstLine(s.Text())))
	var pad strings.Builder
	for i, r := range []rune(line) {
		if i >= pos.Column-1 {
			break
		}
		if r == '\t' {
			pad.WriteByte('\t')
		} else {
			pad.WriteByte(' ')
		}
	}
	fmt.Fprintf(p, "    %s\n    %s%s\n", source.PlainLines(line), pad.String(),
		p.style("1;31", strings.Repeat("^", max(width, 1))))
}

// prefixLen is how many characters two lines begin with alike.
func prefixLen(a, b string) int {
	x, y := []rune(a), []rune(b)
	for i := range x {
		if i >= len(y) || x[i] != y[i] {
			return i
		}
	}
	return len(x)
}

func firstLine(s string) string {
	if before, _, ok := strings.Cut(s, "\n"); ok {
		return strings.TrimRight(before, "\r")
	}
	return s
}
