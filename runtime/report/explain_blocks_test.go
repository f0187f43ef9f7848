package report_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/report"
	"github.com/fairway-sched/fairway/runtime/report/eval"
	"github.com/fairway-sched/fairway/runtime/report/explain"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// TestExplainBlocks runs the archives of testdata/explain: a policy, a snapshot and, in sections that
// are rewritten by -update, what is reported of it. A section is "explain JOB", "explain.json JOB", "table",
// "limits.json", or the name of a view. "started" lists jobs that start, "state" is the time of an evaluation before.
func TestExplainBlocks(t *testing.T) {
	archives, err := filepath.Glob("testdata/explain/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			r := evaluateArchive(t, a)
			for i := range a.Files {
				f := &a.Files[i]
				got, ok := said(t, r, f.Name)
				switch {
				case !ok:
				case *update:
					f.Data = []byte(got)
				case got != string(f.Data):
					t.Errorf("%s differs (go test -update rewrites it)\ngot:\n%s\nwant:\n%s", f.Name, got, f.Data)
				}
			}
			if *update {
				if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// said is what a section should hold; ok is false for inputs.
func said(t *testing.T, r *evaluation.Result, section string) (string, bool) {
	verb, id, _ := strings.Cut(section, " ")
	job := -1
	if id != "" {
		var diags diag.List
		var ok bool
		if job, ok = report.FindJob(r, id, &diags); !ok {
			t.Fatalf("%s: %v", section, diags)
		}
	}
	switch verb {
	case "explain":
		return text(t, one(explain.WriteExplain, job), r, eval.Options{}), true
	case "explain.json":
		return picked(t, text(t, one(explain.WriteExplainJSON, job), r, eval.Options{}), "blocks", "limits", "queue_time"),
			true
	case "limits.json":
		return picked(t, text(t, eval.WriteJSON, r, eval.Options{}), "limits"), true
	case "table":
		return text(t, eval.WriteTable, r, eval.Options{}), true
	}
	return "", false
}

// picked are some parts of a document, indented.
func picked(t *testing.T, document string, keys ...string) string {
	t.Helper()
	var parts map[string]json.RawMessage
	if err := json.Unmarshal([]byte(document), &parts); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, key := range keys {
		var b bytes.Buffer
		if err := json.Indent(&b, parts[key], "", " "); err != nil {
			t.Fatal(err)
		}
		out.WriteString(key + ": " + b.String() + "\n")
	}
	return out.String()
}

func evaluateArchive(t *testing.T, a *txtar.Archive) *evaluation.Result {
	t.Helper()
	var in compiler.Input
	files, o := fstest.MapFS{}, evaluation.Options{Workers: 1}
	var paths []string
	var state []byte
	for _, f := range a.Files {
		switch {
		case strings.HasSuffix(f.Name, ".cfg") || strings.HasSuffix(f.Name, ".hcl"):
			in.Files = append(in.Files, source.NewFile(f.Name, f.Data))
		case f.Name == "started":
			o.Started = strings.Fields(string(f.Data))
		case f.Name == "state":
			state = f.Data
		case strings.HasPrefix(f.Name, "explain"), f.Name == "limits.json", f.Name == "table":
		default:
			files[f.Name] = &fstest.MapFile{Data: f.Data}
			paths = append(paths, f.Name)
		}
	}
	out := compiler.Compile(in)
	if out.Diags.HasErrors() {
		t.Fatal(out.Diags)
	}
	s, diags, err := snapshot.Read(files, paths, snapshot.Options{})
	if err != nil || diags.HasErrors() {
		t.Fatal(err, diags)
	}
	if state != nil {
		if o.Previous, diags = checkpoint.Read(source.NewFile("state", state), out.Program.Family, s.Now); diags.HasErrors() {
			t.Fatal(diags)
		}
	}
	r, err := engine.Run(out.Program, s, o)
	if err != nil || r.Findings.HasErrors() {
		t.Fatal(err, r.Findings)
	}
	return r
}
