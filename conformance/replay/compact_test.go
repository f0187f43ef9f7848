package replay_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/fairway-sched/fairway/conformance/recordedtest"
	"github.com/fairway-sched/fairway/conformance/replay"
)

var update = flag.Bool("update", false, "rewrite the compact copies from the full set")

// TestRecordMaui rewrites the compact copies from the full set: go test -run TestRecord -update.
func TestRecordMaui(t *testing.T) {
	if !*update {
		t.Skip("only with -update")
	}
	for _, r := range recordedtest.Full(t, "maui", copiedMaui) {
		if recordedtest.MauiUnrecorded[r.Name] == "" {
			recordedtest.WriteCopy(t, "maui", r.Name, compactMaui(t, r))
		}
	}
	recordRandom(t)
	recordUnlike(t)
}

// copiedMaui are the cases of which a compact copy is kept: all of them.
const copiedMaui = `^(p|f|t|r|big|b|n)\d`

// placed are the cases about which job starts where. Of them the factors of the first iteration are kept and, of
// all, who starts, what is reserved and how the queue looks.
var placed = regexp.MustCompile(`^[bn]\d`)

// large are the cases of hundreds of jobs: of every fifth the factors are kept, of the others
// the sum and the stored priority.
var large = regexp.MustCompile(`^big\d`)

func thin(jobs map[string]replay.Priority) {
	for i, id := range slices.Sorted(maps.Keys(jobs)) {
		if job := jobs[id]; i%5 != 0 {
			job.Components, job.Subfactors = nil, nil
			jobs[id] = job
		}
	}
}

// mauiReports are the reports that are kept as Maui printed them after its first iteration.
var mauiReports = []string{"diagnose-p", "diagnose-f", "showq"}

// compactMaui keeps the policy, the jobs, nodes and usage, and the answers that are compared.
func compactMaui(t *testing.T, r recordedtest.Case) *txtar.Archive {
	want, err := replay.Read(r.Files)
	if err != nil {
		t.Fatal(err)
	}
	cfg := string(r.Read(t, "maui.cfg"))
	if _, after, ok := strings.Cut(cfg, "# --- end of harness lines ---\n"); ok {
		cfg = after // what attached the scheduler to its simulated machine
	}
	a := &txtar.Archive{Comment: []byte(want.Title + ".\nRecorded from Maui 3.5.\n")}
	add := func(name string, text []byte) { a.Files = append(a.Files, txtar.File{Name: name, Data: text}) }
	add("maui.cfg", []byte(cfg))
	add("jobs.json", withoutNulls(t, r.Read(t, "jobs.json")))
	add("nodes.json", withoutNulls(t, r.Read(t, "nodes.json")))
	windows, err := fs.Glob(r.Files, "fs/FS.*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range windows {
		add(name, r.Read(t, name))
	}
	for _, step := range want.Iterations() {
		if len(step.Commands) == 0 {
			step.After = nil
		}
		step.Printed = replay.Printed{}
		compactReservations(step)
		compactPriorities(step.First)
		compactPriorities(step.After)
		for id, job := range step.CheckJob {
			job.Flags = nil
			step.CheckJob[id] = job
		}
	}
	if placed.MatchString(r.Name) {
		for _, step := range want.Iterations() {
			if step.CheckJob = nil; step.Now != want.Now {
				step.First = nil
			}
		}
	} else {
		for _, command := range mauiReports {
			name := "expected/" + command + ".txt"
			if text := r.Read(t, name); reported(text) {
				add(name, text)
			}
		}
	}
	if large.MatchString(r.Name) {
		a.Comment = append(a.Comment, "The factors of every fifth job are kept, the sums of all.\n"...)
		thin(want.First)
	}
	add("expected.json", recordedtest.JobPerLine(t, want))
	return a
}

// compactReservations keeps those of jobs that wait, and standing ones.
func compactReservations(step *replay.Iteration) {
	step.Reserved = slices.DeleteFunc(step.Reserved,
		func(r replay.Reservation) bool { return r.Type == "Job" && r.State != "I" })
	maps.DeleteFunc(step.OnNodes, func(id string, _ []replay.OnNode) bool {
		return !slices.ContainsFunc(step.Reserved, func(r replay.Reservation) bool { return r.ID == id })
	})
}

// compactPriorities leaves out what weights and factors tell, and what nobody weighs.
func compactPriorities(jobs map[string]replay.Priority) {
	for id, job := range jobs {
		job.Unweighted = nil
		for name, c := range job.Components {
			c.Contribution = nil
			job.Components[name] = c
		}
		jobs[id] = job
	}
}

// reported: a report with more than its command and heading.
func reported(text []byte) bool { return bytes.Count(text, []byte("\n")) > 4 }

// withoutNulls writes a list of records, one a line, leaving out what is null or empty.
func withoutNulls(t *testing.T, text []byte) []byte {
	t.Helper()
	var list []json.RawMessage
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	empty := regexp.MustCompile(`"[a-z_]+":(null|\[\]),?`)
	for i, record := range list {
		line := strings.ReplaceAll(empty.ReplaceAllString(string(record), ""), ",}", "}")
		fmt.Fprintf(&out, "%s%s", map[bool]string{true: "[\n ", false: ",\n "}[i == 0], line)
	}
	out.WriteString("\n]\n")
	return out.Bytes()
}
