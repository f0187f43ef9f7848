package lint_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lint"
	"github.com/fairway-sched/fairway/compiler/lint/upgrade"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/diag/pages"
	"github.com/fairway-sched/fairway/lang/source"
)

// fixture is one example of a page.
type fixture struct {
	page    *pages.Page
	fires   bool
	version string
	files   []*source.File
}

// languages are those of the files of examples; some are too short to be recognised.
var languages = map[string]lower.Lang{"maui.cfg": lower.Maui, "slurm.conf": lower.Slurm}

// fixtures are the examples of lint's rules, and of what has a number there.
func fixtures(t *testing.T) (list []*fixture) {
	t.Helper()
	for _, p := range pages.In("") {
		if len(p.AllNumbers()) == 0 {
			continue
		}
		for _, c := range p.Cases() {
			if c.Kind == "shown" {
				continue
			}
			f := &fixture{page: p, fires: c.Kind != "quiet", version: c.Version}
			for _, one := range c.Files {
				f.files = append(f.files, source.NewFile(one.Name, []byte(one.Text)))
			}
			list = append(list, f)
		}
	}
	return list
}

// lint is what is found: with 22.05>23.11 for a version what the upgrade brings, else with the ignore comments applied.
func (c *fixture) lint() diag.List {
	if from, to, ok := strings.Cut(c.version, ">"); ok {
		before, after := lintFiles(from, c.files...), lintFiles(to, c.files...)
		return upgrade.Findings(upgrade.Version{Policy: before.Policy, Findings: before.Diags},
			upgrade.Version{Policy: after.Policy, Findings: after.Diags})
	}
	today := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	return lint.Ignore(lintFiles(c.version, c.files...).Diags, c.files, nil, today)
}

func lintFiles(version string, files ...*source.File) *compiler.Linted {
	in := compiler.Input{Files: files, Options: lower.Options{Version: version}}
	if version == "documented" {
		in.Options = lower.Options{Semantics: version}
	}
	if len(files) == 1 { // some are too short to be recognised
		in.Lang = languages[files[0].Name]
	}
	return compiler.Lint(in, lint.Options{All: true})
}

// TestRules: each example that must fire does, and each that must be quiet is, for all codes of the number where a
// parser has it; and there is one of each kind for every rule that a policy alone can break.
func TestRules(t *testing.T) {
	fires, quiet, isRule := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, r := range lint.Rules() {
		isRule[r.Code] = true
	}
	for _, c := range fixtures(t) {
		codes := []string{c.page.Code}
		for _, n := range c.page.AllNumbers() {
			if c.fires {
				fires[n] = true
				continue
			}
			quiet[n] = true
			if !isRule[c.page.Code] {
				codes = append(codes, lint.Codes(n)...)
			}
		}
		if c.fires {
			fires[c.page.Code] = true
		} else {
			quiet[c.page.Code] = true
		}
		var found *diag.Diagnostic
		for _, d := range c.lint() {
			if slices.Contains(codes, d.Code) {
				found = d
			}
		}
		switch {
		case c.fires && found == nil:
			t.Errorf("%s does not fire on\n%s%s", c.page.Code, c.files[0].Text, messages(c.lint()))
		case !c.fires && found != nil:
			t.Errorf("%s fires on\n%s%s", c.page.Code, c.files[0].Text, found.Message)
		case found != nil && found.Span.IsZero():
			t.Errorf("%s has no place", c.page.Code)
		case found != nil && len(found.Notes) == 0:
			t.Errorf("%s gives no advice", c.page.Code)
		}
	}
	for _, p := range pages.In("") {
		for _, n := range p.Numbers {
			if queue := strings.HasPrefix(p.Code, "queue-"); !queue && (!fires[n] || !quiet[n]) {
				t.Errorf("%s lacks an example", n)
			}
		}
	}
	for _, r := range lint.Rules() {
		if !fires[r.Code] || !quiet[r.Code] {
			t.Errorf("%s lacks an example", r.Code)
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

// TestPages: every rule has one page with a number and an example, and every page has a rule.
func TestPages(t *testing.T) {
	codes := map[string]bool{}
	for _, r := range lint.Rules() {
		if codes[r.Code] {
			t.Errorf("two rules are called %s", r.Code)
		}
		codes[r.Code] = true
	}
	for _, folder := range []string{"lint/maui", "lint/slurm", "lint/policy"} {
		for _, p := range pages.In(folder) {
			if !codes[p.Code] || len(p.AllNumbers()) == 0 || p.Example() == "" {
				t.Errorf("%s has no rule, number or example", p.Code)
			}
			delete(codes, p.Code)
		}
	}
	for code := range codes {
		t.Errorf("%s has no page", code)
	}
}

// TestNumbers: no number is missing, but for those that never were a rule's.
func TestNumbers(t *testing.T) {
	has := map[string]bool{}
	for _, p := range pages.In("") {
		for _, n := range p.Numbers {
			has[n] = true
		}
	}
	for _, span := range []struct {
		format string
		from   int
		to     int
		not    []int
	}{{"M", 1, 26, nil}, {"M", 101, 119, nil}, {"M", 201, 217, nil}, {"M", 301, 315, nil},
		{"SL", 1, 110, []int{54, 55, 56, 57, 58, 59, 87, 88, 89}}} {
		for n := span.from; n <= span.to; n++ {
			id := span.format + string(rune('0'+n/100)) + string(rune('0'+n/10%10)) + string(rune('0'+n%10))
			if !has[id] && !slices.Contains(span.not, n) {
				t.Errorf("%s is no rule", id)
			}
		}
	}
}
