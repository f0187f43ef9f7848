package slurmconf

import (
	"bytes"
	"slices"

	"github.com/fairway-sched/fairway/lang/dialect"
	"github.com/fairway-sched/fairway/lang/source"
)

// IsTemplate reports whether the text is a template that must be rendered
// before it is a slurm.conf. Marks in comments do not count.
func IsTemplate(text []byte) bool {
	_, kind := templateMarker(source.NewFile("", text))
	return kind != ""
}

// hopeless reports whether one of the files the lines come from is too large: Parse has reported it.
func hopeless(lines []*Line) bool {
	return slices.ContainsFunc(filesOf(lines), func(f *File) bool { return f.refused })
}

// templated reports whether one of the files is a template. What is plain in it is read.
func templated(lines []*Line) bool {
	return slices.ContainsFunc(filesOf(lines), func(f *File) bool { return f.template })
}

// plain leaves those lines of a template that need no filling in.
func (f *File) plain() {
	f.template = true
	for _, l := range f.Lines {
		if !l.Junk.IsZero() || dialect.Templated([]byte(l.Span.Text())) {
			l.Include, l.Pairs, l.Junk = nil, nil, Word{}
		}
	}
}

// ofTemplate are the findings that a template may have and what it makes may not: of one branch and the other.
var ofTemplate = []string{"slurm-duplicate-controller", "slurm-duplicate-key", "slurm-duplicate-node",
	"slurm-duplicate-partition", "slurm-two-defaults", "slurm-unknown-node", "slurm-missing-value", "slurm-late-default"}

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
		if at, kind := dialect.TemplateMark(f.Text[pos:stop]); at != nil && pos+at[0] < commentStart(f.Text, pos, stop) {
			return f.Span(pos+at[0], pos+at[1]), kind
		}
		pos = next
	}
	return source.Span{}, ""
}
