package recordedtest

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/planning"
	"github.com/fairway-sched/fairway/runtime/report/plan"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// PlanOf compiles policy files and plans a snapshot.
func PlanOf(t *testing.T, files []string, snap fstest.MapFS) *plan.Plan {
	t.Helper()
	s, diags, err := snapshot.Read(snap, []string{"."}, snapshot.Options{})
	if err != nil || diags.HasErrors() {
		t.Fatal(err, diags)
	}
	in := compiler.Input{Include: lower.Files{FS: os.DirFS("/")}}
	in.SnapshotVersion = s.Version
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		in.Files = append(in.Files, source.NewFile(filepath.Base(name), text))
	}
	out := compiler.Compile(in)
	if out.Diags.HasErrors() {
		t.Fatal(out.Diags)
	}
	r, err := engine.Run(out.Program, s, evaluation.Options{})
	if err != nil {
		t.Fatal(err)
	}
	schedule, err := engine.Plan(r, planning.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return &plan.Plan{Result: r, Schedule: schedule, Planner: r.Program.Family}
}

func ViewText(t *testing.T, write func(io.Writer, *plan.Plan) error, p *plan.Plan) string {
	t.Helper()
	var b strings.Builder
	if err := write(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Folder reads files into memory, unpacked.
func Folder(t *testing.T, into fstest.MapFS, paths ...string) fstest.MapFS {
	t.Helper()
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		var in io.Reader = f
		if strings.HasSuffix(path, ".gz") {
			if in, err = gzip.NewReader(f); err != nil {
				t.Fatal(err)
			}
		}
		text, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		into[strings.TrimSuffix(filepath.Base(path), ".gz")] = &fstest.MapFile{Data: text}
	}
	return into
}
