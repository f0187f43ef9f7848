package lint_test

import (
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lint"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/conformance/beside"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/diag/pages"
	"github.com/fairway-sched/fairway/lang/source"
)

// otherwise are the rules whose severity differs from that in the list of rules, with the reason.
var otherwise = map[string]string{
	"M006":  "an old name does what the new one does",
	"M110":  "most sites live well without a bound",
	"M107":  "a decay outside its bounds keeps the queue from being evaluated",
	"M108":  "an interval of 0 keeps the queue from being evaluated; a short one is a warning",
	"M119":  "the code is also that of targets that the site relies on",
	"M216":  "the resource manager may give every job a limit",
	"M311":  "tasks that may lie anywhere are what some sites mean",
	"M314":  "an attribute without effect is like an unknown one",
	"SL004": "an old name does what the new one does, and an unused key nothing",
	"SL022": "with few jobs a small weight is enough",
	"SL035": "an unused key",
	"SL039": "a partition with another factor may come later",
	"SL048": "partitions without weights are often meant so",
	"SL060": "an old name does what the new ones do",
	"SL061": "tiers that hold others back are what they are for",
	"SL065": "a choice of the site",
	"SL080": "a choice of the site",
	"SL040": "a weight without effect, like that of partitions",
	"SL041": "a weight without effect, like that of partitions",
	"SL067": "a choice of the site, if a slow one",
	"SL078": "a choice of the site",
	"SL085": "a choice of the site, as before a maintenance",
	"SL103": "a choice of the site",
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
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		id, want, _ := strings.Cut(line, " ")
		codes := lint.Codes(id)
		if len(codes) == 0 {
			t.Errorf("%s is no rule", id)
			continue
		}
		got := pages.Of(codes[0]).InLint.String()
		if why, ok := otherwise[id]; (got != want) != ok {
			t.Errorf("%s %s is %s, the list has %s; %s", id, codes[0], got, want, why)
		}
	}
}

// TestPageSeverities: findings are as severe as their pages say, or the page says when they are not.
func TestPageSeverities(t *testing.T) {
	look := func(where string, list diag.List) {
		t.Helper()
		if slices.ContainsFunc(list, func(d *diag.Diagnostic) bool { return d.Code == "maui-moab-file" }) {
			return // what Maui makes of a file of Moab is a note
		}
		for _, d := range list {
			if p := pages.Of(d.Code); p == nil {
				t.Errorf("%s: %s has no page", where, d.Code)
			} else if d.Severity != p.InLint && p.Varies == "" {
				t.Errorf("%s: %s is %s, its page says %s", where, d.Code, d.Severity, p.InLint)
			}
		}
	}
	for _, c := range fixtures(t) {
		look(c.page.Code, c.lint())
	}
	for _, p := range pages.In("") {
		for _, c := range p.Cases() {
			if lang := languages[c.Files[0].Name]; lang != "" {
				in := compiler.Input{Lang: lang, Files: []*source.File{source.NewFile("example", []byte(c.Files[0].Text))}}
				look(p.Code, compiler.Lint(in, lint.Options{All: true}).Diags)
			}
		}
	}
	fsys := beside.Files(t)
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
