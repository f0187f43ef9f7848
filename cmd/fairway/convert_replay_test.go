package main

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

var (
	claimsOrder = regexp.MustCompile(`^job (\S+) is before job (\S+) under \S+ and after it under \S+`)
	claimsState = regexp.MustCompile(`^job (\S+) is (\S+) under \S+ and (\S+) under \S+$`)
)

// replays runs the two commands of a list of convert, as a person would, and sees that they show what it claims.
func replays(ts *testscript.TestScript, _ bool, args []string) {
	text, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	var list struct {
		CounterExample *struct {
			What     string
			Commands []string
			File     string
			Snapshot json.RawMessage
		} `json:"counter_example"`
	}
	ts.Check(json.Unmarshal(text, &list))
	e := list.CounterExample
	if e == nil {
		ts.Fatalf("%s has no counter-example", args[0])
	}
	if e.File == "counter-example.json" { // no file was asked for
		ts.Check(os.WriteFile(ts.MkAbs(e.File), e.Snapshot, 0o644))
	}
	type job struct {
		ID    string
		Rank  int
		State string
	}
	var places []map[string]job
	for _, command := range e.Commands {
		words := strings.Fields(command)
		ts.Check(ts.Exec(words[0], append(words[1:], "-o", "json=replayed.json")...))
		text, err := os.ReadFile(ts.MkAbs("replayed.json"))
		ts.Check(err)
		var result struct{ Jobs []job }
		ts.Check(json.Unmarshal(text, &result))
		byID := map[string]job{}
		for _, j := range result.Jobs {
			byID[j.ID] = j
		}
		places = append(places, byID)
	}
	if m := claimsOrder.FindStringSubmatch(e.What); m != nil {
		if places[0][m[1]].Rank >= places[0][m[2]].Rank || places[1][m[1]].Rank <= places[1][m[2]].Rank {
			ts.Fatalf("%s: but it is %v", e.What, places)
		}
	} else if m := claimsState.FindStringSubmatch(e.What); m != nil {
		if places[0][m[1]].State != m[2] || places[1][m[1]].State != m[3] || m[2] == m[3] {
			ts.Fatalf("%s: but it is %v", e.What, places)
		}
	} else {
		ts.Fatalf("nobody knows what to look for: %s", e.What)
	}
}
