package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fairway-sched/fairway/lang/diag"
	report "github.com/fairway-sched/fairway/runtime/report/sweep"
)

func sweepFormats(list []report.Format) (names []string) {
	for i := range list {
		names = append(names, list[i].Name)
	}
	return names
}

func newSweepMerge() *cobra.Command {
	f := sweepOutput{list: report.CellFormats, usual: "jsonl"}
	cmd := &cobra.Command{
		Use:  "merge DIR",
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return f.write(args[0]) },
	}
	f.add(cmd)
	return cmd
}

func newSweepReport() *cobra.Command {
	f := sweepOutput{list: report.Formats, usual: "table"}
	cmd := &cobra.Command{
		Use:  "report DIR",
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return f.write(args[0]) },
	}
	f.add(cmd)
	return cmd
}

// sweepOutput is what merge and report write, and how.
type sweepOutput struct {
	list        []report.Format
	usual       string
	outputs     []string
	partial     bool
	spreadsheet bool
}

func (f *sweepOutput) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVarP(&f.outputs, "output", "o", nil,
		"FORMAT, or FORMAT=FILE as in json=sweep.json, may repeat: "+strings.Join(sweepFormats(f.list), ", "))
	flags.BoolVar(&f.partial, "partial", false, "take what is there, although cells are missing")
	flags.BoolVar(&f.spreadsheet, "spreadsheet", false, spreadsheetHelp)
	completeWords(cmd, "output", sweepFormats(f.list)...)
}

// sweepTarget is one output, to a file or to standard output.
type sweepTarget struct {
	format *report.Format
	path   string
}

func (f *sweepOutput) targets() (targets []sweepTarget, err error) {
	outputs := f.outputs
	if len(outputs) == 0 {
		outputs = []string{f.usual}
	}
	var diags diag.List
	onStdout := 0
	for _, text := range outputs {
		name, path, _ := strings.Cut(text, "=")
		format := report.Find(f.list, name, &diags)
		if format == nil {
			printDiags(diags)
			return nil, &exitError{code: exitUsage}
		}
		if targets = append(targets, sweepTarget{format, path}); path == "" || path == "-" {
			onStdout++
		}
	}
	if onStdout > 1 {
		return nil, failf(exitUsage, "%d outputs go to standard output: give all but one a file, as in -o json=FILE",
			onStdout)
	}
	return targets, nil
}

// write writes all outputs. None is a file of the sweep.
func (f *sweepOutput) write(path string) error {
	targets, err := f.targets()
	if err != nil {
		return err
	}
	dir, err := openSweep(path)
	if err != nil {
		return err
	}
	outputs := usesOf(targets, func(t sweepTarget) use { return use{what: "-o " + t.format.Name, path: t.path} })
	if err := nothingWritten(outputs, []use{{what: "the sweep", path: path, part: ofSweep}}); err != nil {
		return err
	}
	results, err := dir.complete(f.partial)
	if err != nil {
		return err
	}
	r := report.New(dir.Manifest, results)
	r.Spreadsheet = f.spreadsheet
	for _, t := range targets {
		r.Colour = t.path == "" && colourful(os.Stdout)
		if err := writeOutput(t.path, func(w io.Writer) error { return t.format.Write(w, r) }); err != nil {
			return err
		}
	}
	if missing := dir.missing(); len(missing) > 0 {
		fmt.Fprintf(stderr, "fairway: %s of %d missing\n", count(len(missing), "cell"), dir.count())
	}
	return nil
}

// ofSweep is the part of a sweep's folder that Fairway keeps.
func ofSweep(_, inside string) bool {
	first, _, _ := strings.Cut(inside, "/")
	switch first {
	case sweepManifest, sweepLock, sweepRounds, sweepTasks, sweepLogs, sweepCosts, sweepInputs, sweepCells:
		return true
	}
	return false
}
