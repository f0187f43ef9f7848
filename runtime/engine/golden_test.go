package engine_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/diag/pages"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/fairshare"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGolden evaluates small queues. An archive holds policy files, a snapshot and the
// result; its comment lists after "show" the columns to print of every row, and after "without"
// what to leave out.
func TestGolden(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no archives", err)
	}
	reported := map[string]bool{}
	for _, path := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) { golden(t, path, reported) })
	}
	for _, c := range pages.In("evaluation") {
		if !reported[c.Code] {
			t.Errorf("no archive reports %s", c.Code)
		}
	}
}

func golden(t *testing.T, path string, reported map[string]bool) {
	a, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var in compiler.Input
	var show []string
	for line := range strings.Lines(string(a.Comment)) {
		switch words := strings.Fields(line); {
		case len(words) > 1 && words[0] == "show":
			show = words[1:]
		case len(words) > 1 && words[0] == "without":
			in.Without = words[1:]
		case len(words) > 1 && words[0] == "version":
			in.Version = words[1]
		case len(words) > 1 && words[0] == "deviations":
			in.Deviations = words[1:]
		}
	}
	files, snapshots := fstest.MapFS{}, []string(nil)
	var options evaluation.Options
	want, wantAt := "", -1
	for i, f := range a.Files {
		switch {
		case f.Name == "want":
			want, wantAt = string(f.Data), i
		case f.Name == "previous":
			options.Previous = previous(t, string(f.Data))
		case f.Name == "state":
			options.Previous, options.KeepState = state(t, f), true
		case strings.HasPrefix(f.Name, "snapshot"):
			files[f.Name] = &fstest.MapFile{Data: f.Data}
			snapshots = append(snapshots, f.Name)
		default:
			in.Files = append(in.Files, source.NewFile(f.Name, f.Data))
		}
	}
	got := evaluate(t, in, options, files, snapshots, show, reported)
	if *update {
		if wantAt < 0 {
			a.Files = append(a.Files, txtar.File{Name: "want"})
			wantAt = len(a.Files) - 1
		}
		a.Files[wantAt].Data = []byte(got)
		if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got != want {
		t.Errorf("got\n%s\nwant\n%s\n(go test -update rewrites it)", got, want)
	}
}

// state reads a state file.
func state(t *testing.T, f txtar.File) *checkpoint.Checkpoint {
	c, diags := checkpoint.Read(source.NewFile(f.Name, f.Data), "slurm", 1<<40)
	if diags.HasErrors() {
		t.Fatal(diags[0])
	}
	return c
}

// previous is what an evaluation left: its time, the length of its fairshare windows and what users
// used in the current one. It knew job 1.
func previous(t *testing.T, text string) *checkpoint.Checkpoint {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	c := &checkpoint.Checkpoint{Family: "maui",
		Jobs: []checkpoint.Job{{ID: "1", SubmitTime: 1699990000, QueueStart: 1699990000, State: checkpoint.Running}}}
	if _, err := fmt.Sscan(lines[0], &c.Time, &c.IntervalSeconds); err != nil {
		t.Fatal(err)
	}
	c.Usage = []snapshot.UsageWindow{{StartTime: c.Time - c.Time%c.IntervalSeconds}}
	for _, line := range lines[1:] {
		var amount float64
		var names fairshare.Names
		if _, err := fmt.Sscan(line, &names[fairshare.User], &amount); err != nil {
			t.Fatal(err)
		}
		fairshare.Add(&c.Usage[0], names, amount)
	}
	return c
}

func evaluate(t *testing.T, in compiler.Input, options evaluation.Options, files fstest.MapFS, names, show []string,
	reported map[string]bool) string {
	out := compiler.Compile(in)
	if out.Program == nil {
		t.Fatalf("no program: %v", out.Diags[0])
	}
	s, diags, err := snapshot.Read(files, names, snapshot.Options{})
	if err != nil || diags.HasErrors() {
		t.Fatalf("snapshot: %v %v", err, diags)
	}
	r, err := engine.Run(out.Program, s, options)
	if err != nil {
		return err.Error() + "\n"
	}
	var b strings.Builder
	if err := diag.WriteText(&b, r.Findings, false); err != nil {
		t.Fatal(err)
	}
	for _, d := range r.Findings {
		reported[d.Code] = true
	}
	if r.Findings.HasErrors() {
		return b.String()
	}
	for row, job := range r.RowJob {
		priority := fmt.Sprint(r.Priority[row])
		if r.Failed.Get(row) {
			priority = "none"
		}
		fmt.Fprintf(&b, "%s %q: priority %s", r.Jobs.Value("job.id", int(job)).Str, r.Rows.Value("job.partition", row).Str,
			priority)
		if r.JobRow[job] == int32(row) {
			fmt.Fprintf(&b, ", %s", r.State[job])
			if r.Reason[job] != "" {
				fmt.Fprintf(&b, " (%s)", r.Reason[job])
			}
			if r.Rank[job] > 0 {
				fmt.Fprintf(&b, ", rank %d", r.Rank[job])
			}
		}
		for _, id := range show {
			value := "unknown"
			if v := r.Value(schema.ColumnID(id), row); v.Known() {
				value = v.String()
			}
			fmt.Fprintf(&b, ", %s = %s", id, value)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestNothingToEvaluate: without jobs or a time there is no result.
func TestNothingToEvaluate(t *testing.T) {
	out := compiler.Compile(compiler.Input{Files: []*source.File{source.NewFile("p.hcl",
		[]byte("policy \"p\" {\n  use = \"maui\"\n}\n"))}})
	for _, s := range []*snapshot.Snapshot{{Now: 1}, {}} {
		if _, err := engine.Run(out.Program, s, evaluation.Options{}); err == nil {
			t.Errorf("%+v was evaluated", s)
		}
	}
}
