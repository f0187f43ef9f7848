package snapshot

import (
	"io/fs"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// TestMauiCases reads every recorded case: no record may be bad, and all of
// its data must be claimed.
func TestMauiCases(t *testing.T) {
	cases := shared(t, "oracle/maui")
	entries, err := fs.ReadDir(cases, ".")
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		s, diags, err := Read(cases, []string{e.Name()}, format.Options{})
		if err != nil {
			t.Fatal(err)
		}
		read++
		checkTables(t, s)
		formats := map[string]int{}
		for _, source := range s.Sources {
			formats[source.Format] += source.Records
			if source.Bad > 0 {
				t.Errorf("%s: %d bad records", source.Name, source.Bad)
			}
		}
		if formats["now"] != 1 || formats["maui-jobs"] == 0 || formats["maui-nodes"] == 0 || s.Now != 1700000000 ||
			s.Family != "maui" {
			t.Errorf("%s: %v, now %d, family %q", e.Name(), formats, s.Now, s.Family)
		}
		if windows, _ := fs.Glob(cases, e.Name()+"/fs/FS.*"); len(windows) != len(s.Usage) {
			t.Errorf("%s: %d of %d fairshare windows", e.Name(), len(s.Usage), len(windows))
		}
		for _, d := range diags {
			switch {
			case d.Code == "snapshot-file-skipped", d.Code == "snapshot-not-yet-arrived":
			case d.Code == "snapshot-fairshare-line" && e.Name() == "f03-docs-file-verbatim": // the manual's own sample
			default:
				t.Errorf("%s: %s: %s", e.Name(), d.Code, d.Message)
			}
		}
	}
	if read < 100 {
		t.Errorf("only %d cases", read)
	}
}

func TestMauiJob(t *testing.T) {
	s, diags := readText(t, "jobs.json", `[
		{"id": "j.1", "user": "amy", "group": "phys", "account": null, "qos": "hi", "class": "batch", "state": "UserHold", "submit_time": 100, "start_time": null,
		 "wclimit": 0, "tasks": 3, "procs_per_task": 2, "nodes": 0, "tasks_per_node": null, "mem_mb_per_task": 100, "swap_mb_per_task": 0, "disk_mb_per_task": 5,
		 "alloc": null, "features": ["ib"], "partitions": ["pa"], "hosts": null, "release_time": 200, "deadline": null, "req_node_mem_mb": 4096, "req_os": null, "odd": 1},
		{"id": "j.2", "user": "bob", "state": "Running", "wclimit": null, "tasks": 2, "procs_per_task": 1, "alloc": ["n1", "n1"]},
		{"id": "j.3", "user": "bob", "state": "Dreaming", "wclimit": 1, "tasks": 1},
		{"id": "j.4", "user": "bob", "state": "idle", "wclimit": 1, "tasks": 4611686018427387904, "procs_per_task": 4}
	]`)
	checkTables(t, s)
	if d := cmp.Diff([]string{"snapshot-unknown-field", "snapshot-bad-record"}, codesOf(diags)); d != "" {
		t.Error(d)
	}
	if s.Jobs.Rows != 2 || s.Sources[0].Bad != 2 {
		t.Fatal(s.Jobs.Rows, s.Sources)
	}
	for id, want := range map[schema.ColumnID]schema.Value{
		"job.procs": schema.IntValue(6), "job.mem_mb": schema.IntValue(300), "job.swap_mb": schema.IntValue(0),
		"job.disk_mb":          schema.IntValue(15),
		"job.walltime_seconds": schema.IntValue(0), "job.nodes": schema.IntValue(0),
		"job.state": schema.StringValue("pending"), "job.held": schema.BoolValue(true),
		"job.state_word": schema.StringValue("UserHold"), "job.qos": schema.StringValue("hi"),
		"job.qos_requested": schema.StringValue("hi"),
		"job.partition":     schema.StringValue("batch"), "job.node_partitions": schema.ListValue([]string{"pa"}),
		"job.node_mem_min_mb": schema.IntValue(4096),
		"job.begin_time":      schema.TimestampValue(200), "job.account": schema.StringValue(""), "job.start_time": {},
	} {
		if d := cmp.Diff(want, s.Jobs.Value(id, 0)); d != "" {
			t.Errorf("%s (-want +got)\n%s", id, d)
		}
	}
	if s.Jobs.Value("job.walltime_seconds", 1).Known() || len(s.Jobs.Value("job.allocated_hosts", 1).List) != 2 {
		t.Error("a limit that is null is unknown; a running job has a host per task")
	}
}

