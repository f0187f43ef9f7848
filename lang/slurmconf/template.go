package slurmconf

import (
	"bytes"
	"regexp"
	"slices"

	"github.com/fairway-sched/fairway/lang/source"
)

// templates are the marks of the template languages sites generate a
// slurm.conf from. None of them can stand in a working file by chance.
var templates = []struct {
	kind string
	mark func() *regexp.Regexp
}{
	{"Jinja or Go template", source.Pattern(`\{\{.*?\}\}|\{%.*?%\}`)},
	{"ERB", source.Pattern(`<%[=#-]?\s.*?%>`)},
	{"autoconf", source.Pattern(`@[A-Za-z_][A-Za-z0-9_]*@`)},
}

// IsTemplate reports whether the text is a template that must be rendered
// before it is a slurm.conf. Marks in comments do not count.
func IsTemplate(text []byte) bool {
	_, kind := templateMarker(source.NewFile("", text))
	return kind != ""
}

// hopeless reports whether one of the files the lines come from is a template or
// too large: Parse has said so, and more findings would be noise.
func hopeless(lines []*Line) bool {
	return slices.ContainsFunc(filesOf(lines), func(f *File) bool {
		_, kind := templateMarker(f.Source)
		return kind != "" || f.refused
	})
}

// filesOf lists the files the lines come from.
func filesOf(lines []*Line) (files []*File) {
	seen := map[*File]bool{}
	for _, l := range lines {
		if !seen[l.file] {
			seen[l.file] = true
			files = append(files, l.file)
		}
	}
	return files
}

func templateMarker(f *source.File) (source.Span, string) {
	for pos := 0; pos < len(f.Text); {
		stop, next := len(f.Text), len(f.Text)
		if i := bytes.IndexByte(f.Text[pos:], '\n'); i >= 0 {
			stop, next = pos+i, pos+i+1
		}
		if !bytes.ContainsAny(f.Text[pos:stop], "{<@") { // with which all marks begin
			pos = next
			continue
		}
		content := f.Text[pos:commentStart(f.Text, pos, stop)]
		for _, t := range templates {
			if at := t.mark().FindIndex(content); at != nil {
				return f.Span(pos+at[0], pos+at[1]), t.kind
			}
		}
		pos = next
	}
	return source.Span{}, ""
}
