package main

import (
	"fmt"
	"io"
	"os"
	"slices"
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
	seed              uint64
	tries             int
	output            string
}

func newConvert() *cobra.Command {
	f := &convertFlags{}
	cmd := &cobra.Command{
		Use:   "convert POLICY... --to LANGUAGE",
		Short: "write a policy in another language, and say what that cannot say",
		Long: `Convert writes a policy in another language: the files of a scheduler in Fairway's own,
a policy file for the scheduler that it uses, or the policy of one scheduler for another.

In HCL parameters come into params, all else into record blocks; a comment at each line
names the line it is from, and comments of the files go along. HCL says all that the files say.

maui.cfg and slurm.conf cannot say all that a policy file can. What they cannot say, what
they say otherwise and what only comes near is listed, each with its place. With another
scheduler much is only near: the weights are scaled, limits are hung on what the other
scheduler has, and the rest is listed.

Where results can differ, queues are generated until jobs are found for which they do: the
smallest such queue is shown, with what both policies make of its jobs.

Nothing is taken on trust: the result is compiled again and compared. HCL that would not
mean the same is not written. What the scheduler passes over is listed and left out.

The policy goes to standard output or to --out, which is replaced only by a whole one; the
accounts that go with a slurm.conf go to --accounts, in the format of sacctmgr dump.
Findings go to standard error.

Exit codes: 0 written and the same, 1 something cannot be said, 3 input that cannot be
parsed, 4 wrong usage, 5 input or output failed.`,
		Example: `  fairway convert maui.cfg --to hcl
  fairway convert slurm.conf assoc.cfg --to hcl --out site.fairway.hcl
  fairway convert site.fairway.hcl --to slurm --out slurm.conf --accounts assoc.cfg
  fairway convert maui.cfg site.fairway.hcl --to maui`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, files []string) error { return f.run(files) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.to, "to", "", "language to write: "+strings.Join(targets(), ", "))
	flags.StringVar(&f.out, "out", "", "file to write to (default: standard output)")
	flags.StringVar(&f.accounts, "accounts", "", "file for the accounts that go with a slurm.conf")
	flags.IntVar(&f.tries, "tries", 500, "where results can differ, generate so many queues to find jobs for which they do; 0 does not look")
	flags.Uint64Var(&f.seed, "seed", 1, "where that search begins")
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
	if !slices.Contains(targets(), f.to) {
		return failf(exitUsage, "--to is one of %s, not %q", strings.Join(targets(), ", "), f.to)
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
	out, found := convert.To(lower.Lang(f.to), units, in.Options)
	if found.HasErrors() {
		return f.report(found)
	}
	if len(out.Accounts) > 0 && f.accounts == "" && len(out.Text) > 0 {
		return failf(exitUsage, "the accounts and QOS of this policy go into a file of their own: say where with --accounts FILE")
	}
	if err := f.write(out); err != nil {
		return err
	}
	if f.tries > 0 && slices.ContainsFunc(found, func(d *diag.Diagnostic) bool { return d.Code == "convert-not-said" || d.Code == "convert-approximated" }) {
		if d := f.example(in, out); d != nil {
			found = append(found, d)
		}
	}
	return f.report(found)
}

// write writes the accounts first: a slurm.conf without them would mean something else.
func (f *convertFlags) write(out convert.Result) error {
	text := func(b []byte) func(io.Writer) error {
		return func(w io.Writer) error { _, err := w.Write(b); return err }
	}
	if f.accounts != "" && len(out.Accounts) > 0 {
		if err := writeOutput(f.accounts, text(out.Accounts)); err != nil {
			return err
		}
		out.Accounts = nil
	}
	if len(out.Text) == 0 && len(out.Accounts) > 0 {
		out.Text = out.Accounts // of accounts alone
	}
	return writeOutput(f.out, text(out.Text))
}

func targets() (names []string) {
	for _, t := range convert.Targets {
		names = append(names, string(t))
	}
	return names
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
	}
	if slices.ContainsFunc(ours, func(d *diag.Diagnostic) bool { return d.Severity != diag.Info }) {
		return &exitError{code: exitFindings}
	}
	return nil
}
