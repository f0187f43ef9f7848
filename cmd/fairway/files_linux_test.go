package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// longQueue writes a snapshot that is long enough to be mapped, whose last job is wrong.
func longQueue(t *testing.T) string {
	name := filepath.Join(t.TempDir(), "queue.json")
	text := strings.Builder{}
	text.WriteString(`{"format_version": 1, "now": 1700000000, "jobs": [` + "\n")
	for text.Len() <= source.Long {
		text.WriteString(`{"id": "1", "user": "ana", "name": "` + strings.Repeat("x", 1000) + `"},` + "\n")
	}
	text.WriteString(`{"id": "2", "procs": "many"}` + "\n]}\n")
	if err := os.WriteFile(name, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

// opener is a file system that opens files in its own way.
type opener func(name string) (fs.File, error)

func (o opener) Open(name string) (fs.File, error) { return o(name) }

// plain is a file that cannot be mapped.
type plain struct{ fs.File }

// shrinking is a file that another program writes anew as soon as it is mapped.
type shrinking struct{ regular }

func (s shrinking) Map() (snapshot.Mapping, error) {
	m, err := s.regular.Map()
	if err == nil {
		err = os.Truncate(s.Name(), 4096)
	}
	return m, err
}

// A mapped file is read as any other, messages and their places included.
func TestMappedIsReadAlike(t *testing.T) {
	name := longQueue(t)
	read := func(open opener) (*snapshot.Snapshot, string) {
		s, diags, err := snapshot.Read(open, []string{name}, snapshot.Options{})
		if err != nil {
			t.Fatal(err)
		}
		text := &strings.Builder{}
		for _, d := range diags {
			text.WriteString(d.Span.String() + ": " + d.Message + "\n")
		}
		return s, text.String()
	}
	_, want := read(func(name string) (fs.File, error) { f, err := os.Open(name); return plain{f}, err })
	s, got := read((&disk{}).Open)
	if s.Jobs.Rows != 1 || got != want || !strings.Contains(got, "many") {
		t.Errorf("%d jobs with findings\n%s\nwithout a mapping\n%s", s.Jobs.Rows, got, want)
	}
}

// A file that becomes shorter while it is read is an error, not the end of the program.
func TestMappedBecomesShorter(t *testing.T) {
	_, _, err := snapshot.Read(opener(func(name string) (fs.File, error) {
		f, err := os.Open(name)
		return shrinking{regular{f}}, err
	}), []string{longQueue(t)}, snapshot.Options{})
	if err == nil || !strings.Contains(err.Error(), "became shorter while it was read") {
		t.Errorf("the error is %v", err)
	}
}
