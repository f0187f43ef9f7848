package lint_test

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lint"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/conformance/beside"
	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/slurmconf"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/stdlib"
)

// advised are keys with a value in advice.
var advised = regexp.MustCompile(`\b([A-Z][A-Za-z]+)=`)

// TestAdviceFitsTheRelease: no advice names a key that the release at hand does not have.
func TestAdviceFitsTheRelease(t *testing.T) {
	rows := map[string][]stdlib.Param{}
	for _, p := range stdlib.SlurmParams.Params() {
		rows[strings.ToLower(p.Name)] = append(rows[strings.ToLower(p.Name)], p)
	}
	fsys := beside.Files(t)
	files, err := fs.Glob(fsys, "corpus/slurm/*.conf")
	if err != nil || len(files) == 0 {
		t.Skip("there is no corpus")
	}
	found := map[string]bool{}
	for v, version := range []string{"2.6", "15.08", "17.11", "19.05", "20.11", "22.05", "23.11", "26.05"} {
		look := func(d *diag.Diagnostic) {
			advice := ""
			for _, n := range d.Notes {
				if strings.HasPrefix(n.Text, "write ") || strings.HasPrefix(n.Text, "use ") {
					advice += n.Text + "\n"
				}
			}
			for _, m := range advised.FindAllStringSubmatch(advice, -1) {
				named := rows[strings.ToLower(m[1])]
				known := slices.ContainsFunc(named, func(p stdlib.Param) bool { return slurmconf.Exists(&p, version) })
				if complaint := version + " " + d.Code + " " + m[1]; len(named) > 0 && !known && !found[complaint] {
					found[complaint] = true
					t.Errorf("%s: %s has no %s", d.Code, version, advice)
				}
			}
		}
		for i, name := range files {
			if !draws.InSample(i+v, 3) {
				continue
			}
			text, err := fs.ReadFile(fsys, name)
			if err != nil {
				t.Fatal(err)
			}
			in := compiler.Input{Files: []*source.File{source.NewFile(name, text)}, Include: lower.Files{FS: fsys, Dir: "."}}
			in.Version = version
			for _, d := range compiler.Lint(in, lint.Options{All: true}).Diags {
				look(d)
			}
		}
		for _, c := range fixtures(t) {
			if !strings.Contains(c.version, ">") && c.files[0].Name == "slurm.conf" {
				for _, d := range lintFiles(version, c.files...).Diags {
					look(d)
				}
			}
		}
	}
}
