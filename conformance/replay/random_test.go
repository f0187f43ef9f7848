package replay_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/conformance/beside"
	"github.com/fairway-sched/fairway/conformance/recorded"
	"github.com/fairway-sched/fairway/conformance/recordedtest"
	"github.com/fairway-sched/fairway/conformance/replay"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/planning"
)

// randomCase is one of many small random queues on an empty machine, each given to
// Maui for exactly one iteration, 60 s after its jobs were submitted.
type randomCase struct {
	ID       string         `json:"id"`
	Kind     string         `json:"kind"`
	Cfg      []string       `json:"cfg"`
	Nodes    []randomNode   `json:"nodes"`
	Jobs     []randomJob    `json:"jobs"`
	Observed randomObserved `json:"observed"`

	Usage []map[string]float64 `json:"fs,omitempty"` // fairshare windows, newest first, by kind:name
}

type randomNode struct {
	Name  string `json:"name"`
	Procs int64  `json:"procs"`
	Mem   int64  `json:"mem"` // MB
}

type randomJob struct {
	Name    string `json:"name"`
	User    string `json:"user"`
	Group   string `json:"group"`
	Account string `json:"account,omitempty"`
	QOS     string `json:"qos,omitempty"`
	Tasks   int64  `json:"tasks"`
	Limit   int64  `json:"wclimit"`
	Mem     int64  `json:"mem,omitempty"` // MB a task
	Nodes   int64  `json:"nodes,omitempty"`
}

type randomObserved struct {
	Active   []string         `json:"active,omitempty"`
	Eligible []string         `json:"eligible,omitempty"` // in the order of the queue
	Blocked  []string         `json:"blocked,omitempty"`  // in no order
	Stored   map[string]int64 `json:"start_priority"`
	Printed  map[string]int64 `json:"diagnose_p,omitempty"`
	Reserved []randomReserved `json:"reservations,omitempty"`
}

// randomReserved is a reservation of a waiting job; times are seconds from now.
type randomReserved struct {
	Job   string `json:"job"`
	Start int64  `json:"start_s"`
	End   int64  `json:"end_s"`
	Nodes int    `json:"nodes"`
	Procs int64  `json:"procs"`
}

type randomCases struct {
	Cases []randomCase `json:"cases"`
}

// randomRefused are jobs that the simulator did not take, since their memory fits on too few
// nodes at once; they are in no list of the recording.
var randomRefused = map[string]string{"R097": "j.6.0", "R211": "j.3.0"}

const randomFile = "../recorded/maui/random.json"

func TestRecordedMauiRandom(t *testing.T) {
	checkRandom(t, randomFile)
}

func TestFullRecordedMauiRandom(t *testing.T) {
	checkRandom(t, beside.Folder(t, "oracle", "maui-random", "cases.json"))
}

// recordRandom keeps of every case, one a line, what is read here.
func recordRandom(t *testing.T) {
	kept := randomCases{readRandom(t, beside.Folder(t, "oracle", "maui-random", "cases.json"))}
	text, err := json.Marshal(kept)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.ReplaceAll(string(text), `{"id":`, "\n"+`{"id":`) + "\n"
	if err := os.WriteFile(filepath.FromSlash(randomFile), []byte(lines), 0o644); err != nil {
		t.Fatal(err)
	}
}

func readRandom(t *testing.T, name string) []randomCase {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var file randomCases
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	return file.Cases
}

func checkRandom(t *testing.T, name string) {
	jobs := 0
	for _, c := range readRandom(t, name) {
		t.Run(c.ID, func(t *testing.T) {
			jobs += checkRandomCase(t, c, false)
			checkRandomCase(t, c, true)
		})
	}
	if jobs < 1900 {
		t.Errorf("only %d jobs were compared", jobs)
	}
}

