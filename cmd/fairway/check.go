package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fairway-sched/fairway/lang/diag"
)

func newCheck() *cobra.Command {
	f, strict := &lintFlags{failing: true}, false
	cmd := &cobra.Command{
		Use: "check FILE|FOLDER...",
		RunE: func(_ *cobra.Command, files []string) error {
			if strict {
				f.failOn = "warning"
			}
			return f.run(files)
		},
	}
	f.add(cmd, "error")
	cmd.Flags().BoolVar(&strict, "strict", false, "warnings count as failures too: --fail-on warning")
	return cmd
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
	_, err := fmt.Fprintf(w, "%s, %s, %s\n", count(n[diag.Error], "error"), count(n[diag.Warning], "warning"),
		count(n[diag.Info], "note"))
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
