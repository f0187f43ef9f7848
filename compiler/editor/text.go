package editor

import (
	"sort"
	"unicode/utf8"

	"github.com/fairway-sched/fairway/lang/source"
)

// Position is a place as editors count it: line and column from 0, the column in UTF-16 units.
type Position struct{ Line, Column int }

// Range is a part of a text; End is after the last character.
type Range struct{ Start, End Position }

// Place is a range of a file.
type Place struct {
	Path string
	Range
}

// Edit replaces a range.
type Edit struct {
	Range
	Text string
}

// Text is a file with its lines as editors see them, which end with \n, \r\n or \r alone.
type Text struct {
	File   *source.File
	starts []int // of each line
}

func newText(f *source.File) *Text {
	t := &Text{File: f, starts: []int{0}}
	for i, c := range f.Text {
		if c == '\n' || c == '\r' && (i+1 == len(f.Text) || f.Text[i+1] != '\n') {
			t.starts = append(t.starts, i+1)
		}
	}
	return t
}

// line is where a line begins and where its text ends, before the line end.
func (t *Text) line(n int) (start, end int) {
	start, end = t.starts[n], len(t.File.Text)
	if n+1 < len(t.starts) {
		end = t.starts[n+1]
		for end > start && (t.File.Text[end-1] == '\n' || t.File.Text[end-1] == '\r') {
			end--
		}
	}
	return start, end
}

// lineAt is the number of the line of a byte.
func (t *Text) lineAt(offset int) int { return sort.SearchInts(t.starts, offset+1) - 1 }

// Offset is the byte at a position. One that is not in the text becomes the nearest that is.
func (t *Text) Offset(p Position) int {
	switch {
	case p.Line < 0:
		return 0
	case p.Line >= len(t.starts):
		return len(t.File.Text)
	}
	at, end := t.line(p.Line)
	for left := p.Column; left > 0 && at < end; {
		r, size := utf8.DecodeRune(t.File.Text[at:end])
		if left -= units(r); left < 0 {
			break // within a character of two units
		}
		at += size
	}
	return at
}

// Position is where a byte is.
func (t *Text) Position(offset int) Position {
	offset = min(max(offset, 0), len(t.File.Text))
	line := t.lineAt(offset)
	at, end := t.line(line)
	column := 0
	for end = min(end, offset); at < end; {
		r, size := utf8.DecodeRune(t.File.Text[at:])
		if at+size > offset {
			break // within a character
		}
		column += units(r)
		at += size
	}
	return Position{line, column}
}

// units is how many UTF-16 units a character takes.
func units(r rune) int {
	if r >= 0x10000 {
		return 2
	}
	return 1
}

// Range is where a part of the text is.
func (t *Text) Range(start, end int) Range {
	return Range{t.Position(start), t.Position(max(start, end))}
}

// Span is where a span is; that of another file counts as the beginning.
func (t *Text) Span(s source.Span) Range {
	if s.File != t.File {
		return Range{}
	}
	return t.Range(int(s.Start), int(s.End))
}

// All is the range of the whole text.
func (t *Text) All() Range { return t.Range(0, len(t.File.Text)) }

// Edited is the text with edits made one after the other, as an editor reports what is typed.
func (t *Text) Edited(edits []Edit) []byte {
	text := t
	for _, e := range edits {
		old := text.File.Text
		start, end := text.Offset(e.Start), text.Offset(e.End)
		if end < start {
			start, end = end, start
		}
		after := make([]byte, 0, len(old)+len(e.Text)-(end-start))
		after = append(append(append(after, old[:start]...), e.Text...), old[end:]...)
		text = newText(source.NewFile(t.File.Name, after))
	}
	return text.File.Text
}

// walk goes through a text from its beginning to its end, and knows the position all the way.
type walk struct {
	*Text
	offset int
	at     Position
}

// to is the position of a byte that is not before the last one that was asked for.
func (w *walk) to(offset int) Position {
	if line := w.at.Line; line+1 < len(w.starts) && offset >= w.starts[line+1] {
		w.at = Position{w.lineAt(offset), 0}
		w.offset = w.starts[w.at.Line]
	}
	text := w.File.Text
	for w.offset < offset {
		if c := text[w.offset]; c < utf8.RuneSelf {
			w.offset++
			w.at.Column++
			continue
		}
		r, size := utf8.DecodeRune(text[w.offset:])
		if w.offset+size > offset {
			break // within a character
		}
		w.offset += size
		w.at.Column += units(r)
	}
	return w.at
}
