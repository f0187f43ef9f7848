package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fairway-sched/fairway/compiler/convert"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/diag"
)

// convertFlags are the flags of convert.
type convertFlags struct {
	pol policyFlags

	to, out, accounts string
	output            string
}

func newConvert() *cobra.Command {
	f := &convertFlags{}
	cmd := &cobra.Command{
		Use:   "convert POLICY... --to LANGUAGE",
		Short: "write a policy in another language, and say what that cannot say",
		Long: `Convert writes the policy of a scheduler in Fairway's own language. Parameters come into
params, all else into record blocks; a comment at each line names the line it is from.
Nothing is taken on trust: the result is compiled again, and unless it means the same,
nothing is written. What the scheduler passes over is listed and left out, and so are
comments.

The policy goes to standard output or to --out, which is replaced only by a whole one;
findings go to standard error.

Exit codes: 0 written, 1 it cannot be said, 3 input that cannot be parsed,
4 wrong usage, 5 input or output failed.`,
		Example: `  fairway convert maui.cfg --to hcl
  fairway convert slurm.conf assoc.cfg --to hcl --out site.fairway.hcl`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, files []string) error { return f.run(files) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.to, "to", "", "language to write: hcl")
	flags.StringVar(&f.out, "out", "", "file to write to (default: standard output)")
	flags.StringVarP(&f.output, "output", "o", "text", "how findings are written: text or json")
	flags.StringVar(&f.pol.lang, "lang", "", "language of the policy files: hcl, maui, slurm or sacctmgr (default: by content)")
	flags.StringVar(&f.pol.semantics, "semantics", "", "observed: as the real scheduler behaves; documented: as its manual says (default observed)")
	flags.StringVar(&f.pol.slurmVersion, "slurm-version", "", "Slurm version as YY.MM (default: the policy's, else the newest known)")
	flags.StringSliceVar(&f.pol.deviations, "deviation", nil, "follow the manual in one point, by name or number; see fairway doc deviations")
	_ = cmd.MarkFlagRequired("to")
	return cmd
}

func (f *convertFlags) run(files []string) error {
	if f.output != "text" && f.output != "json" {
		return failf(exitUsage, "-o is text or json, not %q", f.output)
	}
	if f.to != "hcl" {
		return failf(exitUsage, "--to is hcl, not %q", f.to)
	}
	in, err := f.pol.input(&disk{}, files, nil)
	if err != nil {
		return err
	}
	var units []lower.Unit
	var diags diag.List
	for _, file := range in.Files {
		u, found := lower.Parse(file, in.Lang, in.Include)
		units, diags = append(units, u), append(diags, found...)
	}
	if diags.HasErrors() {
		return complain(diags)
	}
	text, found := convert.HCL(units, in.Options)
	if err := f.report(found); err != nil {
		return err
	}
	return writeOutput(f.out, func(w io.Writer) error { _, err := w.Write(text); return err })
}

// report writes what there is to say of the conversion; what is wrong with the file itself is left
// to check. The error is the exit code of a policy that cannot be written.
func (f *convertFlags) report(found diag.List) error {
	var ours, errs diag.List
	for _, d := range found {
		switch {
		case strings.HasPrefix(d.Code, "convert-"):
			ours = append(ours, d)
		case d.Severity == diag.Error:
			errs = append(errs, d)
		}
	}
	if len(errs) > 0 {
		return complain(errs)
	}
	ours.Sort()
	if f.output == "json" {
		if err := diag.WriteJSON(os.Stderr, ours); err != nil {
			return ioError("standard error", err)
		}
	} else {
		printDiags(ours)
	}
	if ours.HasErrors() {
		fmt.Fprintln(os.Stderr, "fairway: nothing was written")
		return &exitError{code: exitFindings}
	}
	return nil
}
