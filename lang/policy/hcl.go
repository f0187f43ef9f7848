package policy

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"

	"github.com/fairway-sched/fairway/lang/diag"
)

// friendly replaces HCL's notes where they speak of its own words, or where we
// know what an administrator meant.
var friendly = map[string]string{
	"Argument or block definition required": `write NAME = value, or WORD "name" { … }`,
	"Invalid block definition": `a block is WORD "name" { … } with the brace on the same line; ` +
		`a value is NAME = value`,
	"Invalid single-argument block definition": "attributes on one line are separated by commas: { soft = 1, hard = " +
		"2 }",
	"Missing newline after argument": "one attribute a line",
	"Attribute redefined":            "keep one of the two",
	"Invalid multi-line string": "text over several lines is a heredoc: <<-CEL, the lines, and CEL on " +
		"a line of its own",
	"Unterminated template string": "a closing quote or the heredoc's closing word on a line of its own " +
		"is missing",
	"Invalid escape sequence": `in quotes a backslash is written twice; a heredoc (<<-CEL) takes it as it is`,
}

// addHCL turns HCL's diagnostics into ours.
func (e *evaluator) addHCL(code string, list hcl.Diagnostics) {
	for _, h := range list {
		if e.unclosedAt(h) {
			e.addUnclosed(code, *h.Subject)
			return // the rest follows from it
		}
		sev := diag.Error
		if h.Severity == hcl.DiagWarning {
			sev = diag.Warning
		}
		span := e.file.Span(0, 0)
		if h.Subject != nil {
			span = e.span(*h.Subject)
		}
		d := e.diags.Add(sev, code, span, "%s", ourWords(lowerFirst(h.Summary)))
		if note, ok := friendly[h.Summary]; ok {
			d.Note("%s", note)
		} else if h.Detail != "" {
			d.Note("%s", strings.TrimSuffix(ourWords(lowerFirst(strings.Join(strings.Fields(h.Detail), " "))), "."))
		}
		if code == syntaxCode && e.looksLikeCEL(span.Position().Line) {
			d.Note(`write CEL in quotes, factor = "…", or in a heredoc`)
		}
	}
}

const syntaxCode = "policy-syntax"

// faultyLines are the lines with syntax errors. What HCL makes of such a line
// is a guess, so only the first message about it is worth reading.
func faultyLines(list diag.List) map[int]bool {
	lines := map[int]bool{}
	for _, d := range list {
		if d.Code == syntaxCode {
			lines[d.Span.Position().Line] = true
		}
	}
	return lines
}

// dropEchoes leaves out what follows from a syntax error on the same line.
func dropEchoes(list diag.List, faulty map[int]bool) diag.List {
	if len(faulty) == 0 {
		return list
	}
	said := map[int]bool{}
	return slices.DeleteFunc(list, func(d *diag.Diagnostic) bool {
		line := d.Span.Position().Line
		if !faulty[line] {
			return false
		}
		echo := said[line] || d.Code != syntaxCode
		said[line] = said[line] || d.Code == syntaxCode
		return echo
	})
}

// looksLikeCEL reports whether the line sets a CEL attribute without quotes.
func (e *evaluator) looksLikeCEL(line int) bool {
	name, value, ok := strings.Cut(e.file.Line(line), "=")
	if !ok {
		return false
	}
	value = strings.TrimSpace(value)
	switch strings.TrimSpace(name) {
	case "factor", "when", "value", "condition":
		return value != "" && value[0] != '"' && !strings.HasPrefix(value, "<<")
	}
	return false
}

// ourWords says attribute where HCL says argument.
func ourWords(s string) string {
	return strings.NewReplacer("argument definition", "attribute", "argument names", "attribute names", "argument name",
		"attribute name", "an argument", "an attribute", "after argument", "after attribute").Replace(s)
}

func lowerFirst(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToLower(r)) + s[size:]
}
