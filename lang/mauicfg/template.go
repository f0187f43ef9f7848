package mauicfg

import (
	"bytes"

	"github.com/fairway-sched/fairway/lang/dialect"
)

// template recognises text that still has to be rendered, by the first mark in it. Marks in comments do not count,
// unless they are tags: a commented tag is still executed.
func template(text []byte) (at []int, kind string) {
	for pos := 0; pos < len(text); {
		line, _, _ := bytes.Cut(text[pos:], []byte("\n"))
		comment := bytes.IndexByte(line, '#')
		m, kind := dialect.TemplateMark(line)
		if tag := kind == dialect.Jinja || kind == dialect.ERB; m != nil && (tag || comment < 0 || m[0] < comment) {
			return []int{pos + m[0], pos + m[1]}, kind
		}
		pos += len(line) + 1
	}
	return nil, ""
}
