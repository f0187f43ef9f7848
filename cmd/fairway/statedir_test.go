package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/runtime/push"
)

// TestAudit: a line that a kill broke off stays, and the next one is whole.
func TestAudit(t *testing.T) {
	dir := t.TempDir()
	s, err := openStateDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	if err := os.WriteFile(s.file(stateAudit), []byte("{\"run\":\"a\",\"event\":\"begin\"}\n{\"run\":\"a\",\"ev"), 0o640); err != nil {
		t.Fatal(err)
	}
	a, err := s.audit()
	if err != nil {
		t.Fatal(err)
	}
	defer a.file.Close()
	for range 2 {
		if err := a.Append(push.Entry{Run: "b", Event: push.End}); err != nil {
			t.Fatal(err)
		}
	}
	entries, torn, err := readAudit(dir)
	if err != nil || torn != 1 || len(entries) != 3 || entries[2].Run != "b" {
		t.Errorf("%+v, %d torn, %v", entries, torn, err)
	}
}

// TestFullDisk: what the disk does not take is an error that says so.
func TestFullDisk(t *testing.T) {
	f, err := os.OpenFile("/dev/full", os.O_RDWR, 0)
	if err != nil {
		t.Skip("this system has no /dev/full")
	}
	defer f.Close()
	a := &auditFile{name: "audit.jsonl", file: f}
	if err := a.Append(push.Entry{Run: "b", Event: push.End}); err == nil || !strings.Contains(err.Error(), "cannot write audit.jsonl: no space left on device") || a.size != 0 {
		t.Errorf("%v, size %d", err, a.size)
	}
}

// TestStateLock: the folder is one run's at a time, and its layout is written once.
func TestStateLock(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	s, err := openStateDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := openStateDir(dir); err == nil || err.(*exitError).code != exitLocked {
		t.Errorf("a second run has it too: %v", err)
	}
	s.close()
	s, err = openStateDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	s.close()
	if text, err := os.ReadFile(filepath.Join(dir, stateVersion)); err != nil || string(text) != "1\n" {
		t.Errorf("%q, %v", text, err)
	}
}
