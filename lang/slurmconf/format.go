package slurmconf

import (
	"bytes"
	"strings"
)

// Format writes the file tidily: keys in the spelling of the manual, no blanks
// around the equals sign, one blank between pairs, Include in its own spelling,
// LF line ends, at most one empty line in a row, one newline at the end.
// Comments, values and line breaks within records are kept, and so is the
// meaning: Evaluate gives the same. Lines Slurm would refuse are left alone.
func Format(f *File) []byte {
	var out bytes.Buffer
	empty := true // no empty lines at the top
	for _, l := range f.Lines {
		text := f.formatLine(l)
		if text == "" {
			if empty {
				continue
			}
			empty = true
		} else {
			empty = false
		}
		out.WriteString(text)
		out.WriteByte('\n')
	}
	if tidy := bytes.TrimRight(out.Bytes(), "\n"); len(tidy) > 0 {
		return append(tidy, '\n')
	}
	return nil
}

// formatLine writes a logical line, which may be several physical ones.
func (f *File) formatLine(l *Line) string {
	if !l.Junk.IsZero() || l.Include != nil && l.Include.Path.IsZero() || commentsWithin(l) {
		return string(f.Source.Text[l.logical.start:l.logical.eol]) // hands off, even a CR may matter
	}
	var b strings.Builder
	if l.Include != nil {
		b.WriteString("Include " + l.Include.Path.Span.Text())
	}
	kind := "global"
	for i, p := range l.Pairs {
		if i > 0 {
			b.WriteString(f.gap(l.Pairs[i-1], p))
		}
		b.WriteString(canonicalKey(kind, p.Key))
		b.WriteString(p.Op.Span.Text())
		if swallows(kind, p) {
			b.WriteByte(' ') // a mistake must stay visible
		}
		b.WriteString(strings.ReplaceAll(p.Value.Span.Text(), "\r\n", "\n"))
		if i == 0 {
			kind = recordKind(p.Key.Text)
		}
	}
	for _, c := range l.logical.comments {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strings.TrimRight(string(f.Source.Text[c.start:c.end]), " \t\r"))
	}
	return b.String()
}

// commentsWithin reports a comment that is followed by more of its logical
// line. It cannot be moved without changing what it stands beside.
func commentsWithin(l *Line) bool {
	return len(l.logical.comments) > 0 && l.logical.comments[0].continues
}

// canonicalKey is the manual's spelling of a known key. A key written with
// escapes, or unknown, stays as it is.
func canonicalKey(record string, key Word) string {
	raw := key.Span.Text()
	if p := find(record, key.Text); p != nil && raw == key.Text {
		return p.Name
	}
	return raw
}

// gap is what stands between two pairs: a line break where there was one.
func (f *File) gap(before, after Pair) string {
	if bytes.IndexByte(f.Source.Text[before.Value.Span.End:after.Key.Span.Start], '\n') >= 0 {
		return " \\\n  "
	}
	return " "
}
