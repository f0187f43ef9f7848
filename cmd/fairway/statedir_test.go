package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fairway-sched/fairway/runtime/push"
)

// TestAudit: a line that a kill broke off stays, and the next one is whole.
func TestAudit(t *testing.T) {
	dir := t.TempDir()
	s, err := openStateDir(dir, "push")
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	if err := os.WriteFile(s.file(stateAudit),
		[]byte("{\"time\":\"t\",\"run\":\"a\",\"event\":\"begin\"}\n{\"time\":\"t\",\"run\":\"a\",\"ev"), 0o640); err != nil {
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
	entries, torn, err := readAudit(dir, false)
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
	if err := a.Append(push.Entry{Run: "b", Event: push.End}); err == nil ||
		!strings.Contains(err.Error(), "cannot write audit.jsonl: no space left on device") || a.size != 0 {
		t.Errorf("%v, size %d", err, a.size)
	}
}

// TestStateLock: the folder is one run's at a time, and its layout is written once.
func TestStateLock(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	s, err := openStateDir(dir, "push")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := openStateDir(dir, "push"); err == nil || err.(*exitError).code != exitLocked {
		t.Errorf("a second run has it too: %v", err)
	}
	s.close()
	s, err = openStateDir(dir, "push")
	if err != nil {
		t.Fatal(err)
	}
	s.close()
	if text, err := os.ReadFile(filepath.Join(dir, stateVersion)); err != nil || string(text) != "2\n" {
		t.Errorf("%q, %v", text, err)
	}
}

// TestAuditParts: a long audit goes on in a new file, once nothing in it waits for the next run; undo reads both.
func TestAuditParts(t *testing.T) {
	defer func(old int64) { auditPartSize = old }(auditPartSize)
	auditPartSize = 10
	dir := t.TempDir()
	s, err := openStateDir(dir, "push")
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	value := int64(5)
	for i, e := range []push.Entry{
		{Run: "z", Event: push.Begin},
		{Run: "a", Event: push.Begin},
		{Run: "b", Event: push.Intent, Changes: []push.Change{{Job: "1", Through: &value}}},
		{Run: "c", Event: push.Done},
	} {
		journal, _, err := readAudit(dir, false)
		if err == nil {
			err = s.rotateAudit(journal, time.Unix(int64(-i), 0)) // the clock goes backwards
		}
		if err != nil {
			t.Fatal(err)
		}
		a, err := s.audit()
		if err == nil {
			err = a.Append(e)
		}
		if err != nil {
			t.Fatal(err)
		}
		_ = a.file.Close()
	}
	last, _, _ := readAudit(dir, false)
	all, torn, err := readAudit(dir, true)
	if len(last) != 2 || last[0].Run != "b" || len(all) != 4 || all[0].Run != "z" || all[1].Run != "a" || torn != 0 ||
		err != nil {
		t.Errorf("%+v, %+v, %v", last, all, err)
	}
}
