package study

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/source"
)

var update = flag.Bool("update", false, "rewrite the golden sections")

// shown reads a study and lists its choices and what is wrong with it.
func shown(name string, text []byte) string {
	file, diags := policy.Parse(source.NewFile(name, text))
	var b strings.Builder
	if file.Study != nil && !diags.HasErrors() {
		points, more := Points(file.Study)
		diags = append(diags, more...)
		for _, p := range points {
			b.WriteString(file.Study.Policies[p.Policy].Name.Value)
			for _, param := range p.Params {
				held := ""
				if param.Held {
					held = " (held)"
				}
				fmt.Fprintf(&b, " %s=%s%s", param.Name, param.Value, held)
			}
			b.WriteByte('\n')
		}
	}
	_ = diag.WriteText(&b, diags, false)
	return b.String()
}

func TestPoints(t *testing.T) {
	paths, _ := filepath.Glob("testdata/*.txtar")
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i+1 < len(archive.Files); i += 2 {
			study, golden := archive.Files[i], &archive.Files[i+1]
			got := shown(study.Name, study.Data)
			if *update {
				golden.Data = []byte(got)
			} else if got != string(golden.Data) {
				t.Errorf("%s: %s:\n%s", path, study.Name, got)
			}
		}
		if *update {
			if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(paths) == 0 {
		t.Error("there is no study")
	}
}

// FuzzPoints: whatever a study says, its choices are bounded, each meets the condition, and twice is the same.
func FuzzPoints(f *testing.F) {
	paths, _ := filepath.Glob("testdata/*.txtar")
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for i := 0; i < len(archive.Files); i += 2 {
			f.Add(archive.Files[i].Data)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		file, diags := policy.Parse(source.NewFile("x", text))
		if file.Study == nil || diags.HasErrors() {
			return
		}
		points, more := Points(file.Study)
		if len(points) > MostPoints || more.HasErrors() && len(points) > 0 && len(file.Study.Policies) == 1 {
			t.Errorf("%d choices, %v", len(points), more)
		}
		for _, d := range more {
			if d.Message == "" || d.Span.IsZero() {
				t.Errorf("%s: %q at %v", d.Code, d.Message, d.Span)
			}
		}
		again, _ := Points(file.Study)
		if fmt.Sprint(points) != fmt.Sprint(again) {
			t.Error("the choices change from one time to the next")
		}
	})
}
