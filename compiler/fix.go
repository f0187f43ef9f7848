package compiler

import (
	"bytes"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/lint"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// Fixed is a file with edits in it.
type Fixed struct {
	File  *source.File // as it was
	Text  []byte       // as it should be
	Edits int
}

// Fix applies those fixes of findings that change no meaning: the policy and its facts are the same
// before and after, which is tested here for the very edits that are made. left counts the fixes
// that would change something, and so are for a person to decide.
func Fix(in Input, found *Linted) (fixed []Fixed, left int) {
	if found.Policy == nil {
		return nil, 0
	}
	in.NodeFacts = true
	want := Lint(in, lint.Options{}).Policy.Meaning()
	changes := make([]int, len(in.Files))
	now := in
	now.Files = slices.Clone(in.Files)
	// One edit may make room for another: of a line made twice the first goes, then the second changes.
	for range maxRounds {
		f := &fixing{in: now, want: want}
		edits := candidates(now.Files, found.Diags)
		f.add(edits)
		if left = len(edits) - len(f.taken); len(f.taken) == 0 {
			break
		}
		for i, file := range now.Files {
			text, n := apply(file, f.taken)
			now.Files[i] = source.NewFile(file.Name, text)
			changes[i] += n
		}
		found = Lint(now, lint.Options{})
	}
	for i, n := range changes {
		if n > 0 {
			fixed = append(fixed, Fixed{in.Files[i], now.Files[i].Text, n})
		}
	}
	return fixed, left
}

// maxRounds is more than any file has needed.
const maxRounds = 8

type fixing struct {
	in    Input
	want  string
	taken []diag.Fix
}

// add takes as many of the edits as keep the meaning: all together if they do, else each half by
// itself. What has been taken stays, so that the whole is tested and not each edit alone.
func (f *fixing) add(edits []diag.Fix) {
	if len(edits) == 0 {
		return
	}
	all := append(slices.Clone(f.taken), edits...)
	if f.same(all) {
		f.taken = all
		return
	}
	if len(edits) > 1 {
		f.add(edits[:len(edits)/2])
		f.add(edits[len(edits)/2:])
	}
}

func (f *fixing) same(edits []diag.Fix) bool {
	in := f.in
	in.Files = make([]*source.File, len(f.in.Files))
	for i, file := range f.in.Files {
		text, _ := apply(file, edits)
		in.Files[i] = source.NewFile(file.Name, text)
	}
	l := Lint(in, lint.Options{})
	return l.Policy != nil && l.Policy.Meaning() == f.want
}

// candidates are the fixes in the files themselves, of which no two touch. Included files are left
// alone: they may be part of other configurations.
func candidates(files []*source.File, list diag.List) (edits []diag.Fix) {
	add := func(fix *diag.Fix) {
		if fix != nil && slices.Contains(files, fix.Span.File) && !slices.ContainsFunc(edits, func(e diag.Fix) bool {
			return e.Span.File == fix.Span.File && e.Span.Start <= fix.Span.End && fix.Span.Start <= e.Span.End
		}) {
			edits = append(edits, *fix)
		}
	}
	for _, d := range list { // a line that goes need not be mended
		add(deadLine(d))
	}
	for _, d := range list {
		add(d.Fix)
	}
	slices.SortStableFunc(edits, func(a, b diag.Fix) int { return int(a.Span.Start - b.Span.Start) })
	return edits
}

// deadLine deletes a line of which the finding says that nothing reads it: of a setting made twice
// the first, and keys that are ignored.
func deadLine(d *diag.Diagnostic) *diag.Fix {
	at := d.Span
	switch d.Code {
	case "maui-overridden", "slurm-defunct-key":
	case "slurm-duplicate-key": // its note is about the earlier one
		for _, n := range d.Notes {
			if !n.Span.IsZero() {
				at = n.Span
			}
		}
	default:
		return nil
	}
	if at.IsZero() {
		return nil
	}
	text := at.File.Text
	start := bytes.LastIndexByte(text[:at.Start], '\n') + 1
	end := len(text)
	if i := bytes.IndexByte(text[at.End:], '\n'); i >= 0 {
		end = int(at.End) + i + 1
	}
	line := string(text[start:end])
	words := strings.Fields(line)
	continued := strings.Contains(line, `\`) || start > 1 && strings.HasSuffix(strings.TrimRight(string(text[:start]), " \t\r\n"), `\`)
	if continued || strings.Contains(line, "#") || len(words) > 2 || strings.Count(line, "=") > 1 {
		return nil // the line holds more
	}
	return &diag.Fix{Span: at.File.Span(start, end)}
}

// apply makes the edits of one file.
func apply(file *source.File, edits []diag.Fix) (text []byte, n int) {
	last := 0
	for _, e := range edits {
		if e.Span.File != file || int(e.Span.Start) < last {
			continue
		}
		text = append(text, file.Text[last:e.Span.Start]...)
		text = append(text, e.NewText...)
		last = int(e.Span.End)
		n++
	}
	return append(text, file.Text[last:]...), n
}
