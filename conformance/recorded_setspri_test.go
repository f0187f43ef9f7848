package conformance_test

import (
	"encoding/json"
	"strconv"
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
)

// setspriExpected is the part of a case that was recorded after an administrator
// had set system priorities.
type setspriExpected struct {
	mauiExpected
	After map[string]mauiPriority `json:"priorities_diagnose"`
}

// setspriCommands are what the administrator typed. Maui's client refuses a
// negative relative priority, so that command has no effect.
type setspriCommands struct {
	Commands [][]string `json:"client_commands_before_capture"`
}

// TestRecordedSystemPriority: setspri as Maui recorded it. The order then printed
// was still that of the iteration before, which TestFullRecordedMaui compares.
func TestRecordedSystemPriority(t *testing.T) {
	seen := 0
	for _, r := range fullRecordings(t, "maui", `^p37-setspri$`) {
		var want setspriExpected
		r.expected(t, &want)
		files := fstest.MapFS{}
		for _, name := range []string{"maui.cfg", "jobs.json", "nodes.json"} {
			files[name] = &fstest.MapFile{Data: r.read(t, name)}
		}
		files["set.json"] = &fstest.MapFile{Data: systemPriorities(t, r.read(t, "scenario.json"))}
		after := recording{r.name, files}
		out := after.compile(t, "maui.cfg", compiler.Input{Lang: lower.Maui, Options: lower.Options{Without: []string{"limits"}}})
		if out.Program == nil {
			t.Fatal(format(out.Diags))
		}
		result := evaluate(t, out.Program, after.snapshot(t, want.Now, "jobs.json", "nodes.json", "set.json"))
		_, index := jobIDs(result)
		for id, w := range want.After {
			seen++
			if got := result.Priority[result.JobRow[index[id]]]; got != w.Stored {
				t.Errorf("%s: priority is %d, recorded was %d", id, got, w.Stored)
			}
		}
	}
	if seen == 0 {
		t.Error("nothing was compared")
	}
}

// systemPriorities writes what the commands set as a snapshot that adds to the queue.
func systemPriorities(t *testing.T, scenario []byte) []byte {
	t.Helper()
	var s setspriCommands
	if err := json.Unmarshal(scenario, &s); err != nil {
		t.Fatal(err)
	}
	jobs := []map[string]any{}
	for _, c := range s.Commands {
		relative := len(c) == 4 && c[1] == "-r"
		value, err := strconv.Atoi(c[len(c)-2])
		if err != nil {
			t.Fatalf("command %v: %v", c, err)
		}
		if value > 0 {
			jobs = append(jobs, map[string]any{"id": c[len(c)-1], "system_priority": value, "system_priority_relative": relative})
		}
	}
	text, err := json.Marshal(map[string]any{"format_version": 1, "jobs": jobs})
	if err != nil {
		t.Fatal(err)
	}
	return text
}
