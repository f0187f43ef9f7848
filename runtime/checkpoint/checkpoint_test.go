package checkpoint

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/lang/diag/pages"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

func sample() *Checkpoint {
	return &Checkpoint{Family: "maui", Time: 1700000000, IntervalSeconds: 3600,
		Usage: []snapshot.UsageWindow{
			{StartTime: 1699999200, Total: 1.5,
				Usage: map[string]map[string]float64{"user": {"amy": 0.1, "bob \"x\"": 1.4}, "group": {"phys": 1.5}}},
			{StartTime: 1699995600, Usage: map[string]map[string]float64{}},
		},
		Jobs: []Job{
			{ID: "1", SubmitTime: 1699990000, FirstSeen: 1699990100, State: Pending, QueueStart: 1699990000, EligibleSeconds: 60,
				Bypass: 2},
			{ID: "2[3].server", FirstSeen: 1700000000, State: Held, QueueStart: -5},
			{ID: "3", SubmitTime: 1, FirstSeen: 1, State: Running, OverSoftLimit: true},
		}}
}

func slurmSample() *Checkpoint {
	return &Checkpoint{Family: "maui", Time: 1700000000,
		Tree: &Tree{LastReset: 1690000000,
			Associations: []Used{{Name: "root", Seconds: 12.5},
				{Name: "a", Parent: "root", Seconds: 12.5, WallSeconds: 3, TRES: map[string]float64{"cpu": 12.5, "gres/gpu": 1}}},
			QOS: []Used{{Name: "normal", Seconds: 1}}},
		Jobs: []Job{{ID: "1", FirstSeen: 1, State: Pending, Priority: 4711}}}
}

// planSample has what a plan of Maui's leaves.
func planSample() *Checkpoint {
	return &Checkpoint{Family: "maui", Time: 1700000000, ChunkUntil: 1700000300,
		Standing: []Standing{{Name: "night.0.0", Start: 1699996400}},
		Jobs: []Job{
			{ID: "1", FirstSeen: 1, State: Pending, DeferredUntil: 1700003600},
			{ID: "2", FirstSeen: 1, State: Pending,
				Reservation: &Reservation{Start: 1700007200, End: 1700010800, Kind: 1,
					Nodes: []Share{{Node: "n1", Tasks: 4}, {Node: "n2", Tasks: 1}}}},
		}}
}

