package replay_test

import (
	"encoding/json"
	"io/fs"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/conformance/recordedtest"
	"github.com/fairway-sched/fairway/conformance/replay"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/limit"
)

// recordedCopy is one compact copy.
func recordedCopy(t *testing.T, name string) recordedtest.Case {
	t.Helper()
	for _, r := range recordedtest.Copies(t, "maui") {
		if r.Name == name {
			return r
		}
	}
	t.Fatalf("there is no recording %s", name)
	return recordedtest.Case{}
}

// firstOf plays the first iteration.
func firstOf(t *testing.T, name string, files fs.FS) *replay.Played {
	t.Helper()
	for p, err := range recordedtest.OpenMaui(t, name, files).Play() {
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	t.Fatal("nothing was played")
	return nil
}

// TestRecordedMachine: by Maui's log, of the 16 nodes of four processors that n12 has in all states,
// those that are busy, run, idle, drain or are in an unknown state count: 44 processors, which
// is as large as a job may be.
func TestRecordedMachine(t *testing.T) {
	const name, job = "n12-node-states", "j.001"
	r := recordedCopy(t, name)
	for tasks, taken := range map[int]bool{28: true, 29: true, 44: true, 45: false, 64: false} {
		var jobs []map[string]any
		if err := json.Unmarshal(r.Read(t, "jobs.json"), &jobs); err != nil {
			t.Fatal(err)
		}
		for _, j := range jobs {
			if j["id"] == job {
				j["tasks"] = tasks
			}
		}
		text, err := json.Marshal(jobs)
		if err != nil {
			t.Fatal(err)
		}
		p := firstOf(t, name, recordedtest.Overlay{FS: r.Files, Top: fstest.MapFS{"jobs.json": {Data: text}}})
		_, index := recordedtest.JobIDs(p.Result)
		if procs, nodes, known := evaluation.Machine(p.Result.Snapshot); procs != 44 || nodes != 11 || !known {
			t.Errorf("%d processors of %d nodes are up, recorded were 44 of 11", procs, nodes)
		}
		if got := slices.Contains(p.Result.Taken[limit.Hard], int32(index[job])); got != taken {
			t.Errorf("%d processors: the walk takes the job is %t, want %t", tasks, got, taken)
		}
		if b := p.Result.Why[index[job]]; !taken && (b == nil || b.Kind != evaluation.BlockResources) {
			t.Errorf("%d processors: why is %v, want %s", tasks, b, evaluation.BlockResources)
		}
	}
}

// TestRecordedSuspended: by Maui's log, the suspended job of b07 is twelfth in the hard and the soft
// walk, though clients list it as active.
func TestRecordedSuspended(t *testing.T) {
	const name, job, slot = "b07-holds-release-deadline", "j.005", 11
	p := firstOf(t, name, recordedCopy(t, name).Files)
	_, index := recordedtest.JobIDs(p.Result)
	for _, b := range []limit.Bound{limit.Soft, limit.Hard} {
		if got := slices.Index(p.Result.Taken[b], int32(index[job])); got != slot || len(p.Result.Taken[b]) != 23 {
			t.Errorf("%s is at slot %d of %d, recorded was %d of 23", job, got, len(p.Result.Taken[b]), slot)
		}
	}
	if got := p.Result.State[index[job]]; got != evaluation.Running {
		t.Errorf("%s is %s, recorded was active", job, got)
	}
}
