//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestDiskFull: on a disk that has no room, capture, eval, usage and push say so, end with exit code 5 and leave
// what was there. Room enough again, all of them go on.
func TestDiskFull(t *testing.T) {
	disk := smallDisk(t)
	files := txtarFiles(t, "state_dir.txtar")
	work := t.TempDir()
	for name, text := range files {
		put(t, filepath.Join(work, name), text)
	}
	put(t, filepath.Join(work, "bin/qstat"), "#!/bin/sh\ncat queue.qstat\n")
	put(t, filepath.Join(work, "bin/pbsnodes"), "#!/bin/sh\nexit 0\n")
	put(t, filepath.Join(work, "queue.qstat"), manyJobs())
	for _, name := range []string{"qstat", "pbsnodes"} {
		if err := os.Chmod(filepath.Join(work, "bin", name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	at := func(name string) string { return filepath.Join(disk, name) }
	st := at("st")
	runs := []struct {
		what  string
		first []string // with room; nil: the same
		args  []string
	}{
		{"eval", []string{"eval", "maui.cfg", "-s", "first.json", "--state-dir", st},
			[]string{"eval", "maui.cfg", "-s", "second.json", "--state-dir", st}},
		{"eval --state", []string{"eval", "maui.cfg", "-s", "first.json", "--state", at("one.state")},
			[]string{"eval", "maui.cfg", "-s", "second.json", "--state", at("one.state")}},
		{"usage", []string{"usage", "runs.csv", "--policy", "shares.cfg", "--now", "1699985000", "--state-dir", st},
			[]string{"usage", "runs.csv", "--policy", "shares.cfg", "--now", "1700000000", "--state-dir", st}},
		{"usage --to", []string{"usage", "runs.csv", "--policy", "shares.cfg", "--now", "1699985000", "--to", at("fs")},
			[]string{"usage", "runs.csv", "--policy", "shares.cfg", "--now", "1700000000", "--to", at("fs")}},
		{"push", []string{"push", "p.hcl", "-s", "queue.json", "--to", "file=" + filepath.Join(work, "fed"), "--yes",
			"--state-dir", at("push"), "--max-age", "1000000h"},
			[]string{"push", "p.hcl", "-s", "later.json", "--to", "file=" + filepath.Join(work, "fed"), "--yes", "--state-dir",
				at("push"), "--max-age", "1000000h"}},
		{"push to a file there", []string{"push", "p.hcl", "-s", "queue.json", "--to", "file=" + at("fed"), "--yes",
			"--state-dir", "room", "--max-age", "1000000h"},
			[]string{"push", "p.hcl", "-s", "later.json", "--to", "file=" + at("fed"), "--yes", "--state-dir", "room",
				"--max-age", "1000000h"}},
		{"capture", []string{"snapshot", "capture", "--from", "pbs", "--to", at("q.tar.zst")},
			[]string{"snapshot", "capture", "--from", "pbs", "--to", at("q.tar.zst")}},
	}
	if err := os.Mkdir(at("fs"), 0o755); err != nil {
		t.Fatal(err)
	}
	fairway := func(args []string) (int, string) {
		cmd := exec.Command("fairway", args...)
		cmd.Dir = work
		cmd.Env = append(os.Environ(), "PATH="+filepath.Join(work, "bin")+":"+os.Getenv("PATH"))
		text, err := cmd.CombinedOutput()
		if err != nil && cmd.ProcessState == nil {
			t.Fatal(err)
		}
		return cmd.ProcessState.ExitCode(), string(text)
	}
	for _, r := range runs {
		if code, text := fairway(r.first); code != exitFine {
			t.Fatalf("%s, with room: %d, %s", r.what, code, text)
		}
	}
	fill := at("fill")
	fillUp(t, fill)
	before := treeOf(t, disk)
	fed, _ := os.ReadFile(filepath.Join(work, "fed"))
	for _, r := range runs {
		code, text := fairway(r.args)
		if code != exitIO || !strings.Contains(text, "no space left on device") {
			t.Errorf("%s, without room: %d, %s", r.what, code, text)
		}
		if after := treeOf(t, disk); after != before {
			t.Errorf("%s, without room, changes\n%s\nto\n%s", r.what, before, after)
		}
	}
	if now, _ := os.ReadFile(filepath.Join(work, "fed")); !bytes.Equal(now, fed) {
		t.Errorf("push sent what its audit could not say:\n%s", now)
	}
	if err := os.Remove(fill); err != nil {
		t.Fatal(err)
	}
	for _, r := range runs {
		if code, text := fairway(r.args); code != exitFine {
			t.Errorf("%s, with room again: %d, %s", r.what, code, text)
		}
	}
}

// smallDisk is a file system of one megabyte.
func smallDisk(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("none", dir, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("no small disk can be made here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, 0) })
	return dir
}

// fillUp leaves no page of a disk free.
func fillUp(t *testing.T, name string) {
	t.Helper()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	page := make([]byte, 4096)
	for range 1 << 16 {
		if _, err := f.Write(page); err != nil {
			return
		}
	}
	t.Fatal("the disk does not fill")
}

// treeOf is what files hold, but for locks and the file that fills the disk.
func treeOf(t *testing.T, dir string) string {
	t.Helper()
	var out strings.Builder
	err := filepath.WalkDir(dir, func(name string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || e.Name() == "fill" || strings.HasSuffix(e.Name(), "lock") {
			return err
		}
		text, err := os.ReadFile(name)
		fmt.Fprintf(&out, "%s:\n%s", name, text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func txtarFiles(t *testing.T, script string) map[string]string {
	t.Helper()
	archive, err := os.ReadFile(filepath.Join("testdata/script", script))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range txtar.Parse(archive).Files {
		files[f.Name] = string(f.Data)
	}
	return files
}

func put(t *testing.T, name, text string) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(name), 0o750)
	if err == nil {
		err = os.WriteFile(name, []byte(text), 0o640)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// manyJobs is what qstat -f prints of a queue that takes more than a page when it is packed.
func manyJobs() string {
	var b strings.Builder
	for i := range 800 {
		fmt.Fprintf(&b, "Job Id: %d.head\n    Job_Name = a\n    Job_Owner = u%d@head\n    job_state = Q\n    queue = "+
			"batch\n    ctime = Tue Nov 14 16:18:49 2023\n    qtime = Tue Nov 14 16:18:49 2023\n    etime = Tue Nov 14 "+
			"16:18:49 2023\n    Priority = 0\n    Resource_List.nodes = %d\n    Resource_List.walltime = 01:%02d:00\n\n", i+1,
			i*7919%104729, 1+i%13, i%60)
	}
	return b.String()
}