func text(t *testing.T, c *Checkpoint) string {
	t.Helper()
	var b bytes.Buffer
	if err := c.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestWrittenIsRead(t *testing.T) {
	for _, c := range []*Checkpoint{sample(), slurmSample(), planSample(), {Family: "", Time: 1}} {
		written := text(t, c)
		got, diags := Read(source.NewFile("state.json", []byte(written)), c.Family, c.Time)
		if len(diags) > 0 {
			t.Fatalf("%v of\n%s", diags[0].Message, written)
		}
		if !reflect.DeepEqual(got, c) {
			t.Errorf("read\n%+v\nwritten\n%+v", got, c)
		}
	}
}

// TestReadFaults reports every code, with the place of what is wrong.
func TestReadFaults(t *testing.T) {
	whole, tree, plan := text(t, sample()), text(t, slurmSample()), text(t, planSample())
	job := `{"id":"3","submit_time":1,"first_seen":1,"state":"running","queue_start_time":0,"soft_policy_violation":true}`
	reported := map[string]bool{}
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", "1:1 state-torn the state ends in the middle"},
		{"blanks", " \n ", "2:2 state-torn the state ends in the middle"},
		{"cut", whole[:len(whole)-60], "12:55 state-torn the state ends in the middle"},
		{"cut in a word", whole[:30], "2:10 state-torn the state ends in the middle"},
		{"damaged", strings.Replace(whole, `"time":1`, `"time":!`, 1),
			"4:9 state-torn the state is no JSON: invalid character '!' looking for beginning of value"},
		{"a list", "[1]", "1:1 state-foreign state.json is no state file"},
		{"a number", "7", "1:1 state-foreign state.json is no state file"},
		{"an empty object", "{}", "1:1 state-foreign state.json is no state file"},
		{"a snapshot", `{"format_version":1,"now":1,"jobs":[]}`, "1:1 state-foreign state.json is no state file"},
		{"another kind", strings.Replace(whole, "fairway-state", "fairway", 1),
			"1:1 state-foreign state.json is no state file"},
		{"kind of another type", `{"kind":{}}`, "1:1 state-foreign state.json is no state file"},
		{"newer", strings.Replace(whole, `"format_version":1`, `"format_version":2`, 1),
			"1:2 state-version the state is of format version 2, not 1"},
		{"something behind", whole + "{}", "13:1 state-value something follows the end of the state"},
		{"twice", strings.Replace(whole, `"time":1700000000`, `"time":1700000000,"time":1`, 1),
			`4:20 state-value "time" is here twice`},
		{"unknown member", strings.Replace(whole, `"windows"`, `"panes"`, 1), `6:2 state-value a state has no "panes"`},
		{"no jobs", whole[:strings.Index(whole, ",\n \"jobs\"")] + "}", `1:1 state-value the state has no "jobs"`},
		{"jobs of another type", whole[:strings.Index(whole, `"jobs":`)] + `"jobs":{}}`, `9:9 state-value expected "["`},
		{"a job that is none", strings.Replace(whole, job, "[]", 1), "12:3 state-value this cannot be of type array"},
		{"unknown field", strings.Replace(whole, `"bypass_count"`, `"bypassed"`, 1),
			`10:3 state-value a state has no "bypassed"`},
		{"wrong type", strings.Replace(whole, `"first_seen":1,`, `"first_seen":"x",`, 1),
			"12:3 state-value first_seen cannot be of type string"},
		{"time", strings.Replace(whole, `"time":1700000000`, `"time":-1`, 1), "4:2 state-value the time of the state is -1"},
		{"interval", strings.Replace(whole, `"interval_seconds":3600`, `"interval_seconds":-1`, 1),
			"5:2 state-value windows are -1 seconds long"},
		{"usage of nobody", strings.Replace(whole, `"group":`, `"crew":`, 1),
			`7:3 state-value usage is kept of users, groups and the like, not of "crew"`},
		{"order of windows", strings.Replace(whole, `"start":1699995600`, `"start":1699999200`, 1),
			"8:3 state-value windows are not listed newest first"},
		{"start of a window", strings.Replace(whole, `"start":1699995600`, `"start":-1`, 1),
			"8:3 state-value a window begins at -1"},
		{"window off the grid", strings.Replace(whole, `"start":1699995600`, `"start":1699995601`, 1),
			"8:3 state-value a window begins at 1699995601, which is no multiple of 3600"},
		{"window of no length", strings.Replace(whole, `"interval_seconds":3600`, `"interval_seconds":0`, 1),
			"7:3 state-value a state without a length of windows has one"},
		{"window of the future", strings.Replace(whole, `"start":1699999200`, `"start":1700002800`, 1),
			"7:3 state-value a window begins at 1700002800, after the state"},
		{"negative total", strings.Replace(whole, `"total":1.5`, `"total":-1.5`, 1),
			"7:3 state-value a window has a total of -1.5, which is none"},
		{"negative use", strings.Replace(whole, `"amy":0.1`, `"amy":-0.1`, 1),
			"7:3 state-value user amy has a usage of -0.1, which is none"},
		{"endless use", strings.Replace(whole, `"phys":1.5`, `"phys":1e300`, 1),
			"7:3 state-value group phys has a usage of 1e+300, which is none"},
		{"use beyond a double", strings.Replace(whole, `"phys":1.5`, `"phys":1e400`, 1),
			"7:3 state-value usage cannot be of type number 1e400"},
		{"no id", strings.Replace(whole, `"id":"3"`, `"id":""`, 1), "12:3 state-value a job has no id"},
		{"same id", strings.Replace(whole, `"id":"3"`, `"id":"1"`, 1), "12:3 state-value job 1 is here twice"},
		{"state", strings.Replace(whole, `"running"`, `"gone"`, 1),
			`12:3 state-value job 3 is in state "gone", which is none`},
		{"eligible", strings.Replace(whole, `"eligible_seconds":60`, `"eligible_seconds":-60`, 1),
			"10:3 state-value job 1 was eligible for -60 seconds"},
		{"bypass", strings.Replace(whole, `"bypass_count":2`, `"bypass_count":-2`, 1),
			"10:3 state-value job 1 was overtaken -2 times"},
		{"first seen", strings.Replace(whole, `"first_seen":1,`, `"first_seen":0,`, 1),
			"12:3 state-value job 3 was first seen at 0"},
		{"reset", strings.Replace(tree, `"last_reset":1690000000`, `"last_reset":-1`, 1),
			"7:2 state-value usage was reset at -1"},
		{"usage of no name", strings.Replace(tree, `"name":"root"`, `"name":""`, 1),
			"9:3 state-value a record of usage has no name"},
		{"usage twice", strings.Replace(tree, `"name":"root"`, `"name":"a"`, 1), "10:3 state-value a is here twice"},
		{"negative usage", strings.Replace(tree, `"usage_wall_seconds":3`, `"usage_wall_seconds":-3`, 1),
			"10:3 state-value a has a usage of -3, which is none"},
		{"too much usage", strings.Replace(tree, `"gres/gpu":1`, `"gres/gpu":1e300`, 1),
			"10:3 state-value a has a usage of 1e+300, which is none"},
		{"usage of a QOS", strings.Replace(tree, `"name":"normal","usage_seconds":1`, `"name":"normal","usage_seconds":-1`,
			1), "12:3 state-value normal has a usage of -1, which is none"},
		{"chunk", strings.Replace(plan, `"chunk_until":1700000300`, `"chunk_until":-1`, 1),
			"7:2 state-value resources are kept until -1"},
		{"deferral", strings.Replace(plan, `"deferred_until":1700003600`, `"deferred_until":-1`, 1),
			"11:3 state-value job 1 is deferred until -1"},
		{"reservation without a time", strings.Replace(plan, `"start":1700007200`, `"start":1700017200`, 1),
			"12:3 state-value job 2 has a reservation from 1700017200 to 1700010800"},
		{"reservation of no nodes", strings.Replace(plan, `[{"node":"n1","tasks":4},{"node":"n2","tasks":1}]`, `[]`, 1),
			"12:3 state-value job 2 has a reservation of no nodes"},
		{"reservation of a kind", strings.Replace(plan, `"kind":1`, `"kind":7`, 1),
			"12:3 state-value job 2 has a reservation of kind 7, which is none"},
		{"reservation of no tasks", strings.Replace(plan, `"tasks":4`, `"tasks":0`, 1),
			`12:3 state-value job 2 has a reservation of 0 tasks on node "n1"`},
		{"standing of no name", strings.Replace(plan, `"name":"night.0.0"`, `"name":""`, 1),
			"9:3 state-value a standing reservation has no name"},
		{"standing of no start", strings.Replace(plan, `"start":1699996400`, `"start":0`, 1),
			"9:3 state-value standing reservation night.0.0 began at 0"},
		{"family", strings.Replace(whole, `"family":"maui"`, `"family":""`, 1),
			"3:2 state-family the state is of a policy from scratch, but this is a maui policy"},
		{"future", strings.Replace(whole, `"time":1700000000`, `"time":1700000001`, 1),
			"4:2 state-future the state is of 2023-11-14T22:13:21Z, which is after the time to evaluate, 2023-11-14T22:13:20Z"},
	} {
		got, diags := Read(source.NewFile("state.json", []byte(c.text)), "maui", 1700000000)
		if got != nil || len(diags) != 1 {
			t.Errorf("%s: read %v with %d diagnostics", c.name, got, len(diags))
			continue
		}
		d := diags[0]
		reported[d.Code] = true
		if is := strings.TrimPrefix(d.Span.String(), "state.json:") + " " + d.Code + " " + d.Message; is != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, is, c.want)
		}
		if len(d.Notes) == 0 {
			t.Errorf("%s: nothing says what to do", c.name)
		}
	}
	for _, seconds := range []int64{0, 3600, 7200} {
		diags := sample().FitsInterval(source.NewFile("state.json", []byte(whole)), seconds)
		if diags.HasErrors() != (seconds == 7200) {
			t.Errorf("windows of 3600 seconds with a policy of %d: %v", seconds, diags)
		}
		for _, d := range diags {
			if is := d.Span.String() + " " +
				d.Message; is != "state.json:5:2 the state's fairshare windows are 1h0m0s long, those of the policy 2h0m0s" {
				t.Error(is)
			}
			reported[d.Code] = true
		}
	}
	for _, code := range pages.In("state") {
		if !reported[code.Code] {
			t.Errorf("%s was never reported", code.Code)
		}
		delete(reported, code.Code)
	}
	for code := range reported {
		t.Errorf("%s is not documented", code)
	}
}

