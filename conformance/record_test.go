package conformance_test

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestRecordMaui and TestRecordSlurm rewrite the compact copies from the full set: go test -run TestRecord -update.
func TestRecordMaui(t *testing.T) {
	if !*update {
		t.Skip("only with -update")
	}
	for _, r := range fullRecordings(t, "maui", copiedMaui) {
		if mauiUnrecorded[r.name] != "" {
			continue
		}
		write(t, "maui", r.name, compactMaui(t, r))
	}
	recordRandom(t)
	recordUnlike(t)
}

func TestRecordSlurm(t *testing.T) {
	if !*update {
		t.Skip("only with -update")
	}
	old, err := filepath.Glob("recorded/slurm/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range old {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range fullRecordings(t, "slurm", copiedSlurm) {
		write(t, "slurm", r.name, compactSlurm(t, r))
	}
}

func write(t *testing.T, scheduler, name string, a *txtar.Archive) {
	t.Helper()
	if err := os.WriteFile(filepath.Join("recorded", scheduler, name+".txtar"), txtar.Format(a), 0o644); err != nil {
		t.Fatal(err)
	}
}

// jobPerLine writes expectations so that each job is one line.
func jobPerLine(t *testing.T, want any) []byte {
	t.Helper()
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	s := regexp.MustCompile(`("[^"]+":\{("eff_queue_time":\d+,)?"raw_sum"|"[^"]+":\{"start_priority"|\{"job":|\{"job_id":|\{"now":|"(diagnose_p|starts|queue|blocked_reasons|checkjob|later_steps)")`).ReplaceAllString(string(text), "\n $1")
	return []byte(s + "\n")
}

// outputOf reads an output that may be packed; nil if the case has none.
func outputOf(t *testing.T, r recording, name string) []byte {
	t.Helper()
	text, err := fs.ReadFile(r.files, name)
	if err == nil {
		return text
	}
	packed, err := r.files.Open(name + ".gz")
	if err != nil {
		return nil
	}
	defer packed.Close()
	in, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	if text, err = io.ReadAll(in); err != nil {
		t.Fatal(err)
	}
	return text
}
