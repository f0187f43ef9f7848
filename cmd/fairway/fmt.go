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
	var check, stdout bool
	var lang string
	cmd := &cobra.Command{
		Use:   "fmt FILE...",
		Short: "write policy files in canonical form; comments and meaning stay",
		Long: `Fmt rewrites files in place in the canonical form of their language. A file
that cannot be parsed is left alone. With - or --stdout the result is printed.`,
		Example: `  fairway fmt site.fairway.hcl
  fairway fmt --check maui.cfg slurm.conf
  fairway fmt - < maui.cfg`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, files []string) error {
			d, changed := &disk{}, 0
			for _, name := range files {
				c, err := formatFile(d, name, lower.Lang(lang), check, stdout)
				if err != nil {
					return err
				}
				changed += c
			}
			if check && changed > 0 {
				return &exitError{code: exitFindings}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "change nothing; name the files that would change and exit with 1 if there are any")
	cmd.Flags().BoolVar(&stdout, "stdout", false, "print the result instead of changing the file")
	cmd.Flags().StringVar(&lang, "lang", "", "language of the files: hcl, maui, slurm or sacctmgr (default: by content)")
	return cmd
}

func formatFile(d *disk, name string, lang lower.Lang, check, stdout bool) (changed int, err error) {
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
	case check:
		if changed > 0 {
			fmt.Println(name)
		}
	case name == "-" || stdout:
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
