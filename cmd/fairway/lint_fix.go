package main

import (
	"fmt"
	"io"
	"os"

	"github.com/aymanbagabas/go-udiff"

	"github.com/fairway-sched/fairway/compiler"
)

// repair makes the changes that mean the same, and shows them.
func (f *lintFlags) repair(in compiler.Input, found *compiler.Linted) error {
	fixed, left := compiler.Fix(in, found)
	for _, file := range fixed {
		name := file.File.Name
		diff := udiff.Unified(name, name, string(file.File.Text), string(file.Text))
		if err := writeOutput("", func(w io.Writer) error { _, err := io.WriteString(w, diff); return err }); err != nil {
			return err
		}
		if f.diff || name == "-" {
			continue
		}
		if err := writeOutput(name, func(w io.Writer) error { _, err := w.Write(file.Text); return err }); err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "fairway: %s: %s\n", name, count(file.Edits, "change"))
	}
	if len(fixed) == 0 {
		fmt.Fprintln(os.Stderr, "fairway: nothing to change without changing what it means")
	}
	if left > 0 {
		fmt.Fprintf(os.Stderr, "fairway: left to you, since it changes what the policy means: %s; see the findings\n", count(left, "fix"))
	}
	if f.diff && len(fixed) > 0 {
		return &exitError{code: exitFindings}
	}
	return nil
}
