package main

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestInterruptedPlan: a plan that somebody interrupts ends at once, and its files are as they were.
func TestInterruptedPlan(t *testing.T) {
	folder := t.TempDir()
	path := func(name string) string { return filepath.Join(folder, name) }
	var queue strings.Builder
	queue.WriteString(`{"format_version": 1, "now": 1700000000, "nodes": [`)
	for n := range 64 {
		fmt.Fprintf(&queue, `%s{"id": "n%d", "procs": 16, "up": true, "state": "idle"}`, ","[:min(n, 1)], n)
	}
	queue.WriteString(`], "jobs": [`)
	for j := range 20000 {
		fmt.Fprintf(&queue, `%s{"id": "%d", "user": "u%d", "procs": %d, "tasks": %d, "walltime_seconds": %d, "submit_time": %d}`, ","[:min(j, 1)], j+1, j%7, 1+j%40, 1+j%40, 600+j%977*60, 1690000000+j)
	}
	queue.WriteString("]}\n")
	for name, text := range map[string]string{
		"queue.json": queue.String(),
		"site.hcl": "policy \"site\" {\n  component \"age\" {\n    term \"queue\" { factor = \"job.queue_minutes\" }\n  " +
			"}\n  backfill {\n    reservation_depth = \"unlimited\"\n  }\n}\n",
		"plan.svg": "old",
	} {
		if err := os.WriteFile(path(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, os.Interrupt) // the test itself goes on; to the end, as the last signal may come late
	done, ended := make(chan struct{}), make(chan struct{})
	defer func() { close(done); <-ended }()
	go func() { // again and again: only the plan listens, and it is unknown when it begins
		defer close(ended)
		for {
			select {
			case <-done:
				return
			case <-time.After(time.Millisecond):
				_ = syscall.Kill(os.Getpid(), syscall.SIGINT)
			}
		}
	}()
	cmd := newPlan()
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetArgs([]string{path("site.hcl"), "-s", path("queue.json"), "--gantt", path("plan.svg"), "-o",
		"json=" + path("plan.json")})
	err := cmd.Execute()
	var exit *exitError
	if !errors.As(err, &exit) || exit.code != exitInterrupted {
		t.Fatalf("it ends with %v", err)
	}
	if text, err := os.ReadFile(path("plan.svg")); err != nil || string(text) != "old" {
		t.Errorf("the chart has %d bytes, %v", len(text), err)
	}
	if entries, _ := os.ReadDir(folder); len(entries) != 3 {
		t.Errorf("%d files are there", len(entries))
	}
}
