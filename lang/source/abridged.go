package source

import (
	"bytes"
	"slices"
	"sort"
	"unicode/utf8"
)

// piece is a part of a long text that an abridged file keeps.
type piece struct {
	start, end  int // in the long text
	at          int // in the abridged one
	line, runes int // how many line ends of the long text are before it, and signs of the line that it begins in
}

// around is how much of its line is kept before and after a place, and longest the length from which a span is kept
// only where it begins and ends.
const around, longest = 4 << 10, 64 << 10

// Abridge moves spans to a file that keeps what is near them, and says the same of them: position, line, passwords. It
// calls passed as it needs no more of the text up to some place.
func (f *File) Abridge(spans []*Span, passed func(until int)) {
	short, at := &File{Name: f.Name}, counter{text: f.Text, passed: passed}
	for _, p := range f.pieces(spans) {
		if n := len(short.Text); n > 0 && short.Text[n-1] != '\n' {
			short.Text = append(short.Text, '\n')
		}
		at.count(p.start)
		p.at, p.line, p.runes = len(short.Text), at.lines, at.runes
		short.Text = append(short.Text, f.Text[p.start:p.end]...)
		short.kept = append(short.kept, p)
	}
	move := func(offset int32) int32 {
		i := sort.Search(len(short.kept), func(i int) bool { return short.kept[i].start > int(offset) }) - 1
		return offset - int32(short.kept[i].start-short.kept[i].at)
	}
	for _, s := range spans {
		*s = Span{File: short, Start: move(s.Start), End: move(s.End)}
	}
}

// pieces are the parts of a text that are near spans, in order and apart.
func (f *File) pieces(spans []*Span) (list []piece) {
	for _, s := range spans {
		from, to := int(s.Start), int(s.End)
		if to-from > longest {
			list = append(list, f.near(from, from), f.near(to, to))
		} else {
			list = append(list, f.near(from, to))
		}
	}
	slices.SortFunc(list, func(a, b piece) int { return a.start - b.start })
	apart := list[:0]
	for _, p := range list {
		if last := len(apart) - 1; last >= 0 && p.start <= apart[last].end {
			apart[last].end = max(apart[last].end, p.end)
		} else {
			apart = append(apart, p)
		}
	}
	return apart
}

// near is the part with the lines that are looked at to show a place without passwords.
func (f *File) near(from, to int) piece {
	start, end := f.lineStart(from), f.lineEnd(to)
	for range maxLines + 1 {
		if above := f.lineStart(start - 1); start > 0 && f.Text[start-1] == '\n' && f.isLineStart(above) {
			start = above
		}
		if end < len(f.Text) && f.Text[end-1] == '\n' {
			end = f.lineEnd(end)
		}
	}
	return piece{start: start, end: end}
}

func (f *File) isLineStart(at int) bool { return at == 0 || f.Text[at-1] == '\n' }

// lineStart is where a line begins, or near it in a long one.
func (f *File) lineStart(at int) int {
	at = max(at, 0)
	start := max(at-around, 0)
	if i := bytes.LastIndexByte(f.Text[start:at], '\n'); i >= 0 {
		return start + i + 1
	}
	return runeStart(f.Text, start)
}

// lineEnd is where the line after one begins, or near the end of a long one.
func (f *File) lineEnd(at int) int {
	end := min(at+around, len(f.Text))
	if i := bytes.IndexByte(f.Text[at:end], '\n'); i >= 0 {
		return at + i + 1
	}
	return max(at, runeStart(f.Text, end))
}

// runeStart is where the sign begins that a place is in.
func runeStart(text []byte, at int) int {
	for back := 0; back < utf8.UTFMax && at-back >= 0; back++ {
		if at-back == len(text) || utf8.RuneStart(text[at-back]) {
			return at - back
		}
	}
	return at
}

// counter counts the lines of a text, and the signs of the last one.
type counter struct {
	text             []byte
	at, lines, runes int
	passed           func(until int)
}

func (c *counter) count(until int) {
	for c.at < until {
		const step = 1 << 20
		end := until
		if c.at+step < until {
			end = runeStart(c.text, c.at+step)
		}
		part := c.text[c.at:end]
		c.lines += bytes.Count(part, []byte{'\n'})
		if i := bytes.LastIndexByte(part, '\n'); i >= 0 {
			part, c.runes = part[i+1:], 0
		}
		c.runes += utf8.RuneCount(part)
		c.at = end
		c.passed(end)
	}
}

// whole is what a position is in the text that the file was abridged from.
func (f *File) whole(offset int, p Position) Position {
	i := sort.Search(len(f.kept), func(i int) bool { return f.kept[i].at > offset }) - 1
	if i < 0 {
		return p
	}
	first := f.position(f.kept[i].at).Line
	if p.Line == first {
		p.Column += f.kept[i].runes
	}
	return Position{p.Line - first + f.kept[i].line + 1, p.Column}
}

// own is the number that a line has here; 0 if the text that the file was abridged from had it alone.
func (f *File) own(line int) int {
	if f.kept == nil {
		return line
	}
	i := sort.Search(len(f.kept), func(i int) bool { return f.kept[i].line+1 > line }) - 1
	if i < 0 {
		return 0
	}
	n := f.position(f.kept[i].at).Line + line - f.kept[i].line - 1
	if i+1 < len(f.kept) && n >= f.position(f.kept[i+1].at).Line {
		return 0
	}
	return n
}
