package lint_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lint"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// fixture is one case: files that are linted together.
type fixture struct {
	rule    string
	fires   bool
	version string
	files   []*source.File
}

func fixtures(t *testing.T) (list []*fixture) {
	t.Helper()
	paths, err := filepath.Glob("testdata/rules/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	for _, name := range paths {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range txtar.Parse(text).Files {
			parts := strings.Split(f.Name, "/")
			if len(parts) != 3 {
				t.Fatalf("%s: section %s is not RULE/fires/FILE or RULE/quiet/FILE", name, f.Name)
			}
			kind, version, _ := strings.Cut(parts[1], "@")
			if kind != "fires" && kind != "quiet" {
				t.Fatalf("%s: section %s", name, f.Name)
			}
			c := &fixture{rule: parts[0], fires: kind == "fires", version: version}
			if n := len(list); n > 0 && list[n-1].rule == c.rule && list[n-1].fires == c.fires && list[n-1].version == c.version && !list[n-1].has(parts[2]) {
				c = list[n-1]
			} else {
				list = append(list, c)
			}
			c.files = append(c.files, source.NewFile(parts[2], f.Data))
		}
	}
	return list
}

// has reports a file of that name: another begins the next case.
func (c *fixture) has(name string) bool {
	return slices.ContainsFunc(c.files, func(f *source.File) bool { return f.Name == name })
}

func (c *fixture) lint() diag.List {
	return lintFiles(c.version, c.files...).Diags
}

func lintFiles(version string, files ...*source.File) *compiler.Linted {
	in := compiler.Input{Files: files, Options: lower.Options{Version: version}}
	if len(files) == 1 { // some are too short to be recognised
		in.Lang = map[string]lower.Lang{"maui.cfg": lower.Maui, "slurm.conf": lower.Slurm}[files[0].Name]
	}
	return compiler.Lint(in, lint.Options{All: true})
}

// TestRules: each rule fires where it must and is quiet where it must, and there is a case of each
// kind for every rule that a policy alone can break.
func TestRules(t *testing.T) {
	type seen struct{ fires, quiet bool }
	cases := map[string]*seen{}
	for _, c := range fixtures(t) {
		codes := lint.Codes(c.rule)
		if len(codes) == 0 {
			t.Errorf("%s is no rule", c.rule)
			continue
		}
		s := cases[c.rule]
		if s == nil {
			s = &seen{}
			cases[c.rule] = s
		}
		s.fires, s.quiet = s.fires || c.fires, s.quiet || !c.fires
		var found *diag.Diagnostic
		for _, d := range c.lint() {
			if slices.Contains(codes, d.Code) {
				found = d
			}
		}
		switch {
		case c.fires && found == nil:
			t.Errorf("%s does not fire on\n%s%s", c.rule, c.files[0].Text, messages(c.lint()))
		case !c.fires && found != nil:
			t.Errorf("%s fires on\n%s%s", c.rule, c.files[0].Text, found.Message)
		case found != nil && found.Span.IsZero():
			t.Errorf("%s has no place", c.rule)
		case found != nil && len(found.Notes) == 0:
			t.Errorf("%s gives no advice", c.rule)
		}
	}
	for _, k := range lint.KnownRules() {
		if s := cases[k.ID]; s == nil || !s.fires || !s.quiet {
			t.Errorf("%s lacks a case", k.ID)
		}
	}
	for _, r := range lint.Rules() {
		queue := strings.HasPrefix(r.Code, "queue-") || strings.HasPrefix(r.Code, "upgrade-") || strings.HasPrefix(r.Code, "ignore-")
		if s := cases[r.Code]; !queue && (s == nil || !s.fires || !s.quiet) {
			t.Errorf("%s %s lacks a case", r.ID, r.Code)
		}
	}
}

func messages(list diag.List) string {
	var b strings.Builder
	for _, d := range list {
		b.WriteString(d.Code + ": " + d.Message + "\n")
	}
	return b.String()
}

