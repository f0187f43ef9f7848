package slurmconf

import (
	"errors"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/lang/source"
)

// places finds parts of a value in the file, so that the caret is below the
// very word. A value may be quoted, have escapes in it and run over several
// lines; the text before it plays no part in how it is read, so the logical line
// is read once more from there.
type places struct {
	span     source.Span
	line     *logicalLine // nil while the value is in the file as it is
	first    int          // 1 after an opening quote
	verbatim bool
}

func placesIn(text string, span source.Span) *places {
	p := &places{span: span}
	switch raw := span.Text(); {
	case raw == text:
		p.verbatim = true
	case raw == `"`+text+`"`:
		p.verbatim, p.first = true, 1
	case span.File != nil:
		line := nextLogicalLine(span.File.Text, int(span.Start))
		p.line = &line
		if len(p.line.text) > 0 && p.line.text[0] == '"' && (text == "" || text[0] != '"') {
			p.first = 1
		}
	}
	return p
}

// at is the place of text[start:end].
func (p *places) at(start, end int) source.Span {
	switch {
	case p.verbatim:
		return p.span.Sub(p.first+start, p.first+end)
	case p.line == nil || p.first+end > len(p.line.text) || end <= start:
		return p.span
	}
	return p.span.File.Span(p.line.rawAt(p.first+start), p.line.rawEnd(p.first+end))
}

// valueSpan narrows a word to where a slurmtext error points.
func valueSpan(w Word, err error) source.Span {
	if e := (*slurmtext.Error)(nil); errors.As(err, &e) {
		return placesIn(w.Text, w.Span).at(e.Offset, len(w.Text))
	}
	return w.Span
}

// item is one entry of an option list and where it begins in the list's text.
type item struct {
	text string
	at   int
}

func (i item) end() int { return i.at + len(i.text) }

// items splits a list at commas, blanks and semicolons, which is where people
// end a word; a blank after an equals sign ends nothing, for atoi skips it.
func items(list string) (found []item) {
	start := 0
	for i := 0; i <= len(list); i++ {
		if i < len(list) && !isItemEnd(list, i) {
			continue
		}
		if i > start {
			found = append(found, item{list[start:i], start})
		}
		start = i + 1
	}
	return found
}

func isItemEnd(list string, i int) bool {
	switch list[i] {
	case ',', ';':
		return true
	case ' ', '\t':
		return !strings.HasSuffix(strings.TrimRight(list[:i], " \t"), "=")
	}
	return false
}

// entries splits a list at its commas only, as strtok does, and leaves out blanks
// around an entry and empty ones.
func entries(list string) (found []item) {
	at := 0
	for _, part := range strings.Split(list, ",") {
		if trimmed := strings.Trim(part, " \t"); trimmed != "" {
			found = append(found, item{trimmed, at + strings.Index(part, trimmed)})
		}
		at += len(part) + 1
	}
	return found
}
