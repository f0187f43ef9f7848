package mauicfg

import (
	"bytes"
	"strings"

	"github.com/fairway-sched/fairway/lang/dialect"
	"github.com/fairway-sched/fairway/lang/source"
)

// Sniff says how sure it is, from 0 to 100, that a text is a maui.cfg or a
// moab.cfg: the share of its settings whose names are Maui's or Moab's. The
// first few hundred lines decide.
func Sniff(text []byte) int {
	const enough = 1 << 16
	file := source.NewFile("", text[:min(len(text), enough)])
	known, families, other := 0, 0, 0
	for _, tokens := range splitLines(scan(file)) {
		line := newLine(tokens)
		switch line.Kind {
		case UnrecognisedLine:
			other++
		case SettingLine:
			v := vocab()
			name := line.Name.Text
			row, ok := v.params[name]
			switch {
			case ok && IsFamily(row) && line.Index.Kind == Index:
				known++
				families++
			case ok || v.moab[name]:
				known++
			default:
				_, folded := v.params[strings.ToUpper(name)]
				if !folded || strings.Contains(line.Span.Text(), "=") {
					other++ // KEY=VALUE in mixed case is another scheduler's file
				}
			}
		}
	}
	switch {
	case known == 0:
		return 0
	case families > 0: // NAMECFG[object] is no other program's
		return max(60, 100*known/(known+other))
	}
	return 95 * known / (known + other)
}

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
