package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/lang/diag/pages"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/planning"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// TestPlanGolden plans small queues. An archive holds policy files and a snapshot; its comment has lines of options:
// "native", "depth N|unlimited", "procs N", "place Europe/Berlin". The section want has the findings, the cluster, and
// of each request what is asked for and where and when it is placed.
func TestPlanGolden(t *testing.T) {
	archives, err := filepath.Glob("testdata/plan/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no archives", err)
	}
	reported := map[string]bool{}
	for _, path := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) { goldenPlan(t, path, reported) })
	}
	longArray(t, reported)
	for _, code := range []string{"plan-nodes-configured", "estimate-ledger-line"} { // of the command
		reported[code] = true
	}
	for _, c := range pages.In("plans") {
		if !reported[c.Code] {
			t.Errorf("no archive reports %s", c.Code)
		}
	}
}

func goldenPlan(t *testing.T, path string, reported map[string]bool) {
	a, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var o planning.Options
	for line := range strings.Lines(string(a.Comment)) {
		words := strings.Fields(line)
		switch {
		case len(words) == 1 && words[0] == "native":
			o.Native = true
		case len(words) == 2 && words[0] == "depth":
			depth := int64(program.Unlimited)
			if words[1] != "unlimited" {
				depth, _ = strconv.ParseInt(words[1], 10, 64)
			}
			o.Depth = &depth
		case len(words) == 2 && words[0] == "place":
			if o.Place, err = time.LoadLocation(words[1]); err != nil {
				t.Fatal(err)
			}
		case len(words) == 2 && words[0] == "procs":
			o.Procs, _ = strconv.ParseInt(words[1], 10, 64)
			o.Native = true
		}
	}
	var in compiler.Input
	files, snapshots := fstest.MapFS{}, []string(nil)
	wantAt := -1
	for i, f := range a.Files {
		switch {
		case f.Name == "want":
			wantAt = i
		case strings.HasPrefix(f.Name, "snapshot"):
			files[f.Name] = &fstest.MapFile{Data: f.Data}
			snapshots = append(snapshots, f.Name)
		default:
			in.Files = append(in.Files, source.NewFile(f.Name, f.Data))
		}
	}
	got := planned(t, in, files, snapshots, o, reported)
	if *update {
		want := txtar.File{Name: "want", Data: []byte(got)}
		if wantAt >= 0 {
			a.Files[wantAt] = want
		} else {
			a.Files = append(a.Files, want)
		}
		if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if wantAt < 0 {
		t.Fatal("no section want")
	}
	if d := cmp.Diff(string(a.Files[wantAt].Data), got); d != "" {
		t.Error(d)
	}
}

func planned(t *testing.T, in compiler.Input, files fstest.MapFS, snapshots []string, o planning.Options,
	reported map[string]bool) string {
	s, read, err := snapshot.Read(files, snapshots, snapshot.Options{})
	if err != nil || read.HasErrors() {
		t.Fatal(err, read)
	}
	out := compiler.Compile(in)
	if out.Diags.HasErrors() {
		t.Fatal(out.Diags)
	}
	r, err := engine.Run(out.Program, s, evaluation.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	before := len(r.Findings)
	plan, err := engine.Plan(r, o)
	if err != nil {
		return "error: " + err.Error() + "\n"
	}
	for _, d := range r.Findings[before:] {
		reported[d.Code] = true
		fmt.Fprintf(&b, "%s: %s [%s]\n", d.Severity, d.Message, d.Code)
	}
	plan.Detail()
	writeCluster(&b, plan.Cluster, plan.Now)
	for i := range plan.Requests {
		writeRequest(&b, plan, i)
	}
	return b.String()
}

// longArray plans an array with more tasks than are planned.
func longArray(t *testing.T, reported map[string]bool) {
	in := compiler.Input{Files: []*source.File{source.NewFile("p.fairway.hcl", []byte(`policy "p" {
  component "size" {
    term "procs" { factor = "job.procs" }
  }
}`))}}
	files := fstest.MapFS{"q": {Data: []byte(`{"format_version": 1, "now": 1700000000, "nodes": [{"id": "n1", "procs": 4, "up": true}],
 "jobs": [{"id": "7", "procs": 1, "user": "amy", "array_job_id": 7, "array_task_list": "1-20000:2,5000-6000", "walltime_seconds": 60, "submit_time": 1699990000}]}`)}}
	text := planned(t, in, files, []string{"q"}, planning.Options{}, reported)
	if n := strings.Count(text, "\njob 7_"); n != 10000 ||
		!strings.Contains(text, "of the 11001 waiting tasks of array 7 the first 10000 are planned") {
		t.Errorf("%d tasks planned\n%s", n, text[:200])
	}
}

func writeCluster(b *strings.Builder, c *backfill.Cluster, now int64) {
	for i := range c.Nodes {
		n := &c.Nodes[i]
		fmt.Fprintf(b, "node %s %s sharing=%d up=%t partitions=%v features=%v", n.Name, amounts(c, &n.Capacity), n.Sharing,
			n.Up, n.Partitions, n.Features)
		if n.Classes != nil {
			fmt.Fprintf(b, " classes=%v", n.Classes)
		}
		b.WriteByte('\n')
	}
	for i := range c.Partitions {
		p := &c.Partitions[i]
		fmt.Fprintf(b, "partition %s nodes=%v up=%t tier=%d max=%d sharing=%d\n", p.Name, p.Nodes, p.Up, p.PriorityTier,
			p.MaxTimeSeconds, p.Sharing)
	}
	for i := range c.Reservations {
		if i == 6 {
			fmt.Fprintf(b, "and %d more reservations\n", len(c.Reservations)-i)
			break
		}
		v := &c.Reservations[i]
		fmt.Fprintf(b, "reservation %s %d..%d nodes=%v %s licenses=%v maintenance=%t flexible=%t", v.Name, v.Start-now,
			min(v.End-now, 1<<40), v.Nodes, amounts(c, &v.Amounts), v.Licenses, v.Maintenance, v.Flexible)
		if v.PeriodSeconds > 0 {
			fmt.Fprintf(b, " every=%d", v.PeriodSeconds)
		}
		b.WriteByte('\n')
	}
	if c.Licenses != nil {
		fmt.Fprintf(b, "licenses %v\n", c.Licenses)
	}
}

// amounts leaves out what there is none or plenty of.
func amounts(c *backfill.Cluster, a *backfill.Amounts) string {
	text := fmt.Sprintf("procs=%d", a.Procs)
	for _, x := range []struct {
		name string
		n    int64
	}{{"mem", a.MemMB}, {"swap", a.SwapMB}, {"disk", a.DiskMB}} {
		if x.n > 0 && x.n < 1<<40 {
			text += fmt.Sprintf(" %s=%d", x.name, x.n)
		}
	}
	for i, n := range a.Gres {
		if n > 0 {
			text += fmt.Sprintf(" %s=%d", c.Gres[i], n)
		}
	}
	return text
}

func writeRequest(b *strings.Builder, plan *backfill.Schedule, i int) {
	r, p, c := &plan.Requests[i], &plan.Placements[i], plan.Cluster
	fmt.Fprintf(b, "job %s: %d tasks of %s", r.ID, r.Tasks, amounts(c, &r.PerTask))
	if r.Nodes > 0 {
		fmt.Fprintf(b, " on %d-%d nodes of %s", r.Nodes, r.NodesMax, amounts(c, &r.PerNode))
	}
	for _, x := range []struct {
		name  string
		value any
		set   bool
	}{{"per_node", r.TasksPerNode, r.TasksPerNode > 0}, {"minimum", amounts(c, &r.Minimum), r.Minimum.MemMB > 0},
		{"alone", r.Sharing, r.Sharing > 0}, {"min_seconds", r.WalltimeMinSeconds, r.WalltimeMinSeconds > 0},
		{"features", r.Features, len(r.Features.Alternatives) > 0}, {"partitions", r.Partitions, r.Partitions != nil},
		{"hosts", r.Hosts, r.Hosts != nil}, {"not", r.Excluded, r.Excluded != nil},
		{"reservation", r.Reservation, r.Reservation != ""}, {"licenses", r.Licenses, r.Licenses != nil},
		{"begin", r.Begin - plan.Now, r.Begin > 0}, {"deadline", r.Deadline - plan.Now, r.Deadline > 0},
		{"after", r.After, r.After != nil}, {"after_start", r.AfterStart, r.AfterStart != nil},
		{"any", r.AfterAny, r.AfterAny}, {"array", fmt.Sprint(r.Array, r.TaskIDs, r.ArrayMax), r.Array > 0}} {
		if x.set {
			fmt.Fprintf(b, " %s=%v", x.name, x.value)
		}
	}
	fmt.Fprintf(b, " for %d\n  ", r.WalltimeSeconds)
	if p.By == backfill.ByNone {
		fmt.Fprintf(b, "no time, reason %q never %q", p.Reason, p.Never)
	} else {
		fmt.Fprintf(b, "%s %d..%d on", p.By, p.Start-plan.Now, p.End-plan.Now)
		for _, s := range p.Nodes {
			fmt.Fprintf(b, " %s*%d", c.Nodes[s.Node].Name, s.Tasks)
		}
		if p.Reason != "" {
			fmt.Fprintf(b, " reason %q", p.Reason)
		}
	}
	for _, w := range p.WaitsFor {
		fmt.Fprintf(b, " [%s job=%d %s %v]", w.Kind, w.Job, w.Name, w.Nodes)
	}
	b.WriteByte('\n')
}

// FuzzPlan: whatever a snapshot holds, a plan is made or refused, and no job runs before now.
func FuzzPlan(f *testing.F) {
	archives, _ := filepath.Glob("testdata/plan/*.txtar")
	for _, path := range archives {
		a, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range a.Files {
			if strings.HasPrefix(file.Name, "snapshot") {
				f.Add(file.Data)
			}
		}
	}
	out := compiler.Compile(compiler.Input{Files: []*source.File{source.NewFile("p.fairway.hcl", []byte(`policy "p" {
  component "size" {
    term "procs" { factor = "job.procs" }
  }
  backfill { reservation_depth = "unlimited" }
}`))}})
	if out.Diags.HasErrors() {
		f.Fatal(out.Diags)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s, _, err := snapshot.Read(fstest.MapFS{"q": {Data: text}}, []string{"q"}, snapshot.Options{})
		if err != nil || s.Jobs == nil || s.Jobs.Rows > 50 || s.Nodes != nil && s.Nodes.Rows > 50 {
			return
		}
		begun := time.Now()
		defer func() {
			if took := time.Since(begun); took > 5*time.Second {
				t.Errorf("a plan of %d jobs took %s", s.Jobs.Rows, took)
			}
		}()
		r, err := engine.Run(out.Program, s, evaluation.Options{})
		if err != nil || r.State == nil {
			return
		}
		plan, err := engine.Plan(r, planning.Options{})
		if err != nil {
			return
		}
		plan.Detail()
		for i := range plan.Placements {
			if p := &plan.Placements[i]; p.By != backfill.ByNone && p.By != backfill.ByRunning && p.Start < plan.Now {
				t.Errorf("job %s starts at %d, before %d", plan.Requests[i].ID, p.Start, plan.Now)
			}
		}
	})
}
