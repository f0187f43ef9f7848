package lint_test

import (
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/check"
	"github.com/fairway-sched/fairway/compiler/lint"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/celexpr"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/mauicfg"
	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/sacctmgr"
	"github.com/fairway-sched/fairway/lang/slurmconf"
	"github.com/fairway-sched/fairway/lang/source"
)

// documented are the codes that lint may report, with their pages.
func documented() map[string]diag.CodeDoc {
	docs := map[string]diag.CodeDoc{}
	for _, table := range [][]diag.CodeDoc{mauicfg.Codes, slurmconf.Codes, sacctmgr.Codes, policy.Codes, celexpr.Codes, lower.Codes, check.Codes} {
		for _, c := range table {
			docs[c.Code] = c
		}
	}
	for _, r := range lint.Rules() {
		docs[r.Code] = r.CodeDoc
	}
	return docs
}

// otherwise are the rules whose severity differs from that in the list of rules, with the reason.
var otherwise = map[string]string{
	"M107":  "a decay outside its bounds keeps the queue from being evaluated",
	"M108":  "an interval of 0 keeps the queue from being evaluated; a short one is a warning",
	"M119":  "the code is also that of targets that the site relies on",
	"M314":  "an attribute without effect is like an unknown one",
	"SL003": "Slurm refuses the file",
	"SL019": "a running slurmctld 22.05 stops at some of them",
	"SL026": "recorded runs of slurmctld 22.05 and 25.11 have started so",
	"SL042": "Slurm refuses to start",
	"SL052": "Slurm refuses to start",
	"SL063": "overlapping partitions without preemption are normal",
	"SL081": "a running slurmctld 22.05 takes the pair without complaint",
}

// TestRuleSeverities: a rule is as severe as the list of rules has it.
func TestRuleSeverities(t *testing.T) {
	text, err := os.ReadFile("testdata/severities.txt")
	if err != nil {
		t.Fatal(err)
	}
	docs := documented()
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		id, want, _ := strings.Cut(line, " ")
		codes := lint.Codes(id)
		if len(codes) == 0 {
			t.Errorf("%s is no rule", id)
			continue
		}
		got := lint.SeverityOf(docs[codes[0]]).String()
		if why, ok := otherwise[id]; (got != want) != ok {
			t.Errorf("%s %s is %s, the list has %s; %s", id, codes[0], got, want, why)
		}
	}
}

// TestPageSeverities: findings are as severe as their pages say, or the page says when they are not.
func TestPageSeverities(t *testing.T) {
	docs := documented()
	look := func(where string, list diag.List) {
		t.Helper()
		for _, d := range list {
			if c, ok := docs[d.Code]; !ok {
				t.Errorf("%s: %s has no page", where, d.Code)
			} else if d.Severity != lint.SeverityOf(c) && c.Varies == "" {
				t.Errorf("%s: %s is %s, its page says %s", where, d.Code, d.Severity, lint.SeverityOf(c))
			}
		}
	}
	for _, c := range fixtures(t) {
		look(c.rule, c.lint())
	}
	for _, c := range docs {
		if lang := languageOf(c.Code); lang != "" {
			in := compiler.Input{Lang: lang, Files: []*source.File{source.NewFile("example", []byte(c.Example))}}
			look(c.Code, compiler.Lint(in, lint.Options{All: true}).Diags)
		}
	}
	fsys := shared(t)
	for _, folder := range []string{"maui", "moab", "slurm", "sacctmgr"} {
		files, err := fs.Glob(fsys, "corpus/"+folder+"/*")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			if text, err := fs.ReadFile(fsys, name); err == nil {
				in := compiler.Input{Files: []*source.File{source.NewFile(name, text)}, Include: lower.Files{FS: fsys, Dir: "."}}
				look(name, compiler.Lint(in, lint.Options{All: true}).Diags)
			}
		}
	}
}

// languageOf is the language of a code's example; "" where it is none.
func languageOf(code string) lower.Lang {
	i := slices.IndexFunc([]string{"maui-", "slurm-"}, func(prefix string) bool { return strings.HasPrefix(code, prefix) })
	if i < 0 {
		return ""
	}
	return []lower.Lang{lower.Maui, lower.Slurm}[i]
}
