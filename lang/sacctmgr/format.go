package sacctmgr

import (
	"bytes"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
)

// Format writes the file as a dump of today looks: objects and whole option
// names in their own spelling, names and typed resources in single quotes, no blanks around signs,
// options without value dropped. Comments and the order of lines are kept, and
// so is the meaning: Evaluate gives the same. Lines sacctmgr would refuse lose
// only the blanks around them.
func Format(f *File) []byte {
	if f.refused {
		return f.Print()
	}
	var out bytes.Buffer
	for _, l := range f.Lines {
		out.WriteString(f.formatLine(l))
		out.WriteByte('\n')
	}
	if tidy := bytes.Trim(out.Bytes(), "\n"); len(tidy) > 0 {
		return append(tidy, '\n')
	}
	return nil
}

// formatLine writes one line. A # in the tail can only begin a comment: quoted
// ones are within the last value, which ends before.
func (f *File) formatLine(l *Line) string {
	raw := strings.Trim(l.Span.Text(), " \t\r\n\v\f")
	if l.Object.IsZero() {
		return raw // a comment, nothing, or not ours
	}
	object := ObjectOf(l)
	if object == "" || l.Name.Text == "" {
		return raw
	}
	var b strings.Builder
	b.WriteString(object + " - " + quote(l.Name))
	end := l.Name.Span.End
	for _, o := range l.Options {
		if o.Key.IsZero() {
			return raw
		}
		end = max(end, o.Op.Span.End, o.Value.Span.End)
		known, _, ok := findOption(optionsOf(object), o.Key.Text)
		if !ok {
			b.WriteString(":" + o.Key.Text + o.Op.Text + o.Value.Span.Text())
			continue
		}
		if o.Value.Text == "" {
			continue
		}
		value := o.Value.Span.Text()
		if _, err := slurmtext.ParseTRES(o.Value.Text); known.kind == tres && err != nil {
			return raw // without its blanks, a colon after it could become part of it
		}
		if known.kind.isText() || isUnquotedTyped(o.Value) {
			value = quote(o.Value)
		}
		b.WriteString(":" + known.name + o.Op.Text + value)
	}
	tail := string(f.Source.Text[end:l.Span.End])
	if i := strings.IndexByte(tail, '#'); i >= 0 {
		b.WriteString(" " + strings.TrimRight(tail[i:], " \t\r\n\v\f"))
	}
	return b.String()
}

// quote puts a word into single quotes, or double ones when it has a single
// quote in it; a word with quotes that do not enclose it stays as it is.
func quote(w Word) string {
	raw := w.Span.Text()
	switch {
	case raw == w.Text && strings.ContainsAny(raw, `'"`):
		return raw
	case strings.Contains(w.Text, "'"):
		return `"` + w.Text + `"`
	}
	return "'" + w.Text + "'"
}