// TestPages: every rule has a whole page, one code and a number.
func TestPages(t *testing.T) {
	codes := map[string]bool{}
	for _, r := range lint.Rules() {
		if r.ID == "" || r.Code == "" || r.What == "" || r.Why == "" || r.Example == "" || r.Instead == "" || r.Source == "" {
			t.Errorf("%s %s has an empty part", r.ID, r.Code)
		}
		if codes[r.Code] {
			t.Errorf("two rules are called %s", r.Code)
		}
		codes[r.Code] = true
	}
}

// TestNumbers: no number is missing, but for those that never were a rule's.
func TestNumbers(t *testing.T) {
	has := map[string]bool{}
	for _, k := range lint.KnownRules() {
		has[k.ID] = true
	}
	for _, r := range lint.Rules() {
		has[r.ID] = true
	}
	for _, span := range []struct {
		format string
		from   int
		to     int
		not    []int
	}{{"M", 1, 26, nil}, {"M", 101, 119, nil}, {"M", 201, 217, nil}, {"M", 301, 315, nil}, {"SL", 1, 110, []int{54, 55, 56, 57, 58, 59, 87, 88, 89}}} {
		for n := span.from; n <= span.to; n++ {
			id := span.format + string(rune('0'+n/100)) + string(rune('0'+n/10%10)) + string(rune('0'+n%10))
			if !has[id] && !slices.Contains(span.not, n) {
				t.Errorf("%s is no rule", id)
			}
		}
	}
}

// withoutExample are the rules whose example is not a whole input: what a dump or a queue says is
// told in words, and the cases have it.
var withoutExample = []string{"slurm-fairshare-weight-small", "slurm-qos-weight-idle", "slurm-assoc-weight-idle", "slurm-accrue-limits-ignored", "slurm-site-plugin",
	"slurm-limits-off", "slurm-budget-unsafe", "slurm-budget-decays", "slurm-no-deny-on-limit", "slurm-qos-limit-hidden", "slurm-qos-wall-over-partition",
	"slurm-threshold-unused", "slurm-usage-free", "slurm-account-uses-parent", "slurm-no-shares", "slurm-shares-equal", "slurm-users-in-several-accounts",
	"slurm-select-default", "slurm-priority-default", "slurm-fair-tree-default",
	"slurm-other-cluster", "slurm-partition-qos-unknown", "slurm-limit-over-cluster", "slurm-allowed-qos-unknown", "slurm-allowed-account-unknown", "slurm-association-partition",
	"slurm-qos-preempts-none"}

// TestExamples: the example on a rule's page breaks the rule.
func TestExamples(t *testing.T) {
	for _, r := range lint.Rules() {
		lang := lower.Slurm
		switch {
		case strings.HasPrefix(r.Code, "maui-"):
			lang = lower.Maui
		case strings.HasPrefix(r.Example, "policy "):
			lang = lower.HCL
		}
		if slices.Contains(withoutExample, r.Code) || strings.HasPrefix(r.Code, "queue-") || strings.HasPrefix(r.Code, "upgrade-") || strings.HasPrefix(r.Code, "ignore-") {
			continue
		}
		in := compiler.Input{Lang: lang, Files: []*source.File{source.NewFile("example", []byte(r.Example))}}
		if strings.Contains(r.Example, "Cluster - 'c'\n") { // a dump, beside a slurm.conf of that cluster
			in = compiler.Input{Files: []*source.File{source.NewFile("slurm.conf", []byte("ClusterName=c\nSlurmctldHost=h\n")), in.Files[0]}}
		}
		list := compiler.Lint(in, lint.Options{All: true}).Diags
		if !slices.ContainsFunc(list, func(d *diag.Diagnostic) bool { return d.Code == r.Code }) {
			t.Errorf("%s: its example gives\n%s", r.Code, messages(list))
		}
	}
}
