package compiler_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// FuzzCompile: any one or two texts end in diagnostics or in a program that runs; never in a
// panic, an internal error or an error without a message.
func FuzzCompile(f *testing.F) {
	archives, _ := filepath.Glob("testdata/*.txtar")
	for _, path := range archives {
		a, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		var last string
		for _, file := range a.Files {
			if !strings.HasPrefix(file.Name, "want/") {
				f.Add(string(file.Data), "")
				f.Add(string(file.Data), last)
				last = string(file.Data)
			}
		}
	}
	s := oneJob()
	f.Fuzz(func(t *testing.T, first, second string) {
		fuzzCompile(t, s, first, second, "observed")
		fuzzCompile(t, s, first, second, "documented")
	})
}

func fuzzCompile(t *testing.T, s *snapshot.Snapshot, first, second, semantics string) {
	in := compiler.Input{Files: []*source.File{source.NewFile("first", []byte(first))}}
	if second != "" {
		in.Files = append(in.Files, source.NewFile("second", []byte(second)))
	}
	in.Semantics = semantics
	out := compiler.Compile(in)
	for _, d := range out.Diags {
		if d.Message == "" || d.Code == "" || strings.Contains(d.Code, "internal") {
			t.Errorf("%+v", d)
		}
	}
	if out.Program == nil {
		if !out.Diags.HasErrors() {
			t.Error("no program and no error")
		}
		return
	}
	full, err := engine.Run(out.Program, s, evaluation.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	fused, err := engine.Run(out.Fused, s, evaluation.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if full.Findings.HasErrors() != fused.Findings.HasErrors() {
		t.Fatalf("%v, fused %v", codes(full.Findings), codes(fused.Findings))
	}
	if !full.Findings.HasErrors() && full.Priority[0] != fused.Priority[0] {
		t.Errorf("priority %d, fused %d", full.Priority[0], fused.Priority[0])
	}
}

func codes(list diag.List) (out []string) {
	for _, d := range list {
		out = append(out, d.Code)
	}
	return out
}

func oneJob() *snapshot.Snapshot {
	b := column.NewBuilder("jobs")
	b.Row()
	for id, text := range map[schema.ColumnID]string{"job.id": "1", "job.user": "amy", "job.state": "pending",
		"job.account": "physics", "job.qos": "high", "job.partition": "batch"} {
		b.String(id, text)
	}
	for id, n := range map[schema.ColumnID]int64{"job.procs": 4, "job.nodes": 1, "job.walltime_seconds": 3600,
		"job.tasks": 4} {
		b.Int(id, n)
	}
	b.Time("job.submit_time", 1_699_990_000)
	nodes := column.NewBuilder("nodes")
	nodes.Row()
	nodes.Int("node.procs", 16)
	return &snapshot.Snapshot{Now: 1_700_000_000, Jobs: b.Table(), Nodes: nodes.Table()}
}
