package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"golang.org/x/term"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// exprPrompt is what the terminal shows before an expression.
const exprPrompt = "expr> "

// interactive asks for one expression after the other on a terminal. The queue is read once.
func (x *expression) interactive(given func(flag string) bool) error {
	in, out := int(os.Stdin.Fd()), int(os.Stdout.Fd())
	if !term.IsTerminal(in) || !term.IsTerminal(out) {
		return failf(exitUsage, "no expression: give one, as in fairway expr 'job.procs * 2' -s squeue.json; "+
			"without one expr asks for it on a terminal, and this is none")
	}
	if err := x.check(given); err != nil {
		return err
	}
	if x.output != "table" {
		return failf(exitUsage, "-o %s is for one expression: give it as an argument", x.output)
	}
	d := &disk{}
	s, read, err := x.snap.read(d)
	if err != nil {
		return err
	}
	printDiags(notable(read))
	lines := term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{os.Stdin, os.Stdout}, exprPrompt)
	fmt.Printf("%s; :type EXPR, :columns, :quit\n", count(jobRows(s), "job"))
	for {
		text, err := readLine(in, lines)
		switch {
		case errors.Is(err, io.EOF):
			fmt.Println()
			return nil
		case err != nil:
			return ioError("the terminal", err)
		}
		if text = strings.TrimSpace(text); text == ":quit" || text == ":q" {
			return nil
		}
		x.command(text, func(text string) error {
			x.text = text
			return x.answerOn(d, s, func(write func(io.Writer) error) error { return writeOutput("", write) })
		}, func(text string) error {
			x.text = text
			if err := x.evaluate(d, s); err != nil {
				return err
			}
			fmt.Println(x.query.Type)
			return nil
		})
	}
}

// readLine reads a line with the keys of an editor; the terminal is as it was while an expression is evaluated, so that
// Ctrl-C ends that.
func readLine(in int, lines *term.Terminal) (string, error) {
	before, err := term.MakeRaw(in)
	if err != nil {
		return "", err
	}
	if width, height, err := term.GetSize(in); err == nil && width > 0 {
		_ = lines.SetSize(width, height) // an older width only wraps lines elsewhere
	}
	text, err := lines.ReadLine()
	return text, errors.Join(err, term.Restore(in, before))
}

// command does what a line asks. A mistake is shown and ends nothing.
func (x *expression) command(text string, value, typeOf func(text string) error) {
	name, rest, _ := strings.Cut(text, " ")
	rest = strings.TrimSpace(rest)
	var err error
	switch {
	case text == "":
	case name == ":type" && rest == "":
		err = failf(exitUsage, ":type is followed by an expression, as in :type job.procs * 2")
	case name == ":type":
		err = typeOf(rest)
	case name == ":columns":
		err = writeColumns(os.Stdout, rest)
	case strings.HasPrefix(name, ":"):
		err = failf(exitUsage, "%s", unknownWord("command", name, []string{":type", ":columns", ":quit"}))
	default:
		err = value(text)
	}
	if err != nil && err.Error() != "" { // else it was printed
		fmt.Fprintf(stderr, "fairway: %v\n", err)
	}
}

// writeColumns lists what an expression can read: of one object, or all objects with the number of their columns.
func writeColumns(w io.Writer, object string) error {
	if o := schema.ObjectByName(object); o != nil {
		object = o.Name // class is partition
	}
	var names []string
	for _, o := range schema.Objects {
		if len(o.Columns) == 0 || o.Apart {
			continue
		}
		if names = append(names, o.Name); object == "" {
			fmt.Fprintf(w, "%-14s %s: %s\n", o.Name, count(len(o.Columns), "column"), o.Doc)
		}
		for _, c := range o.Columns {
			if o.Name == object {
				fmt.Fprintf(w, "%-32s %-12s %s\n", c.ID, c.Type, c.Doc)
			}
		}
	}
	if object != "" && !slices.Contains(names, object) {
		return failf(exitUsage, "%s", unknownWord("object", object, names))
	}
	if object == "" {
		fmt.Fprintln(w, ":columns job lists those of jobs")
	}
	return nil
}

func jobRows(s *snapshot.Snapshot) int {
	if s.Jobs == nil {
		return 0
	}
	return s.Jobs.Rows
}
