package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fairway-sched/fairway/lang/diag"
	report "github.com/fairway-sched/fairway/runtime/report/sweep"
)

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
	names := each(f.list, func(r report.Format) string { return r.Name })
	flags.StringArrayVarP(&f.outputs, "output", "o", nil,
		"FORMAT, or FORMAT=FILE as in json=sweep.json, may repeat: "+strings.Join(names, ", "))
	flags.BoolVar(&f.partial, "partial", false, "take what is there, although cells are missing")
	flags.BoolVar(&f.spreadsheet, "spreadsheet", false, spreadsheetHelp)
	completeWords(cmd, "output", names...)
}

// write writes all outputs. None is a file of the sweep.
func (f *sweepOutput) write(path string) error {
	targets, err := targetsOf(f.outputs, f.usual, func(name string) (*report.Format, error) {
		var why diag.List
		return found(report.Find(f.list, name, &why), why)
	})
	if err != nil {
		return err
	}
	dir, err := openSweep(path)
	if err != nil {
		return err
	}
	if err := nothingWritten(writtenTo(targets), []use{{what: "the sweep", path: path, part: ofSweep}}); err != nil {
		return err
	}
	results, err := dir.complete(f.partial)
	if err != nil {
		return err
	}
	r := report.New(dir.Manifest, results)
	r.Spreadsheet = f.spreadsheet
	for _, t := range targets {
		r.Colour = t.colour()
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
