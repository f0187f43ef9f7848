package codegen_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/fairway-sched/fairway/compiler/codegen"
	"github.com/fairway-sched/fairway/compiler/optimize"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/diag/pages"
	"github.com/fairway-sched/fairway/lang/source"
)

var update = flag.Bool("update", false, "rewrite golden files")

// Each archive has a policy and its program, whole and fused, or what is wrong with it.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			archive.Files = archive.Files[:1]
			policy := source.NewFile(archive.Files[0].Name, archive.Files[0].Data)
			prog, diags := codegen.Generate(parsePolicy(t, policy))
			if prog != nil {
				archive.Files = append(archive.Files,
					txtar.File{Name: "program", Data: []byte(prog.String())},
					txtar.File{Name: "fused", Data: []byte(optimize.Scores(prog).String())})
			} else {
				var text bytes.Buffer
				if err := diag.WriteText(&text, diags, false); err != nil {
					t.Fatal(err)
				}
				archive.Files = append(archive.Files, txtar.File{Name: "diagnostics", Data: text.Bytes()})
			}
			got := txtar.Format(archive)
			if *update {
				if err := os.WriteFile(file, got, 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// Every documented code is reported for some golden policy, and no other is.
func TestEveryCodeIsReported(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	reported := map[string]bool{}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, diags := codegen.Generate(parsePolicy(t, source.NewFile(archive.Files[0].Name, archive.Files[0].Data)))
		for _, d := range diags {
			reported[d.Code] = true
			if len(d.Notes) == 0 {
				t.Errorf("%s says no advice: %s", d.Code, d.Message)
			}
		}
	}
	for _, c := range pages.In("codegen") {
		if !reported[c.Code] {
			t.Errorf("%s is never reported", c.Code)
		}
		delete(reported, c.Code)
	}
	for code := range reported {
		t.Errorf("%s is not documented", code)
	}
}
