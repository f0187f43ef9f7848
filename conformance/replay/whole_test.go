package replay_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io/fs"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/fairway-sched/fairway/conformance/recordedtest"
	mauireplay "github.com/fairway-sched/fairway/conformance/replay"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/replay"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// TestRecordedReplays: of the compact copies of whole simulations that a real Maui ran, every start and every end is
// met, in their order.
func TestRecordedReplays(t *testing.T) {
	c := compared{}
	for _, r := range recordedtest.Copies(t, "maui-replay") {
		t.Run(r.Name, func(t *testing.T) { checkReplay(t, r, c) })
	}
	c.atLeast(t, map[string]int{"starts": 2320})
}

// TestFullRecordedReplays does it with the full set.
func TestFullRecordedReplays(t *testing.T) {
	c := compared{}
	for _, r := range recordedtest.Full(t, "maui-replay", "") {
		t.Run(r.Name, func(t *testing.T) { checkReplay(t, r, c) })
	}
	c.atLeast(t, map[string]int{"starts": 9060})
}

// TestMauiTraces: Maui's own traces of a recorded simulation are the workload and the machine of its other files.
func TestMauiTraces(t *testing.T) {
	for _, r := range recordedtest.Full(t, "maui-replay", "") {
		t.Run(r.Name, func(t *testing.T) {
			read := func(name string) *snapshot.Snapshot {
				s, diags, err := snapshot.Read(r.Files, []string{name}, snapshot.Options{WholeTrace: true})
				if err != nil || diags.HasErrors() {
					t.Fatal(err, diags)
				}
				return s
			}
			jobs := func(name string) []replay.Job {
				return replay.NewWorkload(read(name).Jobs, replay.Selection{Runtime: replay.Recorded}).Jobs
			}
			if diff := cmp.Diff(jobs("jobs.json"), jobs("workload.trace.gz"), cmpopts.IgnoreUnexported(replay.Job{})); diff != "" {
				t.Error(diff)
			}
			nodes, traced := read("nodes.json").Nodes, read("resource.trace.gz").Nodes
			for _, id := range []schema.ColumnID{"node.id", "node.procs", "node.mem_mb", "node.swap_mb", "node.disk_mb",
				"node.features", "node.classes", "node.class_slots(queue1)", "node.up"} {
				for row := range nodes.Rows {
					want, got := nodes.Value(id, row), traced.Value(id, row)
					if want.Type == schema.StringList && len(want.List) == 0 && len(got.List) == 0 {
						continue
					}
					if !reflect.DeepEqual(got, want) {
						t.Errorf("%s of node %d: %v, want %v", id, row, got, want)
					}
				}
			}
		})
	}
}

// recordedBy are the recording's words for what starts a job.
var recordedBy = map[string]backfill.By{"priority": backfill.ByMain, "backfill": backfill.ByBackfill,
	"reserved": backfill.ByMain}

func checkReplay(t *testing.T, r recordedtest.Case, c compared) {
	p, err := mauireplay.Compile(r.Read(t, "maui.cfg"))
	if err != nil {
		t.Fatal(err)
	}
	jobs := "jobs.json"
	if _, err := fs.Stat(r.Files, jobs); err != nil {
		jobs = "workload.swf"
	}
	read := func(name string, o snapshot.Options) *snapshot.Snapshot {
		s, diags, err := snapshot.Read(r.Files, []string{name}, o)
		if err != nil || diags.HasErrors() {
			t.Fatal(err, diags)
		}
		return s
	}
	w := replay.NewWorkload(read(jobs, snapshot.Options{WholeTrace: true}).Jobs,
		replay.Selection{Runtime: replay.Recorded})
	got, err := replay.Run(p, read("nodes.json", snapshot.Options{}), w, replay.Options{})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(r.Read(t, "starts.csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	met, first := 0, ""
	for k, row := range rows[1:] {
		have := ""
		if k < len(got.Started) {
			o := &got.Outcomes[got.Started[k]]
			have = fmt.Sprintf("%s %d-%d %s", o.ID, o.Start-got.Begin, o.End-got.Begin, o.By)
		}
		want := fmt.Sprintf("%s %s-%s %s", row[1], row[3], row[4], recordedBy[row[5]])
		if have != want {
			first = fmt.Sprintf("start %d is %q, recorded was %q", k, have, want)
			break
		}
		met++
	}
	if first == "" && len(got.Started) > met {
		first = fmt.Sprintf("%d jobs start, recorded were %d", len(got.Started), met)
	}
	c["starts"] += met
	if first != "" {
		t.Error(first)
	}
}

// copiedReplays are those of which a compact copy is kept: synthetic ones whose SWF is complete.
const copiedReplays = `^(02|04|07|10|13|14|16|18|20|22|23)-`

// TestRecordReplays rewrites the compact copies from the full set.
func TestRecordReplays(t *testing.T) {
	if !*update {
		t.Skip("only with -update")
	}
	for _, r := range recordedtest.Full(t, "maui-replay", copiedReplays) {
		recordedtest.WriteCopy(t, "maui-replay", r.Name, compactReplay(t, r))
	}
}

// setUp are lines of maui.cfg that set up the recorded program alone.
var setUp = regexp.MustCompile(`(?m)^(#.*|(SERVERHOST|SERVERPORT|ADMIN1|LOG\w+|SIM\w+FILE|SIMEXITITERATION) .*)\n`)

func compactReplay(t *testing.T, r recordedtest.Case) *txtar.Archive {
	a := &txtar.Archive{Comment: []byte("A whole simulation by Maui 3.5.\n")}
	add := func(name string, text []byte) { a.Files = append(a.Files, txtar.File{Name: name, Data: text}) }
	add("maui.cfg", setUp.ReplaceAll(r.Read(t, "maui.cfg"), nil))
	add("workload.swf", regexp.MustCompile(` +`).ReplaceAll(r.Read(t, "workload.swf"), []byte(" ")))
	add("nodes.json", withoutNulls(t, r.Read(t, "nodes.json")))
	rows, err := csv.NewReader(bytes.NewReader(r.Read(t, "starts.csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var starts strings.Builder
	for _, row := range rows {
		starts.WriteString(strings.Join(row[:6], ",") + "\n")
	}
	add("starts.csv", []byte(starts.String()))
	return a
}
