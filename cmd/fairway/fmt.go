package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/diag"
)

func newFmt() *cobra.Command {
	var check, stdout, diff bool
	var lang string
	cmd := &cobra.Command{
		Use:  "fmt PATH...",
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, paths []string) error {
			if stdout && (check || diff) {
				return failf(exitUsage, "--stdout prints the result, --check and --diff what would change: give one")
			}
			return formatAll(paths, lower.Lang(lang), fmtMode{check, stdout, diff})
		},
	}
	cmd.Flags().BoolVar(&check, "check", false,
		"change nothing; name the files that would change and exit with 1 if there are any")
	cmd.Flags().BoolVar(&diff, "diff", false, "change nothing; show what would change and exit with 1 if anything would")
	cmd.Flags().BoolVar(&stdout, "stdout", false, "print the result instead of changing the file")
	cmd.Flags().StringVar(&lang, "lang", "", "language of the files: hcl, maui, slurm or sacctmgr (default: by content)")
	return cmd
}

// fmtMode is what becomes of the result; none of them: it is written to the file.
type fmtMode struct{ check, stdout, diff bool }

// formatAll goes on after a file that cannot be parsed, and complains in the end.
func formatAll(paths []string, lang lower.Lang, mode fmtMode) error {
	d, changed := &disk{}, false
	var wrong diag.List
	for _, p := range paths {
		files, folder := []string{p}, isFolder(p)
		if folder {
			var err error
			if files, err = filesBelow(files, isPolicy); err != nil {
				return err
			}
		}
		for _, name := range files {
			f, err := d.readFile(name)
			if err != nil {
				return err
			}
			if role, _ := lower.RoleOf(f); folder && (role == lower.Unknown || role == lower.Beside) {
				continue
			}
			text, diags := lower.Format(f, lang)
			if diags.HasErrors() {
				wrong = append(wrong, diags...)
				continue
			}
			changed = changed || !bytes.Equal(text, f.Text)
			if err := mode.put(name, f.Text, text); err != nil {
				return err
			}
		}
	}
	switch {
	case len(wrong) > 0:
		return complain(wrong)
	case changed && (mode.check || mode.diff):
		return &exitError{code: exitFindings}
	}
	return nil
}

// put shows the result of a file, or writes it.
func (m fmtMode) put(name string, before, text []byte) error {
	changed := !bytes.Equal(before, text)
	switch {
	case m.diff:
		return writeDiff(os.Stdout, name, before, text)
	case m.check && changed:
		fmt.Println(visible(name))
	case name == "-" && !m.check || m.stdout:
		return writeOutput("", func(w io.Writer) error { _, err := w.Write(text); return err })
	case changed:
		return writeOutput(name, func(w io.Writer) error { _, err := w.Write(text); return err })
	}
	return nil
}

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// isPolicy reports a name that policies have.
func isPolicy(name string) bool {
	switch filepath.Ext(name) {
	case ".conf", ".cfg", ".hcl":
		return true
	}
	return false
}

func exists(name string) bool {
	info, err := os.Stat(name)
	return err == nil && !info.IsDir()
}
