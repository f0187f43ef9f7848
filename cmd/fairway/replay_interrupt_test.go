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

// TestInterruptedReplay: a replay that is interrupted goes on from its checkpoint to the same result, byte by byte, and
// not with other inputs.
func TestInterruptedReplay(t *testing.T) {
	folder := t.TempDir()
	path := func(name string) string { return filepath.Join(folder, name) }
	var jobs strings.Builder
	for k := range 400 {
		fmt.Fprintf(&jobs, "%d %d -1 %d %d -1 -1 %d %d -1 1 %d 1 -1 1 -1 -1 -1\n", k+1, 1700000000+k*120, 60+k*37%1500,
			1+k*7%16, 1+k*7%16, 60+k*53%1800, 1+k%5)
	}
	for name, text := range map[string]string{
		"w.swf": jobs.String(), "v.swf": jobs.String()[:200*40],
		"nodes.json": `{"format_version": 1, "nodes": [{"id": "a", "procs": 8}, {"id": "b", "procs": 8}]}`,
		"maui.cfg": "BACKFILLPOLICY FIRSTFIT\nRESERVATIONPOLICY CURRENTHIGHEST\nQUEUETIMEWEIGHT 1\nXFACTORWEIGHT 5\n" +
			"FSPOLICY DEDICATEDPS\nFSWEIGHT 10\nFSUSERWEIGHT 1\nUSERCFG[DEFAULT] FSTARGET=20 MAXJOB=6\n",
	} {
		if err := os.WriteFile(path(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	replay := func(out string, args ...string) error {
		cmd := newReplay()
		cmd.SilenceErrors, cmd.SilenceUsage = true, true
		cmd.SetArgs(append(args, path("maui.cfg"), "-n", path("nodes.json"), "-o", "json="+path(out)))
		return cmd.Execute()
	}
	code := func(err error) int {
		var exit *exitError
		if !errors.As(err, &exit) {
			return 0
		}
		return exit.code
	}
	begun := time.Now()
	if err := replay("whole.json", "-w", path("w.swf")); err != nil {
		t.Fatal(err)
	}
	took := time.Since(begun)
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, os.Interrupt) // the test itself goes on
	for k, args := range [][]string{{"--checkpoint", path("ck")}, {"--resume", path("ck")}} {
		stop := time.AfterFunc(took/time.Duration(3-k), func() { _ = syscall.Kill(os.Getpid(), syscall.SIGINT) })
		err := replay("got.json", append(args, "-w", path("w.swf"))...)
		stop.Stop()
		if _, missing := os.Stat(path("ck")); err == nil && missing != nil {
			t.Skip("it was through before the interruption")
		}
		if err != nil && code(err) != exitInterrupted {
			t.Fatal(err)
		}
	}
	if err := replay("other.json", "-w", path("v.swf"), "--resume", path("ck")); code(err) != exitUnreadable {
		t.Errorf("another workload: %v", err)
	}
	if err := replay("other.json", "-w", path("w.swf"), "--seed", "2", "--resume", path("ck")); code(err) != exitUnreadable {
		t.Errorf("another seed: %v", err)
	}
	if err := replay("got.json", "-w", path("w.swf"), "--resume", path("ck")); err != nil {
		t.Fatal(err)
	}
	whole, _ := os.ReadFile(path("whole.json"))
	got, err := os.ReadFile(path("got.json"))
	if err != nil || len(got) == 0 || string(got) != string(whole) {
		t.Errorf("%d bytes in parts, %d at once: %v", len(got), len(whole), err)
	}
}
