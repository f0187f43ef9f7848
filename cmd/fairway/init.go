package main

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/convert/draft"
	"github.com/fairway-sched/fairway/compiler/lint"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/slurmconf"
)

func newInit() *cobra.Command {
	var stdout bool
	cmd := &cobra.Command{
		Use:  "init [FOLDER]",
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			folder := "."
			if len(args) > 0 {
				folder = args[0]
			}
			text, err := newProject(folder)
			if err != nil {
				return err
			}
			name := filepath.Join(folder, projectName)
			switch {
			case stdout:
				name = ""
			case exists(name):
				return failf(exitUsage, "%s is there already, and stays as it is; --stdout shows what would be written", name)
			}
			return writeOutput(name, func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
		},
	}
	cmd.Flags().BoolVar(&stdout, "stdout", false, "print the file instead of writing it")
	return cmd
}

// newProject is the text of a project file for the configurations of a folder.
func newProject(folder string) (string, error) {
	if !isFolder(folder) {
		return "", failf(exitUsage, "%s is no folder", folder)
	}
	f := &lintFlags{}
	d := &disk{}
	list, err := f.named(d, []string{folder})
	if err != nil {
		return "", err
	}
	var files []string
	release := ""
	for _, one := range list {
		short, err := filepath.Rel(folder, one.name)
		if err != nil || one.role != lower.Main && one.role != lower.Overlay {
			continue
		}
		if !utf8.ValidString(short) {
			fmt.Fprintf(stderr, "fairway: %s is left out: a project file names files whose names are UTF-8\n", visible(one.name))
			continue
		}
		files = append(files, filepath.ToSlash(short))
		if one.role != lower.Main || one.lang != lower.Slurm || release != "" {
			continue
		}
		in, err := f.pol.input(d, []string{one.name}, nil)
		if err != nil {
			return "", err
		}
		if found := compiler.Lint(in, lint.Options{}); found.Policy != nil && slurmconf.Stated(in.Files[0]).IsZero() {
			release = found.Policy.Version
		}
	}
	if len(files) == 0 {
		return "", failf(exitUsage, "%s has no main file of a scheduler, no dump and no policy file", folder)
	}
	slices.Sort(files)
	var b strings.Builder
	b.WriteString("# What Fairway knows of the configurations in this folder and below; `fairway doc language` has all " +
		"of it.\nproject {\n")
	if release != "" {
		fmt.Fprintf(&b, "  # The release that runs here. Without it, it is the newest that accepts the slurm.conf.\n  # "+
			"slurm_version = %q\n", release)
	}
	fmt.Fprintf(&b, "  files = [\n")
	for _, name := range files {
		fmt.Fprintf(&b, "    %s,\n", draft.Quote(name))
	}
	b.WriteString(`  ]

  # severity "slurm-window-short" { level = "info" }
  # ignore "slurm-two-defaults" {
  #   reason = "ticket 4711: until the test partition is gone"
  #   until  = "2027-01-01"
  # }
}
`)
	return b.String(), nil
}
