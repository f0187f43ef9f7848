package fairshare

import (
	"encoding/json"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// recordedStep is one iteration of a recorded run of Maui, as far as fairshare goes.
type recordedStep struct {
	Now       int64
	FirstPass map[string]struct {
		Subfactors map[string]struct{ Factor float64 }
	} `json:"priorities_first_pass"`
	Starts []struct{ Job string }
	Queue  struct{ Active []struct{ Job string } }
}

type recordedJob struct {
	ID, User, Group, Account, QOS, Class string
	StartTime                            int64 `json:"start_time"`
	Runtime                              int64
	Tasks                                int64
	ProcsPerTask                         int64 `json:"procs_per_task"`
}

// TestRecordedIterations follows two recorded runs over many iterations and across the ends of
// windows: what running jobs use, when it counts and when the windows roll.
func TestRecordedIterations(t *testing.T) {
	root := os.Getenv("FAIRWAY_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared")
	}
	if _, err := os.Stat(filepath.Join(root, "oracle", "maui")); err != nil {
		t.Skip("the recordings are not here")
	}
	for _, c := range []struct {
		name  string
		model program.Windows
	}{
		{"f15-fs-rolling", program.Windows{IntervalSeconds: 3600, Targets: []program.Target{
			{Object: "user", Name: "ops", Kind: "target", Value: 40}, {Object: "user", Name: "DEFAULT", Others: true, Kind: "target", Value: 10}}}},
		{"r03-replay-fairshare", program.Windows{IntervalSeconds: 1800, Targets: []program.Target{
			{Object: "user", Name: "DEFAULT", Others: true, Kind: "target", Value: 16.6}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.model.Usage, c.model.Depth, c.model.Decay = DedicatedProcSeconds, 4, 0.5
			replay(t, &c.model, os.DirFS(filepath.Join(root, "oracle", "maui", c.name)))
		})
	}
}

func replay(t *testing.T, w *program.Windows, files fs.FS) {
	var first struct {
		recordedStep
		Later []recordedStep `json:"later_steps"`
	}
	var list []recordedJob
	read(t, files, "expected.json", &first)
	read(t, files, "jobs.json", &list)
	jobs := map[string]*recordedJob{}
	for i := range list {
		jobs[list[i].ID] = &list[i]
	}
	windows := Roll(w, recordedWindows(t, files), first.Now)
	var last int64
	var active []*recordedJob
	compared := 0
	for k, step := range append([]recordedStep{first.recordedStep}, first.Later...) {
		var running []RunningJob
		for _, j := range active {
			if j.Runtime == 0 || j.StartTime+j.Runtime > step.Now { // else the resource manager reports it as completed
				running = append(running, RunningJob{Names: Names{j.User, j.Group, j.Account, j.Class, j.QOS}, Procs: j.Tasks * j.ProcsPerTask, StartTime: j.StartTime})
			}
		}
		if k > 0 {
			Accrue(w, &windows[0], running, last, step.Now)
		}
		shares := EvaluateWindows(w, windows, windows[0].StartTime)
		for id, job := range step.FirstPass {
			want, ok := job.Subfactors["FSUSER"]
			if got := shares.Of(User, jobs[id].User).Delta; ok && math.Abs(got-want.Factor) > 1e-9*math.Max(1, math.Abs(got)) {
				t.Errorf("iteration %d, job %s: factor %v, want %v", k, id, got, want.Factor)
			}
			compared++
		}
		windows, last, active = Roll(w, windows, step.Now), step.Now, nil
		for _, s := range step.Starts {
			jobs[s.Job].StartTime = step.Now
		}
		for _, a := range step.Queue.Active {
			active = append(active, jobs[a.Job])
		}
	}
	if compared < 50 {
		t.Errorf("only %d factors compared", compared)
	}
}

func read(t *testing.T, files fs.FS, name string, into any) {
	data, err := fs.ReadFile(files, name)
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// recordedWindows reads the usage files of a recording; one of them has none.
func recordedWindows(t *testing.T, files fs.FS) []snapshot.UsageWindow {
	if _, err := fs.Stat(files, "fs"); err != nil {
		return nil
	}
	s, diags, err := snapshot.Read(files, []string{"fs"}, snapshot.Options{})
	if err != nil || diags.HasErrors() {
		t.Fatal(err, diags)
	}
	return s.Usage
}
