//go:build linux && amd64

package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/runtime/push"
)

// stepCalls are the system calls that change what is on the disk.
var stepCalls = map[uint64]bool{
	syscall.SYS_MKDIRAT: true, syscall.SYS_UNLINKAT: true, syscall.SYS_RENAMEAT: true, 316: true, // renameat2
	syscall.SYS_RENAME: true, syscall.SYS_FSYNC: true, syscall.SYS_FTRUNCATE: true, syscall.SYS_FCHMOD: true,
	syscall.SYS_WRITE: true, syscall.SYS_PWRITE64: true,
}

// killedCode is what a run ends with that was killed.
const killedCode = -1

// runKilled runs a command line and kills it before the n-th step that changes the disk, 0 for none. It returns the
// exit code.
func runKilled(t *testing.T, dir string, n int, args ...string) int {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	exe, err := exec.LookPath("fairway") // testscript puts it there
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Ptrace: true}
	if err := cmd.Start(); err != nil {
		t.Skipf("processes cannot be traced here: %v", err)
	}
	pid := cmd.Process.Pid
	defer func() { _ = cmd.Process.Release() }()
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(pid, &status, 0, nil); err != nil {
		t.Fatal(err)
	}
	const exitKill, clone, good = 0x100000, 8, 1
	if err := syscall.PtraceSetOptions(pid, exitKill|clone|good); err != nil {
		t.Fatal(err)
	}
	inside := map[int]bool{} // threads that are in a system call
	for next, signal := pid, 0; ; {
		if err := syscall.PtraceSyscall(next, signal); err != nil && !errors.Is(err, syscall.ESRCH) {
			t.Fatal(err)
		}
		signal = 0
		if next, err = syscall.Wait4(-1, &status, syscall.WALL, nil); err != nil {
			t.Fatal(err)
		}
		switch {
		case (status.Exited() || status.Signaled()) && next == pid:
			return status.ExitStatus() // -1 if a signal ended it
		case !status.Stopped():
		case status.StopSignal() == syscall.SIGTRAP|0x80:
			if inside[next] = !inside[next]; !inside[next] {
				continue
			}
			var regs syscall.PtraceRegs
			if err := syscall.PtraceGetRegs(next, &regs); err != nil || !stepCalls[regs.Orig_rax] || !ofFile(next, &regs) {
				continue
			}
			if n--; n == 0 {
				if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
					t.Fatal(err)
				}
			}
		case status.StopSignal() != syscall.SIGTRAP && status.StopSignal() != syscall.SIGSTOP:
			signal = int(status.StopSignal())
		}
	}
}

// ofFile leaves out writing to pipes, terminals and what the Go runtime wakes itself with.
func ofFile(pid int, regs *syscall.PtraceRegs) bool {
	if regs.Orig_rax != syscall.SYS_WRITE && regs.Orig_rax != syscall.SYS_PWRITE64 {
		return true
	}
	info, err := os.Stat(filepath.Join("/proc", strconv.Itoa(pid), "fd", strconv.Itoa(int(regs.Rdi))))
	return err == nil && info.Mode().IsRegular()
}

// TestStateKilled kills runs before each step that changes the disk: the run after it ends where one ends that
// nobody killed, in a folder of version 1 as in a new one, and leaves nothing else. The usual form kills at one step
// in three.
func TestStateKilled(t *testing.T) {
	files := txtarFiles(t, "state_dir.txtar")
	pushed := []string{"push", "p.hcl", "-s", "later.json", "--to", "file=fed.jsonl", "--yes", "--quiet", "--state-dir",
		"st", "--max-age", "1000000h"}
	for _, c := range []struct {
		what, from string // folder that st begins as
		args       []string
	}{
		{"push, version 1", "v1", pushed},
		{"usage, new", "", []string{"usage", "runs.csv", "--policy", "shares.cfg", "--now", "1700000000", "--state-dir",
			"st"}},
		{"eval, new", "", []string{"eval", "maui.cfg", "-s", "first.json", "--state-dir", "st"}},
	} {
		begin := func() string {
			dir := t.TempDir()
			for name, text := range files {
				inner, isState := strings.CutPrefix(name, "v1/")
				if isState {
					if c.from == "" {
						continue
					}
					name = "st/" + inner
				}
				put(t, filepath.Join(dir, name), text)
			}
			return dir
		}
		whole := begin()
		if code := runKilled(t, whole, 0, c.args...); code != exitFine {
			t.Fatalf("%s: it ends with %d", c.what, code)
		}
		want := stateOf(t, whole)
		n := 1
		for ; ; n++ {
			if !draws.InSample(n, 3) {
				continue
			}
			dir := begin()
			if runKilled(t, dir, n, c.args...) != killedCode {
				break
			}
			if code := runKilled(t, dir, 0, c.args...); code != exitFine {
				t.Fatalf("%s, killed at step %d: the next run ends with %d", c.what, n, code)
			}
			if got := stateOf(t, dir); got != want {
				t.Errorf("%s, killed at step %d, the next run leaves\n%s\nnot\n%s", c.what, n, got, want)
			}
			if c.from == "" {
				continue
			}
			entries, torn, err := readAudit(filepath.Join(dir, "st"), true)
			if err != nil || torn > 1 || len(push.Runs(entries)) < 2 {
				t.Errorf("%s, killed at step %d: the audit has %d torn lines, %v", c.what, n, torn, err)
			}
		}
		t.Logf("%s: it has at most %d steps", c.what, n-1)
		if n <= 3 {
			t.Errorf("%s: nothing that it does is a step", c.what)
		}
	}
}

// stateOf is what runs leave, but for what tells of the single run.
func stateOf(t *testing.T, dir string) string {
	t.Helper()
	var out bytes.Buffer
	err := filepath.WalkDir(dir, func(name string, e os.DirEntry, err error) error {
		inner, _ := filepath.Rel(dir, name)
		switch {
		case err != nil || e.IsDir():
			return err
		case inner != "fed.jsonl" && !strings.HasPrefix(inner, "st/"):
			return nil
		case inner == "st/lock" || inner == "st/audit.jsonl" || inner == "st/plan.json":
			out.WriteString(inner + "\n")
			return nil
		}
		text, err := os.ReadFile(name)
		out.WriteString(inner + ":\n" + string(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}
