package policy_test

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
		"job.procs - job.procs":                                                "constant-factor",
		"job.procs - job.nodes":                                                "",
		"double(job.procs) - double(job.procs)":                                "constant-factor",
		"job.procs >= 0 ? 1.0 : 0.0":                                           "constant-factor",
		"job.procs >= 1 ? 1.0 : 0.0":                                           "",
		"job.procs < 0 ? 1.0 : 0.0":                                            "constant-factor",
		"job.walltime_seconds >= 0 ? 1.0 : 0.0":                                "",
		"has(job.walltime_seconds) ? 1.0 : 0.0":                                "",
		"clamp(double(job.procs), 1.0, 1.0)":                                   "constant-factor",
		"clamp(double(job.procs), 1.0, 2.0)":                                   "",
		"clamp(job.queue_minutes, 5.0, 2.0)":                                   "constant-factor",
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
		{"job.user in ['a', 'b']; job.user == 'b'", dead},
		{"job.user in ['a', 'b']; job.user == 'c'", ""},
		{"job.user in ['a', 'b']; job.user in ['b', 'c']", ""},
		{"job.user == 'a  b'; job.user == 'a b'", ""},
		{"job.user != 'a'; job.user == 'b'", dead},
		{"job.user != 'a'; job.user == 'a'", ""},
		{"!(job.procs <= 4); job.procs > 8", dead},
		{"!(job.procs <= 4); job.procs > 3", ""},
		{"job.procs > 4; double(job.procs) > 4.5", dead},
		{"double(job.procs) > 4.5; job.procs > 4", dead},
		{"job.queue_minutes > 4.5; job.queue_minutes > 4.0", ""},
		{"job.user.startsWith('a'); job.user.startsWith('a') && job.procs > 1", dead},
		{"job.user.startsWith('a'); job.user.startsWith('b') && job.procs > 1", ""},
		{"job.walltime_seconds / 3600 > 10; job.walltime_seconds / 3600 > 20", dead},
		{"job.walltime_seconds / 3600 > 10; job.walltime_seconds / 60 > 20", ""},
		{"job.procs < 0", dead},
		{"job.procs <= 0", ""},
		{"job.queue_seconds < 0", ""},
		{"job.nice < 0", ""},
		{"job.procs != job.procs", dead},
		{"job.procs != job.nodes", ""},
		{"has(job.walltime_seconds) && !has(job.walltime_seconds)", dead},
		{"!has(job.walltime_seconds) && job.walltime_seconds > 5", dead},
		{"job.procs >= 0", "hold-for-all"},
		{"job.procs >= 1", ""},
		{"job.walltime_seconds >= 0", ""},
		{"job.held || !job.held", "hold-for-all"},
		{"job.user == 'a' || job.user != 'a'", "hold-for-all"},
		{"job.user == 'a' || job.user != 'b'", ""},
		{"job.user == 'a'; job.user == 'b'; job.user in ['a', 'b']", ""},
	} {
		if got := about(nil, strings.Split(c.holds, "; ")); got != c.want {
			t.Errorf("%s: %q, want %q", c.holds, got, c.want)
		}
	}
}

// TestUnguardedZero: what clamp bounds of an infinity, and where exp is 0.
func TestUnguardedZero(t *testing.T) {
	large := "job.gpus > 0"
	for i := range 14 {
		large += fmt.Sprintf(" && job.user != 'u%d' && job.mem_mb > %d && job.nodes != %d", i, 1000*i, 50+i)
	}
	for factor, want := range map[string]string{
		large + " ? 1.0 / double(job.gpus) : 0.0":                                    "",
		strings.Replace(large, "> 0", ">= 0", 1) + " ? 1.0 / double(job.gpus) : 0.0": "unguarded-zero",
		"clamp(1.0 / double(job.gpus + 1), 0.0, 5.0)":                                "",
		"clamp(1.0 / double(job.gpus), 0.0, 5.0)":                                    "",
		"clamp(2.0 * (job.queue_minutes / 60.0), 0.0, 5.0)":                          "",
		"clamp(1.0 / double(job.gpus) * 2.0 - 1.0, 0.0, 5.0)":                        "",
		"clamp(1.0 / double(job.gpus) - 1.0 / double(job.gpus), 0.0, 5.0)":           "unguarded-zero unguarded-zero",
		"clamp(1.0 / double(job.gpus) * double(job.gpus), 0.0, 5.0)":                 "unguarded-zero",
		"clamp(job.queue_minutes, 0.0, 1.0 / double(job.gpus))":                      "unguarded-zero",
		"1.0 / exp(job.queue_minutes)":                                               "",
		"1.0 / exp(-1.0 * job.queue_minutes)":                                        "unguarded-zero",
		"math.sqrt(exp(-1.0 * job.queue_minutes))":                                   "",
	} {
		if got := about([]string{factor}, nil); got != want {
			t.Errorf("%s: %q, want %q", factor, got, want)
		}
	}
}
