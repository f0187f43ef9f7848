package main

import (
	_ "embed" // messages.txt
	"io"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag/pages"
)

//go:embed messages.txt
var messagesText string

// docMessages prints what diagnostics say: all of them, or those of some codes.
func docMessages(w io.Writer, args []string) error {
	for _, code := range args {
		if pages.Of(code) == nil {
			return failf(exitUsage, "%s", unknownWord("code", code, pages.Codes()))
		}
	}
	m := &markdown{w: w}
	if len(args) == 0 {
		m = newMarkdown(w, "Messages")
		m.para("What diagnostics say, by code; %s, %d and the like are a name, a number. In parentheses is what the page of a " +
			"code says where its messages are made of parts.")
	}
	m.head("code", "severity", "message", "notes")
	code := ""
	var rows [][]string
	for line := range strings.Lines(messagesText) {
		text := strings.Trim(line, "\t\n")
		switch depth := len(line) - len(strings.TrimLeft(line, "\t")); {
		case depth == 0:
			code = text
		case len(args) > 0 && !slices.Contains(args, code):
		case depth == 1:
			rows = append(rows, []string{code, pages.Of(code).Severity.String(), text, ""})
		default:
			notes := &rows[len(rows)-1][3]
			*notes = strings.TrimPrefix(*notes+" · "+text, " · ")
		}
	}
	for _, row := range rows {
		m.row(row...)
	}
	return m.err
}
