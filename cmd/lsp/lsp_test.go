package lsp

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/fairway-sched/fairway/compiler/editor"
)

var update = flag.Bool("update", false, "rewrite the answers of the scripts")

func colourName(kind int) string { return editor.ColourNames[kind] }

// TestScripts plays what an editor does, through the protocol, and compares the answers.
func TestScripts(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no scripts", err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			got := play(t, archive)
			for i := range archive.Files {
				f := &archive.Files[i]
				if f.Name != "answers" {
					continue
				}
				if *update {
					f.Data = []byte(got)
					if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
						t.Fatal(err)
					}
				} else if diff := cmp.Diff(string(f.Data), got); diff != "" {
					t.Errorf("-want +got\n%s", diff)
				}
				return
			}
			t.Error("the script has no answers")
		})
	}
}
