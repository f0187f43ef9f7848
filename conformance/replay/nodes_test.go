package replay

import (
	"encoding/json"
	"testing"
	"testing/fstest"
)

// TestNodesGoWithJobs: what an ended job had of a node is available again, and what a started one has is not.
func TestNodesGoWithJobs(t *testing.T) {
	q, err := openQueue(fstest.MapFS{
		"jobs.json": {Data: []byte(`[{"id": "1", "class": "batch", "state": "running", "start_time": 900, "runtime": 200, "procs_per_task": 2, "mem_mb_per_task": 100, "alloc": ["n1", "n2"]},
			{"id": "2", "class": "long", "state": "idle", "procs_per_task": 1, "mem_mb_per_task": null}]`)},
		"nodes.json": {Data: []byte(`[{"id": "n1", "procs": 2, "avail_procs": 0, "avail_mem_mb": 400, "avail_classes": {"batch": 0, "long": 2}, "state": "Busy", "load": 2.0},
			{"id": "n2", "procs": 4, "avail_procs": 2, "avail_mem_mb": 400, "avail_classes": {"batch": 1, "long": 2}, "state": "Running", "load": 2.5},
			{"id": "n3", "procs": 4, "avail_procs": 0, "state": "Down", "load": 0.0}]`)},
	}, false)
	if err != nil {
		t.Fatal(err)
	}
	shown := func(now int64) string {
		text, err := json.Marshal(q.nodesAt(now))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if got, want := shown(1000), `[{"avail_classes":{"batch":0,"long":2},"avail_mem_mb":400,"avail_procs":0,"id":"n1","load":2.0,"procs":2,"state":"Busy"},`+
		`{"avail_classes":{"batch":1,"long":2},"avail_mem_mb":400,"avail_procs":2,"id":"n2","load":2.5,"procs":4,"state":"Running"},`+
		`{"avail_procs":0,"id":"n3","load":0.0,"procs":4,"state":"Down"}]`; got != want {
		t.Errorf("at first the nodes are\n%s\nwant\n%s", got, want)
	}
	q.start([]Start{{Job: "2", Tasks: []string{"n2", "n2"}}}, 1000)
	if got, want := shown(1100), `[{"avail_classes":{"batch":1,"long":2},"avail_mem_mb":500,"avail_procs":2,"id":"n1","load":0,"procs":2,"state":"Idle"},`+
		`{"avail_classes":{"batch":2,"long":0},"avail_mem_mb":500,"avail_procs":2,"id":"n2","load":2.5,"procs":4,"state":"Running"},`+
		`{"avail_procs":0,"id":"n3","load":0.0,"procs":4,"state":"Down"}]`; got != want {
		t.Errorf("after 1 has ended and 2 has started the nodes are\n%s\nwant\n%s", got, want)
	}
}
