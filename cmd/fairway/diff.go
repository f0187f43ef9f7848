package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/diff"
)

// diffFlags are the flags of diff besides those about policies.
type diffFlags struct {
	pol policyFlags

	with         []string
	newVersion   string
	newSemantics string
	outputs      []string
	exitCode     bool
}

func newDiff() *cobra.Command {
	f := &diffFlags{}
	cmd := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "compare two policies by what they mean",
		Long: `Diff compares two policies by meaning: order, comments, notation and language do not
matter, defaults are resolved, and settings are grouped by what they affect. Each
difference has the value and the place of both sides. A setting of which nothing is
computed, or which nothing weighs, is listed last, as one without effect.

A side of several files is a list with commas: slurm.conf,assoc.cfg. --with adds a file to
both sides. Policies of one scheduler are compared setting by setting; between Maui and
Slurm the terms of the priority, limits, shares and credentials are compared, for
parameters of other names mean other things.

Exit codes: 0, also with differences; with --exit-code 2 if a difference can change a
result; 3 input that cannot be parsed, 4 wrong usage, 5 input or output failed.`,
		Example: `  # what does my change change?
  fairway diff slurm.conf new/slurm.conf

  # with the accounts, in a merge request: fail if results can differ
  fairway diff slurm.conf,assoc.cfg new/slurm.conf,new/assoc.cfg --exit-code
  fairway diff maui.cfg site.fairway.hcl -o json

  # the same file under another version of Slurm, or as its manual has it
  fairway diff slurm.conf slurm.conf --slurm-version 23.11 --new-slurm-version 25.05
  fairway diff maui.cfg maui.cfg --new-semantics documented`,
		Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error { return f.run(args[0], args[1]) },
	}
	f.pol.add(cmd)
	_ = cmd.Flags().MarkHidden("dump") // of eval
	flags := cmd.Flags()
	flags.StringArrayVar(&f.with, "with", nil, "a further policy file of both sides; may repeat")
	flags.StringVar(&f.newVersion, "new-slurm-version", "", "Slurm version of NEW (default: as of OLD)")
	flags.StringVar(&f.newSemantics, "new-semantics", "", "semantics of NEW: observed or documented (default: as of OLD)")
	flags.StringArrayVarP(&f.outputs, "output", "o", nil, "FORMAT or FORMAT=PATH, may repeat: text, json (default text)")
	flags.BoolVar(&f.exitCode, "exit-code", false, "exit with 2 if a difference can change a result")
	completeWords(cmd, "output", "text", "json")
	return cmd
}

func (f *diffFlags) run(before, after string) error {
	if f.pol.dump != "" {
		return failf(exitUsage, "--dump is of eval: fairway eval POLICY --dump=%s", f.pol.dump)
	}
	targets, err := diffTargets(f.outputs)
	if err != nil {
		return err
	}
	d := &disk{}
	x, y, err := f.compile(d, before, after)
	if err != nil {
		return err
	}
	r := diff.Policies(x.Policy, y.Policy)
	for _, t := range targets {
		if err := writeOutput(t.path, func(w io.Writer) error { return t.write(w, r) }); err != nil {
			return err
		}
	}
	if f.exitCode && r.Effective() > 0 {
		return &exitError{code: exitDifferences}
	}
	return nil
}

// compile makes both policies. The new one is read as the old one is, but for what its own flags say.
func (f *diffFlags) compile(d *disk, before, after string) (x, y *compiler.Output, err error) {
	if x, err = f.pol.compile(d, append(filesOf(before), f.with...), nil); err != nil {
		return nil, nil, err
	}
	pol := f.pol
	if f.newVersion != "" {
		pol.slurmVersion = f.newVersion
	}
	if f.newSemantics != "" {
		pol.semantics = f.newSemantics
	}
	y, err = pol.compile(d, append(filesOf(after), f.with...), nil)
	return x, y, err
}

// filesOf are the files of one side: a list with commas, or one file that has a comma in its name.
func filesOf(side string) []string {
	if side == "-" || exists(side) {
		return []string{side}
	}
	return strings.Split(side, ",")
}

// diffTarget is one output.
type diffTarget struct {
	path  string
	write func(io.Writer, *diff.Report) error
}

func diffTargets(outputs []string) (targets []diffTarget, err error) {
	if len(outputs) == 0 {
		outputs = []string{"text"}
	}
	paths, onStdout := map[string]bool{}, 0
	for _, text := range outputs {
		name, path, _ := strings.Cut(text, "=")
		t := diffTarget{path: path}
		switch name {
		case "text":
			t.write = writeDiffText
		case "json":
			t.write = writeDiffJSON
		default:
			return nil, failf(exitUsage, "-o is text or json, not %q", name)
		}
		switch {
		case path == "" || path == "-":
			onStdout++
		case paths[path]:
			return nil, failf(exitUsage, "two outputs go to %s", path)
		}
		paths[path] = true
		targets = append(targets, t)
	}
	if onStdout > 1 {
		return nil, failf(exitUsage, "%d outputs go to standard output: give all but one a file, as in -o json=FILE", onStdout)
	}
	return targets, nil
}

func writeDiffText(w io.Writer, r *diff.Report) error {
	if _, err := fmt.Fprintln(w, r.Verdict()); err != nil || len(r.Differences) == 0 {
		return err
	}
	if _, err := fmt.Fprintln(w); err != nil {
		return err
	}
	return r.WriteText(w)
}

func writeDiffJSON(w io.Writer, r *diff.Report) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(struct {
		FormatVersion int `json:"format_version"`
		diff.Settings
	}{1, r.Settings()})
}