func TestMauiNode(t *testing.T) {
	s, diags := readText(t, "nodes.json", `[
		{"id": "n1", "procs": 4, "state": "Busy", "avail_procs": 0, "classes": {"batch": 2, "long": 4}, "avail_classes": {}, "partition": "pa", "speed": 2.0, "load": 4.0, "gres": null},
		{"id": "n2", "procs": 4, "state": "Drained", "classes": {"batch": 4}, "partition": null, "speed": null},
		{"id": "n3", "state": "Haunted", "classes": {}},
		{"id": "n4", "state": "Idle", "classes": {"batch": "four"}, "partition": 7.5},
		{"id": "n5", "state": "Idle", "classes": {}, "partition": ["pa"]}
	]`)
	checkTables(t, s)
	if d := cmp.Diff([]string{"snapshot-bad-record"}, codesOf(diags)); d != "" || s.Sources[0].Bad != 3 {
		t.Error(d, s.Sources)
	}
	for id, want := range map[schema.ColumnID]schema.Value{
		"node.class_slots(batch)": schema.DoubleValue(2), "node.classes": schema.ListValue([]string{"batch", "long"}),
		"node.partitions": schema.ListValue([]string{"pa"}),
		"node.up":         schema.BoolValue(true), "node.procs_available": schema.IntValue(0),
		"node.speed": schema.DoubleValue(2),
	} {
		if d := cmp.Diff(want, s.Nodes.Value(id, 0)); d != "" {
			t.Errorf("%s (-want +got)\n%s", id, d)
		}
	}
	if v := s.Nodes.Value("node.up", 1); v.Int != 0 || !v.Known() {
		t.Error("a drained node is not up")
	}
}

func TestArrivals(t *testing.T) {
	jobs := `[{"id": "1", "user": "a", "state": "idle", "wclimit": 1, "tasks": 1, "arrival_time": 150},
		{"id": "2", "user": "b", "state": "idle", "wclimit": 1, "tasks": 1, "arrival_time": 250}, {"id": "3", "user": "c", "state": "idle", "wclimit": 1, "tasks": 1}]`
	for now, want := range map[int64]int{0: 3, 100: 1, 150: 2, 300: 3} {
		s, diags, err := Read(mapFS{"jobs.json": jobs}.open(), []string{"jobs.json"}, format.Options{Now: now})
		if err != nil {
			t.Fatal(err)
		}
		checkTables(t, s)
		if s.Jobs.Rows != want || (len(diags) > 0) != (want < 3) {
			t.Errorf("now %d: %d jobs, %v", now, s.Jobs.Rows, codesOf(diags))
		}
	}
}

// TestNodesByHand: an array of nodes without what a resource manager would say besides is one of nodes, and
// one of jobs stays one of jobs.
func TestNodesByHand(t *testing.T) {
	s, diags, err := Read(mapFS{
		"d/nodes.json": `[{"id": "n1", "procs": 8, "state": "Idle"}, {"id": "n2", "state": "Idle"}]`,
		"d/jobs.json":  `[{"id": "1", "user": "amy", "state": "Idle", "submit": 1, "wclimit": 60, "tasks": 1}]`,
	}.open(), []string{"d"}, format.Options{Now: 2})
	if err != nil || diags.HasErrors() || s.Nodes == nil || s.Nodes.Rows != 2 || s.Jobs.Rows != 1 {
		t.Fatalf("%+v %v %v", s.Sources, diags, err)
	}
	if len(diags) == 0 || diags[0].Code != "snapshot-node-without-procs" {
		t.Errorf("nothing says that n2 has no processors: %v", diags)
	}
}

// TestSkippedRecords: records in a folder that nothing tells the kind of are left out with a warning.
func TestSkippedRecords(t *testing.T) {
	_, diags, err := Read(mapFS{"d/nodes.json": `[{"id": "n1", "cores": 8}]`, "d/notes": "hello", "d/now.txt": "5"}.open(),
		[]string{"d"}, format.Options{})
	if err != nil || len(diags) != 2 || diags[0].Severity != diag.Info || diags[1].Severity != diag.Warning ||
		diags[1].Span.String() != "d/nodes.json:1:1" {
		t.Errorf("%v %v", diags, err)
	}
}