// checkRandomCase compares the stored priorities, who may start in which order, and who is blocked.
// Which jobs start is taken from the recording, or planned and compared with it, with the reservations.
func checkRandomCase(t *testing.T, c randomCase, plan bool) int {
	t.Helper()
	r := recordedtest.Case{Case: recorded.Case{Name: c.ID, Files: fstest.MapFS{"queue.json": {Data: c.snapshot(t)}}}}
	policy, err := replay.Compile([]byte(strings.Join(c.Cfg, "\n") + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	options := evaluation.Options{Workers: 1, Plan: plan}
	if !plan {
		options.Started = c.started()
	}
	result, err := engine.Run(policy, r.Snapshot(t, 0, "queue.json"), options)
	if err != nil {
		t.Fatal(err)
	}
	if result.Findings.HasErrors() {
		t.Fatal(recordedtest.Text(result.Findings))
	}
	ids, index := recordedtest.JobIDs(result)
	for _, id := range ids {
		want, recorded := c.Observed.Stored[id]
		if got := result.Stored[index[id]]; recorded && got != want {
			t.Errorf("job %s: the stored priority is %d, recorded was %d", id, got, want)
		}
	}
	checkIdle(t, result, c.Observed.Eligible, false, randomRefused[c.ID])
	var blocked []string
	for i, id := range ids {
		if result.State[i] == evaluation.Blocked && !(plan && id == randomRefused[c.ID]) {
			blocked = append(blocked, id)
		}
	}
	slices.Sort(blocked)
	equalLists(t, "blocked", blocked, slices.Sorted(slices.Values(c.Observed.Blocked)))
	for id, want := range c.Observed.Printed {
		row := result.JobRow[index[id]]
		if got := int64(math.RoundToEven(result.Score[row])); got != want {
			t.Errorf("job %s: diagnose -p says %d, recorded was %d", id, got, want)
		}
	}
	if plan {
		c.checkPlan(t, result, ids)
	}
	return len(c.Observed.Stored)
}

// checkPlan compares who starts and what is reserved.
func (c randomCase) checkPlan(t *testing.T, r *evaluation.Result, ids []string) {
	t.Helper()
	var started []string
	for _, job := range r.Started {
		started = append(started, ids[job])
	}
	slices.Sort(started)
	equalLists(t, "started", started, c.started())
	s, err := engine.Plan(r, planning.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got, want []string
	for i := range s.Placements {
		if at := &s.Placements[i]; at.By == backfill.ByReservation {
			procs := int64(0)
			for _, share := range at.Nodes {
				procs += share.Tasks * s.Requests[i].PerTask.Procs
			}
			got = append(got, fmt.Sprint(randomReserved{s.Requests[i].ID, at.Start - s.Now, at.End - s.Now, len(at.Nodes),
				procs}))
		}
	}
	for _, reserved := range c.Observed.Reserved {
		want = append(want, fmt.Sprint(reserved))
	}
	slices.Sort(got)
	slices.Sort(want)
	equalLists(t, "reserved", got, want)
}

// started: the recording has the running jobs by the time when they end; they started in the order
// of their priority, which the names have, those of backfill aside.
func (c randomCase) started() []string { return slices.Sorted(slices.Values(c.Observed.Active)) }

// snapshot writes the case as a native snapshot.
func (c randomCase) snapshot(t *testing.T) []byte {
	t.Helper()
	const now, ageSeconds, windowSeconds = 1_700_000_000, 60, 86400
	var jobs, nodes []map[string]any
	for _, j := range c.Jobs {
		jobs = append(jobs, map[string]any{"id": j.Name, "user": j.User, "group": j.Group, "account": j.Account, "qos": j.QOS,
			"partition": "DEFAULT", "state": "pending", "submit_time": now - ageSeconds, "walltime_seconds": j.Limit,
			"nodes": j.Nodes,
			"tasks": j.Tasks, "procs_per_task": 1, "procs": j.Tasks, "mem_per_task_mb": j.Mem, "mem_mb": j.Mem * j.Tasks})
	}
	for _, n := range c.Nodes {
		nodes = append(nodes, map[string]any{"id": n.Name, "procs": n.Procs, "mem_mb": n.Mem})
	}
	var usage []map[string]any
	for k, recorded := range c.Usage {
		w := map[string]map[string]float64{"user": {}, "group": {}, "account": {}, "qos": {}}
		for name, used := range recorded {
			kind, name, _ := strings.Cut(name, ":")
			if kind == "acct" {
				kind = "account"
			}
			if w[kind] != nil {
				w[kind][name] = used
			}
		}
		usage = append(usage, map[string]any{"start_time": now - now%windowSeconds - k*windowSeconds,
			"total": recorded["TOTAL:TOTAL"], "usage": w})
	}
	text, err := json.Marshal(map[string]any{"format_version": 1, "now": now, "jobs": jobs, "nodes": nodes,
		"usage": usage})
	if err != nil {
		t.Fatal(err)
	}
	return text
}
