package conformance_test

import (
	"encoding/json"
	"strconv"
	"testing"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
)

// setspriCase has system priorities that an administrator set after the first iteration.
const setspriCase = "p37-setspri"

// setspriExpected is what was recorded after that.
type setspriExpected struct {
	Now   int64                   `json:"now"`
	After map[string]mauiPriority `json:"priorities_diagnose"`
}

// setspriCommands are what the administrator typed. Maui's client refuses a
// negative relative priority, so that command has no effect.
type setspriCommands struct {
	Commands [][]string `json:"client_commands_before_capture"`
}

// TestRecordedSystemPriority: setspri as Maui recorded it.
func TestRecordedSystemPriority(t *testing.T) {
	for _, r := range recordings(t, "maui") {
		if r.name == setspriCase {
			checkSetspri(t, r)
			return
		}
	}
	t.Error("the case is missing")
}

func checkSetspri(t *testing.T, r recording) {
	var want setspriExpected
	if err := json.Unmarshal(r.read(t, "after.json"), &want); err != nil {
		t.Fatal(err)
	}
	out := r.compile(t, "maui.cfg", compiler.Input{Lang: lower.Maui})
	if out.Program == nil {
		t.Fatal(format(out.Diags))
	}
	result := evaluate(t, out.Program, r.snapshot(t, want.Now, "jobs.json", "nodes.json", "set.json"))
	_, index := jobIDs(result)
	for id, w := range want.After {
		if got := result.Priority[result.JobRow[index[id]]]; got != w.Stored {
			t.Errorf("%s: priority is %d, recorded was %d", id, got, w.Stored)
		}
	}
	if len(want.After) == 0 {
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
