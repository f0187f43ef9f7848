package conformance_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/runtime/program"
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
}

type randomCases struct {
	Cases []randomCase `json:"cases"`
}

// randomKnown are jobs that lost their queue time though they are not blocked in the end.
var randomKnown = map[string]string{
	"R192 j.6.0": "MAXIJOB rejects it in the hard pass, after j.2.0; the soft pass blocks j.2.0 for another reason and starts it",
}

const randomFile = "recorded/maui/random.json"

func TestRecordedMauiRandom(t *testing.T) {
	checkRandom(t, randomFile)
}

func TestFullRecordedMauiRandom(t *testing.T) {
	checkRandom(t, shared(t, "oracle", "maui-random", "cases.json"))
}

// recordRandom keeps of every case, one a line, what is read here.
func recordRandom(t *testing.T) {
	kept := randomCases{readRandom(t, shared(t, "oracle", "maui-random", "cases.json"))}
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
		if c.Kind == "fs" { // needs windows of past usage
			continue
		}
		t.Run(c.ID, func(t *testing.T) { jobs += checkRandomCase(t, c) })
	}
	if jobs < 300 {
		t.Errorf("only %d jobs were compared", jobs)
	}
}

// checkRandomCase compares the stored priorities. A job that a limit rejects loses
// its queue time, since JOBPRIOACCRUALPOLICY is QUEUEPOLICY unless set: a blocked job
// must have the priority of a job of its age or of one just submitted.
func checkRandomCase(t *testing.T, c randomCase) int {
	r := recording{c.ID, fstest.MapFS{"maui.cfg": {Data: []byte(strings.Join(c.Cfg, "\n") + "\n")}}}
	out := r.compile(t, "maui.cfg", compiler.Input{Lang: lower.Maui, Options: lower.Options{Without: []string{"limits"}}})
	if out.Program == nil {
		t.Fatal(format(out.Diags))
	}
	aged, fresh := c.priorities(t, out.Program, 60), c.priorities(t, out.Program, 0)
	for id, want := range c.Observed.Stored {
		blocked := slices.Contains(c.Observed.Blocked, id) || randomKnown[c.ID+" "+id] != ""
		if got, ok := aged[id]; !ok || got != want && !(blocked && fresh[id] == want) {
			t.Errorf("job %s: priority is %d, recorded was %d", id, got, want)
		}
	}
	return len(c.Observed.Stored)
}

// priorities evaluates the case with jobs of the given age.
func (c randomCase) priorities(t *testing.T, p *program.Program, ageSeconds int64) map[string]int64 {
	t.Helper()
	r := recording{c.ID, fstest.MapFS{"queue.json": {Data: c.snapshot(t, ageSeconds)}}}
	result := evaluate(t, p, r.snapshot(t, 0, "queue.json"))
	ids, index := jobIDs(result)
	m := map[string]int64{}
	for _, id := range ids {
		m[id] = result.Priority[result.JobRow[index[id]]]
	}
	return m
}

// snapshot writes the case as a native snapshot.
func (c randomCase) snapshot(t *testing.T, ageSeconds int64) []byte {
	t.Helper()
	const now = 1_700_000_000
	var jobs, nodes []map[string]any
	for _, j := range c.Jobs {
		jobs = append(jobs, map[string]any{"id": j.Name, "user": j.User, "group": j.Group, "account": j.Account, "qos": j.QOS,
			"partition": "DEFAULT", "state": "pending", "submit_time": now - ageSeconds, "walltime_seconds": j.Limit, "nodes": j.Nodes,
			"tasks": j.Tasks, "procs_per_task": 1, "procs": j.Tasks, "mem_per_task_mb": j.Mem, "mem_mb": j.Mem * j.Tasks})
	}
	for _, n := range c.Nodes {
		nodes = append(nodes, map[string]any{"id": n.Name, "procs": n.Procs, "mem_mb": n.Mem})
	}
	text, err := json.Marshal(map[string]any{"format_version": 1, "now": now, "jobs": jobs, "nodes": nodes})
	if err != nil {
		t.Fatal(err)
	}
	return text
}
