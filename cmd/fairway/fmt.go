package main

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/fairway-sched/fairway/compiler/lower"
)

func newFmt() *cobra.Command {
	var check, stdout, diff bool
	var lang string
	cmd := &cobra.Command{
		Use:   "fmt FILE...",
		Short: "write policy files in canonical form; comments and meaning stay",
		Long: `Fmt rewrites files in place in the canonical form of their language. A file
that cannot be parsed is left alone. With - or --stdout the result is printed, with
--diff what would change in it.`,
		Example: `  fairway fmt site.fairway.hcl
  fairway fmt --check maui.cfg slurm.conf
  fairway fmt --diff slurm.conf
  fairway fmt - < maui.cfg`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, files []string) error {
			if stdout && (check || diff) {
				return failf(exitUsage, "--stdout prints the result, --check and --diff what would change: give one")
			}
			d, changed := &disk{}, 0
			for _, name := range files {
				c, err := formatFile(d, name, lower.Lang(lang), fmtMode{check, stdout, diff})
				if err != nil {
					return err
				}
				changed += c
			}
			if (check || diff) && changed > 0 {
				return &exitError{code: exitFindings}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "change nothing; name the files that would change and exit with 1 if there are any")
	cmd.Flags().BoolVar(&diff, "diff", false, "change nothing; show what would change and exit with 1 if anything would")
	cmd.Flags().BoolVar(&stdout, "stdout", false, "print the result instead of changing the file")
	cmd.Flags().StringVar(&lang, "lang", "", "language of the files: hcl, maui, slurm or sacctmgr (default: by content)")
	return cmd
}

// fmtMode is what becomes of the result; none of them: it is written to the file.
type fmtMode struct{ check, stdout, diff bool }

func formatFile(d *disk, name string, lang lower.Lang, mode fmtMode) (changed int, err error) {
	f, err := d.readFile(name)
	if err != nil {
		return 0, err
	}
	text, diags := lower.Format(f, lang)
	if diags.HasErrors() {
		return 0, complain(diags)
	}
	if !bytes.Equal(text, f.Text) {
		changed = 1
	}
	switch {
	case mode.diff:
		err = writeDiff(os.Stdout, name, f.Text, text)
	case mode.check:
		if changed > 0 {
			fmt.Println(name)
		}
	case name == "-" || mode.stdout:
		return changed, writeOutput("", func(w io.Writer) error { _, err := w.Write(text); return err })
	case changed > 0:
		err = writeOutput(name, func(w io.Writer) error { _, err := w.Write(text); return err })
	}
	return changed, err
}

func exists(name string) bool {
	info, err := os.Stat(name)
	return err == nil && !info.IsDir()
}