// FuzzRead: whatever is in the file, there is a checkpoint that writes and reads back as it is,
// or an error with a place.
func FuzzRead(f *testing.F) {
	var whole bytes.Buffer
	if err := sample().Write(&whole); err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{"", "{", "[]", whole.String(), whole.String()[:200],
		`{"kind":"fairway-state","format_version":1}`,
		`{"kind":"fairway-state","format_version":1,"family":"maui","time":1,"interval_seconds":0,"windows":[],"jobs":[]}`,
		`{"format_version":1,"kind":"fairway-state","jobs":[{"id":"` + "\xff" + `"}]}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file := source.NewFile("state.json", data)
		c, diags := Read(file, "maui", 1800000000)
		if (c == nil) != diags.HasErrors() {
			t.Fatalf("checkpoint %v with %v", c, diags)
		}
		for _, d := range diags {
			if d.Span.IsZero() || d.Span.Position().Line < 1 {
				t.Errorf("no place: %s", d.Message)
			}
		}
		if c == nil {
			return
		}
		again, diags := Read(source.NewFile("again.json", []byte(text(t, c))), "maui", 1800000000)
		if len(diags) > 0 {
			t.Fatalf("written, but not read: %s", diags[0].Message)
		}
		if text(t, again) != text(t, c) {
			t.Errorf("it reads back as another one")
		}
	})
}
