package lint_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lint"
	"github.com/fairway-sched/fairway/lang/source"
)

// about lints a policy with these factors and holds and gives the codes that are found.
func about(factors, holds []string) string {
	text := "policy \"p\" {\n  component \"c\" {\n    term \"t\" { factor = \"job.procs\" }\n"
	for i, f := range factors {
		text += fmt.Sprintf("    term \"f%d\" { factor = %q }\n", i, f)
	}
	text += "  }\n"
	for i, h := range holds {
		text += fmt.Sprintf("  hold \"h%d\" { when = %q }\n", i, h)
	}
	in := compiler.Input{Files: []*source.File{source.NewFile("a.fairway.hcl", []byte(text+"}\n"))}}
	var codes []string
	for _, d := range compiler.Lint(in, lint.Options{}).Diags {
		codes = append(codes, d.Code)
	}
	return strings.Join(codes, " ")
}

// TestConstantFactors: what an expression is for every job, also where it reads the job.
func TestConstantFactors(t *testing.T) {
	for factor, want := range map[string]string{
		"job.procs > 0 ? 1.0 : 1.0":                                            "constant-factor",
		"job.procs > 0 ? 1.0 : 2.0":                                            "",
		"job.procs * 0":                                                        "constant-factor",
		"double(job.procs * 0)":                                                "constant-factor",
		"job.procs * 2":                                                        "",
		"job.procs > 0 ? job.nodes * 0 : 0":                                    "constant-factor",
		"job.procs > 0 ? job.procs : job.nodes":                                "",
		"job.procs > 1 ? job.queue_minutes : 0.0":                              "",
		"job.procs > 1 ? job.queue_seconds : 60":                               "",
		"job.procs > 1 ? job.queue_minutes : double(job.queue_seconds)":        "unit-mix-up",
		"job.procs > 1 ? job.queue_minutes : double(job.queue_seconds) / 60.0": "",
	} {
		if got := about([]string{factor}, nil); got != want {
			t.Errorf("%s: %q, want %q", factor, got, want)
		}
	}
}

// TestHolds: conditions that no job meets, and those that an earlier hold has whatever the order of their parts.
func TestHolds(t *testing.T) {
	const dead = "unreachable-hold"
	for _, c := range []struct{ holds, want string }{
		{"job.procs > 5 && job.procs < 3", dead},
		{"job.procs > 5 && job.procs <= 5", dead},
		{"job.procs >= 5 && job.procs <= 5", ""},
		{"3 < job.procs && job.procs < 5", ""},
		{"job.procs > 3 && job.nodes < 3", ""},
		{"job.procs > 5 && job.user == 'a' && job.procs < 3", dead},
		{"job.user == 'a' && job.user == 'b'", dead},
		{"job.user == 'a' && job.user == 'a'", ""},
		{"job.user == 'a' && job.group == 'b'", ""},
		{"job.procs > 5 && job.procs < 3 || job.user == 'a' && job.user == 'b'", dead},
		{"job.procs > 5 && job.procs < 3 || job.user == 'a'", ""},
		{"job.procs > 5 || job.procs < 3", ""},
		{"job.user == 'x' && job.procs > 1; job.procs > 1 && job.user == 'x'", dead},
		{"job.user == 'x' && job.procs > 1; job.procs > 2 && job.user == 'x'", dead},
		{"job.user == 'x' && job.procs > 2; job.procs > 1 && job.user == 'x'", ""},
		{"job.user == 'a' || job.user == 'b'; job.user == 'b' || job.user == 'a'", dead},
		{"job.user == 'a' || job.user == 'b'; job.user == 'b' || job.user == 'c'", ""},
		{"job.user == 'a'; job.user == 'a' && job.procs > 1", dead},
		{"job.user == 'a' && job.procs > 1; job.user == 'a'", ""},
	} {
		if got := about(nil, strings.Split(c.holds, "; ")); got != c.want {
			t.Errorf("%s: %q, want %q", c.holds, got, c.want)
		}
	}
}
