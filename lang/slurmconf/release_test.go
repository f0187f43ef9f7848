package slurmconf

import (
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/conformance/cases"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// TestReleases: as which release a text is read that does not say it, what is reported of that, and the errors left.
func TestReleases(t *testing.T) {
	cases.Run(t, "testdata/releases.txt", func(t *testing.T, c cases.Case) string {
		cfg, ds := evaluateText(t, head+c.In, Options{})
		out := []string{cfg.Version}
		for _, d := range ds {
			if d.Code == "slurm-release" {
				out = append(out, d.Message)
			} else if d.Severity == diag.Error {
				out = append(out, d.Code)
			}
		}
		return strings.Join(out, "\n")
	})
}

// TestStated: the comment that says which release a file is for.
func TestStated(t *testing.T) {
	for text, want := range map[string]string{
		"# fairway: slurm-version=22.05\n":               "22.05",
		"A=1\n  #fairway: slurm-version = 23.11.4 why\n": "23.11.4",
		"A=1 # fairway: slurm-version=22.05\n":           "",
		"# the fairway: slurm-version=22.05\n":           "",
		"# fairway: slurm-version=\n":                    "",
	} {
		if got := Stated(source.NewFile("f", []byte(text))).Text(); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
