package mauicfg

import (
	"bytes"
	"strings"

	"github.com/fairway-sched/fairway/lang/dialect"
)

// Format lays a file out canonically: names at the start of the line, values in
// one column for each block of lines, single blanks between values, single blank
// lines, comments kept. The result means the same, so a line whose meaning hangs
// on its layout (a name with blanks before it, quotes, a continuation, an = in
// the wrong place, text near the length limit) stays as it is. Included files
// are not touched.
func Format(file *File) []byte {
	if file.refused {
		return file.Print()
	}
	var out bytes.Buffer
	blank := false
	for i := 0; i < len(file.Lines); {
		if file.Lines[i].Kind == Blank {
			blank = out.Len() > 0
			i++
			continue
		}
		if blank {
			out.WriteByte('\n')
			blank = false
		}
		end := i + 1
		for end < len(file.Lines) && file.Lines[end].Kind != Blank {
			end++
		}
		formatBlock(&out, file.Lines[i:end])
		i = end
	}
	return out.Bytes()
}

const (
	valueColumn    = 22 // where the distributed maui.cfg has its values
	maxValueColumn = 44 // a longer name does not push the whole block
)

// formatBlock writes the lines between two blank ones; they share a column, those of one family share the columns of
// their attributes too, and comments after lines that follow one another have one.
func formatBlock(out *bytes.Buffer, lines []Line) {
	column := valueColumn
	for i := range lines {
		if n := len(head(&lines[i])) + 2; isPlain(&lines[i]) && n > column && n <= maxValueColumn {
			column = n
		}
	}
	texts, comments := make([]string, len(lines)), make([]string, len(lines))
	for i := 0; i < len(lines); {
		switch end := familyRun(lines[i:]) + i; {
		case end > i:
			var rows [][]dialect.Cell
			for k := i; k < end; k++ {
				rows = append(rows, attributeCells(&lines[k]))
			}
			for k, text := range dialect.Columns(rows) {
				texts[i+k], comments[i+k] = plainText(&lines[i+k], column, text)
			}
			i = end
			continue
		case isPlain(&lines[i]):
			texts[i], comments[i] = plainText(&lines[i], column, strings.Join(wordsOf(&lines[i]), " "))
		case lines[i].Kind == CommentLine || lines[i].Kind == IncludeLine:
			texts[i] = strings.TrimLeftFunc(lineText(&lines[i]), blankRune)
		default:
			texts[i] = lineText(&lines[i])
		}
		i++
	}
	for _, text := range dialect.Commented(texts, comments, 2) {
		out.WriteString(strings.TrimRightFunc(text, blankRune))
		out.WriteByte('\n')
	}
}

// familyRun is how many lines at the start are of one family, such as USERCFG, and may be laid out anew.
func familyRun(lines []Line) (n int) {
	for n < len(lines) && isPlain(&lines[n]) && lines[n].Name.Text == lines[0].Name.Text {
		row, ok := vocab().params[lines[n].Name.Text]
		if !ok || !IsFamily(row) || len(wordsOf(&lines[n])) == 0 || len(lineText(&lines[n])) > maxValue/2 {
			break
		}
		n++
	}
	return n
}

func attributeCells(line *Line) (row []dialect.Cell) {
	for _, w := range wordsOf(line) {
		key, _, _ := strings.Cut(w, "=")
		row = append(row, dialect.Cell{Key: key, Text: w})
	}
	return row
}

// blankRune leaves out the bytes beyond ASCII that Maui also blanks: they may be
// somebody's letters, and formatting must not eat them.
func blankRune(r rune) bool { return r == ' ' || r >= '\t' && r <= '\r' }

// lineText is the line as it was written.
func lineText(line *Line) string {
	var b strings.Builder
	for _, t := range line.Tokens {
		b.WriteString(t.Text)
	}
	return b.String()
}

// head is the name with its index.
func head(line *Line) string {
	if line.Index.Kind == Index {
		return line.Name.Text + "[" + line.Index.Text + "]"
	}
	return line.Name.Text
}

// wordsOf are the values of a setting.
func wordsOf(line *Line) (words []string) {
	for _, t := range line.Tokens {
		if t.Kind == Word {
			words = append(words, t.Text)
		}
	}
	return words
}

// plainText lays a plain setting out with its value in the given column, and has its comment apart.
func plainText(line *Line, column int, value string) (text, comment string) {
	for _, t := range line.Tokens {
		if (t.Kind == Comment || t.Kind == Include) && comment == "" {
			comment = t.Text
		}
	}
	text = head(line)
	if value != "" {
		text += strings.Repeat(" ", max(column-len(text), 2)) + value
	}
	return text, comment
}

// isPlain reports whether a setting may be laid out anew.
func isPlain(line *Line) bool {
	if line.Kind != SettingLine || len(lineText(line)) > maxValue {
		return false
	}
	if row, ok := vocab().params[line.Name.Text]; line.Indented && !(ok && IsFamily(row)) {
		return false
	}
	var last TokenKind
	hasWord, separated := false, false
	for _, t := range line.Tokens {
		switch t.Kind {
		case Continuation:
			return false
		case Space:
			if strings.ContainsFunc(t.Text, func(r rune) bool { return !blankRune(r) }) {
				return false
			}
			separated = true
		case Equals:
			if hasWord {
				return false // it separates here, and would not after a blank
			}
			separated = true
		case Index:
			if strings.ContainsAny(t.Text, `'"`) {
				return false
			}
		case Word:
			// A value that sticks to the name, or holds quotes, is better left alone.
			if strings.ContainsAny(t.Text, `'"`) || !separated {
				return false
			}
			hasWord = true
		case Comment, Include:
			if last != Space && last != Equals {
				return false
			}
		}
		last = t.Kind
	}
	return line.Index.Kind != Index || hasKind(line.Tokens, Close)
}
