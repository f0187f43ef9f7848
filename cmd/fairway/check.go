package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/lang/diag"
)

func newCheck() *cobra.Command {
	var (
		pol    policyFlags
		output string
		strict bool
	)
	cmd := &cobra.Command{
		Use:   "check POLICY...",
		Short: "say what is wrong with a policy, and what to type instead",
		Long: `Check compiles a policy and prints every finding with its place: what the
scheduler would refuse, what it would silently ignore, and what Fairway does not
support. It exits with 1 if there are findings of the chosen severity.`,
		Example: `  fairway check maui.cfg
  fairway check slurm.conf assoc.cfg --slurm-version 23.11
  fairway check site.fairway.hcl -o json`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, files []string) error {
			if output != "text" && output != "json" {
				return failf(exitUsage, "-o is text or json, not %q", output)
			}
			in, err := pol.input(&disk{}, files, nil)
			if err != nil {
				return err
			}
			out := compiler.Compile(in)
			notOurs(out.Diags)
			err = writeOutput("", func(w io.Writer) error {
				if output == "json" {
					return diag.WriteJSON(w, out.Diags)
				}
				return writeFindings(w, out.Diags, false)
			})
			if err != nil {
				return err
			}
			for _, d := range out.Diags {
				if d.Severity == diag.Error || d.Severity == diag.Warning && strict {
					return &exitError{code: exitFindings}
				}
			}
			return nil
		},
	}
	pol.add(cmd)
	cmd.Flags().StringVarP(&output, "output", "o", "text", "text or json")
	cmd.Flags().BoolVar(&strict, "strict", false, "warnings count as failures too")
	return cmd
}

// notOurs turns what only this program cannot do into a note: the file is right.
func notOurs(list diag.List) {
	for _, d := range list {
		if strings.HasPrefix(d.Code, "unsupported-") {
			d.Severity = diag.Info
		}
	}
}

func writeFindings(w io.Writer, list diag.List, colour bool) error {
	if err := diag.WriteText(w, list, colour); err != nil {
		return err
	}
	var n [3]int
	for _, d := range list {
		n[d.Severity]++
	}
	if len(list) == 0 {
		_, err := fmt.Fprintln(w, "no findings")
		return err
	}
	_, err := fmt.Fprintf(w, "%s, %s, %s\n", count(n[diag.Error], "error"), count(n[diag.Warning], "warning"), count(n[diag.Info], "note"))
	return err
}

// count is "1 error" or "2 errors".
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	if strings.HasSuffix(what, "x") {
		return fmt.Sprintf("%d %ses", n, what)
	}
	return fmt.Sprintf("%d %ss", n, what)
}
