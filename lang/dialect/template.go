package dialect

import (
	"bytes"
	"regexp"

	"github.com/fairway-sched/fairway/lang/source"
)

// The kinds of templates whose tags are executed in comments too.
const (
	Jinja = "Jinja or Go template"
	ERB   = "ERB"
)

// Redacted is no language: lines were taken out before the file was passed on.
const Redacted = "redacted text"

// marks are what the tools leave by which sites make their configurations. None of them can be in a working file by
// chance. At least one of the words of a row is in every line that has its mark, which is found out faster.
var marks = []struct {
	kind  string
	words []string
	mark  func() *regexp.Regexp
}{
	{Jinja, []string{"{{", "{%"}, source.Pattern(`\{\{.*?\}\}|\{%.*?%\}`)},
	{ERB, []string{"<%"}, source.Pattern(`<%[=#-]?\s.*?%>`)},
	{"autoconf", []string{"@"}, source.Pattern(`@[A-Z_][A-Z0-9_]*@|@[a-z_]+@`)},
	{"variables of a shell", []string{"$"}, source.Pattern(`\$\{[A-Za-z_][^}\n]*\}`)},
	{"variables of a shell", []string{"=$"}, source.Pattern(`\$[A-Za-z_][A-Za-z0-9_]*`)},
	{"names in braces", []string{"{"}, source.Pattern(`\{[A-Za-z_][A-Za-z0-9_.]+\}`)},
	{"names in angle brackets", []string{"<"}, source.Pattern(`<[A-Za-z][A-Za-z0-9_ -]*>`)},
	{"placeholders", []string{"TOKEN_", "__", "%%", "REPLACE", "CHANGE"}, source.Pattern(
		`\bTOKEN_[A-Z0-9_]+|\b__[A-Z][A-Z0-9_]*__|%%[A-Z][A-Z0-9_]*%%|\bREPLACE_[A-Z_]+\b|\bREPLACEME\b|\bCHANGE_?ME\b`)},
	{Redacted, []string{"REDACTED", "redacted"}, source.Pattern(`^\s*[<\[*]*(?:REDACTED|redacted)[>\]*]*\s*$`)},
}

// TemplateMark finds what shows that a line is to be filled in: where, and the kind of template; nil if nothing does.
func TemplateMark(line []byte) (at []int, kind string) {
	for _, m := range marks {
		for _, w := range m.words {
			if bytes.Contains(line, []byte(w)) {
				if at := m.mark().FindIndex(line); at != nil {
					return at, m.kind
				}
				break
			}
		}
	}
	return nil, ""
}

// openMarks are the ends of tags, which may have their other end on another line.
var openMarks = [][]byte{[]byte("{{"), []byte("}}"), []byte("{%"), []byte("%}"), []byte("<%"), []byte("%>")}

// Templated reports a line of a template that is not plain.
func Templated(line []byte) bool {
	for _, m := range openMarks {
		if bytes.Contains(line, m) {
			return true
		}
	}
	at, _ := TemplateMark(line)
	return at != nil
}
