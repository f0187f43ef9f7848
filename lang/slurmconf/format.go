package slurmconf

import (
	"bytes"
	"strings"

	"github.com/fairway-sched/fairway/lang/dialect"
)

// Format writes the file tidily: keys in the spelling of the manual, no blanks
// around the equals sign, records that follow one another in columns, and so the comments
// after lines, Include in its own spelling, LF line ends, at most one empty line in a row,
// one newline at the end. Comments, values and line breaks within records are kept, and so is
// the meaning: Evaluate gives the same. Lines Slurm would refuse are left alone.
func Format(f *File) []byte {
	var list []written
	for _, l := range f.Lines {
		w := f.write(l)
		if w.empty() && (len(list) == 0 || list[len(list)-1].empty()) {
			continue
		}
		list = append(list, w)
	}
	for len(list) > 0 && list[len(list)-1].empty() {
		list = list[:len(list)-1]
	}
	inColumns(list)
	texts, comments := make([]string, len(list)), make([]string, len(list))
	for i, w := range list {
		texts[i], comments[i] = w.text, w.comment
	}
	var out bytes.Buffer
	for _, line := range dialect.Commented(texts, comments, 1) {
		out.WriteString(line)
		out.WriteByte('\n')
	}
	if tidy := bytes.TrimRight(out.Bytes(), "\n"); len(tidy) > 0 {
		return append(tidy, '\n')
	}
	return nil
}

// written is a logical line as it is to be. Its cells are its pairs where it may have columns.
type written struct {
	text, comment string
	record        string // PartitionName, NodeName …: lines of one kind share columns
	cells         []dialect.Cell
}

func (w written) empty() bool { return w.text == "" && w.comment == "" }

// inColumns lays out records of one kind that follow one another.
func inColumns(list []written) {
	for i := 0; i < len(list); {
		end := i + 1
		for end < len(list) && list[i].cells != nil && list[end].cells != nil && list[end].record == list[i].record {
			end++
		}
		if end-i > 1 {
			rows := make([][]dialect.Cell, 0, end-i)
			for _, w := range list[i:end] {
				rows = append(rows, w.cells)
			}
			for k, text := range dialect.Columns(rows) {
				list[i+k].text = text
			}
		}
		i = end
	}
}

// write makes a logical line, which may be several physical ones.
func (f *File) write(l *Line) (w written) {
	if !l.Junk.IsZero() || l.Include != nil && l.Include.Path.IsZero() || commentsWithin(l) {
		return written{text: string(f.Source.Text[l.logical.start:l.logical.eol])} // hands off, even a CR may matter
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
		key := canonicalKey(kind, p.Key)
		pair := key + p.Op.Span.Text()
		if swallows(kind, p) {
			pair += " " // a mistake must stay visible
		}
		pair += strings.ReplaceAll(p.Value.Span.Text(), "\r\n", "\n")
		b.WriteString(pair)
		w.cells = append(w.cells, dialect.Cell{Key: key, Text: pair})
		if i == 0 {
			kind = RecordKind(p.Key.Text)
		}
	}
	if w.record = kind; len(l.Pairs) > 0 && strings.EqualFold(l.Pairs[0].Value.Text, "DEFAULT") {
		w.record += "=DEFAULT" // it often has other keys than the lines after it
	}
	if w.text = b.String(); kind == "" || kind == "global" || strings.Contains(w.text, "\n") {
		w.cells = nil
	}
	for _, c := range l.logical.comments {
		if w.comment != "" {
			w.comment += " "
		}
		w.comment += strings.TrimRight(string(f.Source.Text[c.start:c.end]), " \t\r")
	}
	switch {
	case w.text == "":
		return written{text: w.comment}
	case strings.Contains(w.text, "\n") && w.comment != "":
		return written{text: w.text + " " + w.comment}
	}
	return w
}

// commentsWithin reports a comment that is followed by more of its logical
// line. It cannot be moved without changing what it is beside.
func commentsWithin(l *Line) bool {
	return len(l.logical.comments) > 0 && l.logical.comments[0].continues
}

// canonicalKey is the manual's spelling of a known key. A key written with
// escapes, or unknown, stays as it is.
func canonicalKey(record string, key Word) string {
	raw := key.Span.Text()
	if p := Known(record, key.Text); p != nil && raw == key.Text {
		return p.Name
	}
	return raw
}

// gap is what is between two pairs: a line break where there was one.
func (f *File) gap(before, after Pair) string {
	if bytes.IndexByte(f.Source.Text[before.Value.Span.End:after.Key.Span.Start], '\n') >= 0 {
		return " \\\n  "
	}
	return " "
}
