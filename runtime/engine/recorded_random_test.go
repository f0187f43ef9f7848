package engine_test

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// randomCase is a random queue on an empty machine that Maui saw for one iteration, 60 s after
// its jobs were submitted.
type randomCase struct {
	ID    string   `json:"id"`
	Cfg   []string `json:"cfg"`
	Nodes []struct {
		Name       string
		Procs, Mem int64
	}
	Jobs []struct {
		Name, User, Group, Account, QOS string
		Tasks, WCLimit, Mem, Nodes      int64
	}
	Usage    []map[string]float64 `json:"fs"` // windows, newest first, by kind:name
	Observed struct {
		Active, Eligible, Blocked []string
		Stored                    map[string]int64 `json:"start_priority"`
	}
}

// infeasible are jobs that fit on no set of nodes, since two tasks of theirs need more memory than a
// node has. Maui finds that out when it looks for nodes, and sets them aside.
var infeasible = map[string]string{"R097": "j.6.0", "R211": "j.3.0"}

// TestRecordedRandomSelection compares who is eligible, in which order, who is blocked, and the
// stored priorities.
func TestRecordedRandomSelection(t *testing.T) {
	text, err := os.ReadFile(shared(t, "oracle", "maui-random", "cases.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Cases []randomCase }
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) < 200 {
		t.Fatalf("only %d cases", len(file.Cases))
	}
	for _, c := range file.Cases {
		t.Run(c.ID, c.check)
	}
}

func (c randomCase) check(t *testing.T) {
	out := compiler.Compile(compiler.Input{Lang: lower.Maui, Files: []*source.File{source.NewFile("maui.cfg", []byte(strings.Join(c.Cfg, "\n")+"\n"))}})
	if out.Diags.HasErrors() {
		t.Fatal(out.Diags[0].Message)
	}
	s, diags, err := snapshot.Read(fstest.MapFS{"queue.json": {Data: c.snapshot(t)}}, []string{"queue.json"}, snapshot.Options{})
	if err != nil || diags.HasErrors() {
		t.Fatal(err, diags)
	}
	r, err := engine.Run(out.Program, s, engine.Options{Workers: 1, Started: c.started()})
	if err != nil || r.Findings.HasErrors() {
		t.Fatal(err, r.Findings)
	}
	eligible := slices.DeleteFunc(names(r, r.Idle), func(name string) bool { return name == infeasible[c.ID] })
	equalLists(t, "eligible", eligible, slices.Concat([]string{}, c.Observed.Eligible))
	blocked := []string{}
	for job := range r.Jobs.Rows {
		if r.State[job] == engine.Blocked {
			blocked = append(blocked, id(r, job))
		}
		if want, ok := c.Observed.Stored[id(r, job)]; ok && r.Stored[job] != want {
			t.Errorf("stored priority of %s is %d, recorded was %d", id(r, job), r.Stored[job], want)
		}
	}
	slices.Sort(blocked)
	equalLists(t, "blocked", blocked, slices.Concat([]string{}, slices.Sorted(slices.Values(c.Observed.Blocked))))
}

// started: the recording has the running jobs by the time when they end; they started in the order
// of their priority, which the names have, those of backfill aside.
func (c randomCase) started() []string { return slices.Sorted(slices.Values(c.Observed.Active)) }

func (c randomCase) snapshot(t *testing.T) []byte {
	const now, day = 1_700_000_000, 86400
	var jobs, nodes, usage []map[string]any
	for _, j := range c.Jobs {
		jobs = append(jobs, map[string]any{"id": j.Name, "user": j.User, "group": j.Group, "account": j.Account, "qos": j.QOS,
			"partition": "DEFAULT", "state": "pending", "submit_time": now - 60, "walltime_seconds": j.WCLimit, "nodes": j.Nodes,
			"tasks": j.Tasks, "procs_per_task": 1, "procs": j.Tasks, "mem_per_task_mb": j.Mem, "mem_mb": j.Mem * j.Tasks})
	}
	for _, n := range c.Nodes {
		nodes = append(nodes, map[string]any{"id": n.Name, "procs": n.Procs, "mem_mb": n.Mem})
	}
	for k, w := range c.Usage {
		names, total := map[string]map[string]float64{}, 0.0
		for _, key := range slices.Sorted(maps.Keys(w)) {
			kind, name, _ := strings.Cut(key, ":")
			if kind == "TOTAL" {
				total = w[key]
				continue
			}
			if kind == "acct" {
				kind = "account"
			}
			if names[kind] == nil {
				names[kind] = map[string]float64{}
			}
			names[kind][name] = w[key]
		}
		usage = append(usage, map[string]any{"start_time": now - now%day - int64(k)*day, "total": total, "usage": names})
	}
	text, err := json.Marshal(map[string]any{"format_version": 1, "now": now, "jobs": jobs, "nodes": nodes, "usage": usage})
	if err != nil {
		t.Fatal(err)
	}
	return text
}
