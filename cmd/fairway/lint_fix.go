package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lint"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// repair makes the changes that mean the same, or all that bring no mistake, and shows them. What the site has silenced
// stays as it is.
func (f *lintFlags) repair(in compiler.Input, found *compiler.Linted, s site, targets []target[lintWriter]) (*compiler.Repaired,
	error) {
	mend, left := compiler.Fix, "left to you, since it changes what the policy means or brings another mistake"
	if f.unsafe {
		mend, left = compiler.FixAll, "left to you, since it brings another mistake"
	}
	r := mend(in, found, lint.Options{All: f.all}, func(l *compiler.Linted) diag.List {
		list, _, _ := s.decide(l)
		return list
	})
	out := io.Writer(os.Stdout)
	for _, t := range targets {
		if t.format != nil && t.toStdout() {
			out = os.Stderr // standard output is for another program
		}
	}
	var files []written
	for _, file := range r.Files {
		name := file.File.Name
		if err := writeDiff(out, name, file.File.Text, file.Text); err != nil {
			return nil, err
		}
		if !f.diff && name != "-" {
			files = append(files, written{path: name, text: file.Text})
		}
	}
	if err := writeTogether(files); err != nil {
		return nil, err
	}
	for _, file := range r.Files {
		if name := file.File.Name; !f.diff && name != "-" {
			fmt.Fprintf(stderr, "fairway: %s: %s\n", name, count(file.Edits, "change"))
		}
	}
	if len(r.Files) == 0 && r.Left == 0 {
		fmt.Fprintln(stderr, "fairway: nothing to change")
	}
	if r.Left > 0 {
		fmt.Fprintf(stderr, "fairway: %s: %s\n", left, count(r.Left, "fix"))
	}
	return r, nil
}

// writeDiff shows what changes in a file, without its passwords. Control characters, which could drive the
// terminal, are written as escapes.
func writeDiff(w io.Writer, name string, before, after []byte) error {
	old, changed := source.NewFile(name, before), source.NewFile(name, after)
	name = visible(name)
	d, err := udiff.ToUnifiedDiff(name, name, string(before), udiff.Lines(string(before), string(after)),
		udiff.DefaultContextLines)
	if err != nil {
		return err // the edits are those of these texts
	}
	more := 0 // lines so far; udiff's ToLine leaves out those between the changes of one hunk
	for _, h := range d.Hunks {
		h.ToLine = h.FromLine + more
		from, to := h.FromLine, h.ToLine
		for i := range h.Lines {
			l := &h.Lines[i]
			file, line := changed, to
			if l.Kind != udiff.Insert {
				file, line = old, from
				from++
			}
			if l.Kind != udiff.Delete {
				to++
			}
			end := l.Content[len(strings.TrimRight(l.Content, "\r\n")):]
			l.Content = visible(file.Shown(line)) + strings.ReplaceAll(end, "\r", visible("\r"))
		}
		more += (to - h.ToLine) - (from - h.FromLine)
	}
	if _, err := io.WriteString(w, d.String()); err != nil {
		return ioError("standard output", err)
	}
	return nil
}

// shownOnly is the end of --fix --diff: changes to make fail, and so does what they leave.
func (f *lintFlags) shownOnly(all lintedAll, s site) error {
	if all.changes > 0 {
		return &exitError{code: exitFindings}
	}
	list, _, _ := s.decide(all.found)
	return f.verdict(list)
}
