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

// blankForm is a configuration whose values are to be filled in, and formValues is how many are blank in it: a
// single one is a mistake.
const (
	blankForm  = "values left blank"
	formValues = 5
)

// toFillIn is a value of such a form that begins with # and would be a comment.
var toFillIn = source.Pattern(`\S#[A-Z]`)

// templated reports whether one of the files is a template. What is plain in it is read.
func templated(lines []*Line) bool {
	return slices.ContainsFunc(filesOf(lines), func(f *File) bool { return f.template != "" })
}

// branching reports whether one of the files is a template whose output may lack lines or repeat them.
func branching(lines []*Line) bool {
	return slices.ContainsFunc(filesOf(lines), func(f *File) bool { return f.branches() })
}

func (f *File) branches() bool {
	return f.template != "" && f.template != blankForm && f.template != dialect.Redacted
}

// plain leaves those lines of a template that need no filling in.
func (f *File) plain(kind string) {
	f.template = kind
	form := isForm(f.Source.Text)
	for _, l := range f.Lines {
		text := []byte(l.Span.Text())
		blank := form && (leftBlank([]byte(l.Junk.Span.Shown())) || toFillIn().Match(text))
		if blank || dialect.Templated(text) || f.branches() && !l.Junk.IsZero() {
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
	blank := source.Span{}
	for pos := 0; pos < len(f.Text); {
		stop, next := len(f.Text), len(f.Text)
		if i := bytes.IndexByte(f.Text[pos:], '\n'); i >= 0 {
			stop, next = pos+i, pos+i+1
		}
		line := f.Text[pos:stop]
		if at, kind := dialect.TemplateMark(line); at != nil && pos+at[0] < commentStart(f.Text, pos, stop) {
			return f.Span(pos+at[0], pos+at[1]), kind
		}
		if blank.IsZero() && leftBlank(line) {
			blank = f.Span(pos, stop)
		}
		pos = next
	}
	if !blank.IsZero() && isForm(f.Text) {
		return blank, blankForm
	}
	return source.Span{}, ""
}

// isForm reports a text with many values that are to be filled in.
func isForm(text []byte) bool {
	blank := 0
	for line := range bytes.Lines(text) {
		if leftBlank(line) {
			blank++
		}
	}
	return blank >= formValues
}

// leftBlank reports a line that is a key without a value, whatever comment follows.
func leftBlank(line []byte) bool {
	key, value, ok := bytes.Cut(line, []byte("="))
	value = bytes.TrimSpace(value)
	return ok && (len(value) == 0 || value[0] == '#') && isKey(string(bytes.TrimSpace(key)))
}
