package mauicfg

import (
	"bytes"

	"github.com/fairway-sched/fairway/lang/source"
)

// placeholder matches what configuration generators leave in their sources:
// autoconf's @VAR@, the shell's ${VAR}, and the tags of Jinja and ERB.
var placeholder = source.Pattern(`@[A-Z][A-Z0-9_]*@|\$\{[A-Za-z_][A-Za-z0-9_]*\}|` +
	`\{\{[^\n]*?\}\}|\{%[^\n]*?%\}|<%[^\n]*?%>`)

// IsTemplate recognises text that still has to be rendered. It returns the
// first marker and its offset, or "". Markers in comments do not count, unless
// they are tags: a commented tag is still executed.
func IsTemplate(text []byte) (marker string, offset int) {
	for at := 0; at < len(text); {
		line, _, _ := bytes.Cut(text[at:], []byte("\n"))
		comment := bytes.IndexByte(line, '#')
		for _, m := range placeholder().FindAllIndex(line, -1) {
			if tag := line[m[0]] == '{' || line[m[0]] == '<'; tag || comment < 0 || m[0] < comment {
				return string(line[m[0]:m[1]]), at + m[0]
			}
		}
		at += len(line) + 1
	}
	return "", 0
}
