package compiler_test

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/diag/pages"
	"github.com/fairway-sched/fairway/lang/source"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden is one run of an archive, a line of its comment:
//
//	run NAME files=a,b dump=PASS version=… snapshot=… semantics=… deviations=… without=… param=X=Y only=PART
//
// Its section want/NAME holds the diagnostics and what the pass made; of a dumped program, only the
// part that begins with the word PART, if there is one.
type golden struct {
	name  string
	input compiler.Input
	dump  string
	only  string
}

func readRun(t *testing.T, line string, files map[string][]byte) golden {
	words := strings.Fields(line)
	g := golden{name: words[0], dump: "lower"}
	g.input.Include = lower.Files{FS: includes(files)}
	for _, word := range words[1:] {
		key, value, _ := strings.Cut(word, "=")
		list := strings.Split(value, ",")
		switch key {
		case "files":
			for _, name := range list {
				text, ok := files[name]
				if !ok {
					t.Fatalf("run %s: no file %s", g.name, name)
				}
				g.input.Files = append(g.input.Files, source.NewFile(name, text))
			}
		case "dump":
			g.dump = value
		case "only":
			g.only = value
		case "lang":
			g.input.Lang = lower.Lang(value)
		case "version":
			g.input.Version = value
		case "snapshot":
			g.input.SnapshotVersion = value
		case "semantics":
			g.input.Semantics = value
		case "deviations":
			g.input.Deviations = list
		case "without":
			g.input.Without = list
		case "param":
			name, v, _ := strings.Cut(value, "=")
			g.input.Params = append(g.input.Params, lower.ParamOverride{Name: name, Value: v})
		default:
			t.Fatalf("run %s: unknown word %s", g.name, word)
		}
	}
	return g
}

func includes(files map[string][]byte) fs.FS {
	m := fstest.MapFS{}
	for name, text := range files {
		m[name] = &fstest.MapFile{Data: text}
	}
	return m
}

// output is what a run prints, and the codes it reported.
func (g golden) output(t *testing.T) (string, []string) {
	dump, out, err := compiler.Dump(g.input, g.dump)
	if err != nil {
		t.Fatalf("run %s: %v", g.name, err)
	}
	var b strings.Builder
	if err := diag.WriteText(&b, out.Diags, false); err != nil {
		t.Fatal(err)
	}
	b.WriteString(part(dump, g.only))
	var codes []string
	for _, d := range out.Diags {
		codes = append(codes, d.Code)
	}
	return b.String(), codes
}

// part cuts out a line that begins with a word, and those indented below it.
func part(dump, word string) string {
	if word == "" {
		return dump
	}
	var b strings.Builder
	inside := false
	for line := range strings.Lines(dump) {
		if inside = strings.HasPrefix(line, word+" ") || inside && strings.HasPrefix(line, " "); inside {
			b.WriteString(line)
		}
	}
	return b.String()
}

// TestGolden shows what each pass makes of small policies, and every complaint.
func TestGolden(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no archives", err)
	}
	reported := map[string]bool{}
	for _, path := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			for _, code := range archive(t, path) {
				reported[code] = true
			}
		})
	}
	for _, c := range slices.Concat(pages.In("lowering"), pages.In("checks")) {
		if !reported[c.Code] {
			t.Errorf("no archive reports %s", c.Code)
		}
	}
}

func archive(t *testing.T, path string) (codes []string) {
	a, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	files, want := map[string][]byte{}, map[string]string{}
	inputs := a.Files[:0:0]
	for _, f := range a.Files {
		if name, ok := strings.CutPrefix(f.Name, "want/"); ok {
			want[name] = string(f.Data)
			continue
		}
		files[f.Name] = f.Data
		inputs = append(inputs, f)
	}
	runs := 0
	for line := range strings.Lines(string(a.Comment)) {
		line, ok := strings.CutPrefix(line, "run ")
		if !ok {
			continue
		}
		runs++
		g := readRun(t, line, files)
		got, found := g.output(t)
		codes = append(codes, found...)
		inputs = append(inputs, txtar.File{Name: "want/" + g.name, Data: []byte(got)})
		if !*update && got != want[g.name] {
			t.Errorf("run %s\n%s", g.name, firstDifference(got, want[g.name]))
		}
	}
	if runs == 0 {
		t.Errorf("%s runs nothing", path)
	}
	if *update {
		a.Files = inputs
		if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return codes
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		a, b := "(end)", "(end)"
		if i < len(g) {
			a = g[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if a != b {
			return fmt.Sprintf("line %d:\n got %s\nwant %s\n(go test -update rewrites it)", i+1, a, b)
		}
	}
	return ""
}

// TestPasses: every pass of the table can be dumped, and no other.
func TestPasses(t *testing.T) {
	in := compiler.Input{Files: []*source.File{source.NewFile("p.hcl", []byte(`policy "p" {
  component "c" {
    term "t" { factor = "job.procs" }
  }
}`))}}
	for _, p := range compiler.Passes() {
		if text, out, err := compiler.Dump(in, p.Name); err != nil || text == "" || out.Diags.HasErrors() || p.Doc == "" {
			t.Errorf("%s: %q %v %v", p.Name, text, out.Diags, err)
		}
	}
	if _, _, err := compiler.Dump(in, "optimise"); err == nil || !strings.Contains(err.Error(), "codegen") {
		t.Errorf("a pass that does not exist: %v", err)
	}
	if out := compiler.Compile(in); out.Program == nil || out.Fused == nil || !out.Fused.Fused {
		t.Error("no programs")
	}
	in.Files[0] = source.NewFile("p.hcl", []byte(`policy "p" {}`))
	if out := compiler.Compile(in); out.Program != nil || out.Fused != nil || !out.Diags.HasErrors() {
		t.Error("a program in spite of errors")
	}
}
