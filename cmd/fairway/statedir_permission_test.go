//go:build linux

package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// TestStatePermissions: who may not use the folder reads whose it is.
func TestStatePermissions(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can become somebody else")
	}
	dir, err := os.MkdirTemp("", "fairway-state-") // not below a folder that is root's alone
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	open := func() error { // as nobody, on a thread that ends with the goroutine
		done := make(chan error)
		go func() {
			runtime.LockOSThread()
			if _, _, errno := syscall.RawSyscall(syscall.SYS_SETRESUID, ^uintptr(0), 65534, ^uintptr(0)); errno != 0 {
				done <- errno
				return
			}
			s, err := openStateDir(dir, "push")
			if err == nil {
				s.close()
			}
			done <- err
		}()
		return <-done
	}
	s, err := openStateDir(dir, "push")
	if err != nil {
		t.Fatal(err)
	}
	s.close()
	for _, c := range []struct {
		what       string
		file       string // "": the folder
		mode, back os.FileMode
		want       string
	}{
		{"the folder", "", 0o700, 0o755, "cannot write "},
		{"the lock", stateLock, 0o600, 0o666, "cannot write "},
		{"the version", stateVersion, 0o600, 0o644, "cannot read "},
		{"usage", stateUsage, 0o700, 0o755, "cannot read "},
	} {
		name := s.file(c.file)
		if err := os.Chmod(name, c.mode); err != nil {
			t.Fatal(err)
		}
		err := open()
		if err == nil || err.(*exitError).code != exitIO || !strings.Contains(err.Error(), c.want) ||
			!strings.Contains(err.Error(), "permission denied: "+name+" is root's, with mode ") ||
			strings.Contains(err.Error(), "runs as root") {
			t.Errorf("%s: %v", c.what, err)
		}
		if err := os.Chmod(name, c.back); err != nil {
			t.Fatal(err)
		}
	}
}

// given calls do while a file is nobody's.
func given(t *testing.T, name string, do func()) {
	t.Helper()
	if err := os.Chown(name, 65534, 0); err != nil {
		t.Fatal(err)
	}
	do()
	if err := os.Chown(name, 0, 0); err != nil {
		t.Fatal(err)
	}
}

// TestForeignStateDir: what is in the folder is carried out, so that it and all in it is root's or one's own; the
// text of the lock is only shown.
func TestForeignStateDir(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	s, err := openStateDir(filepath.Join(t.TempDir(), "state"), "push")
	if err != nil {
		t.Fatal(err)
	}
	s.close()
	for _, part := range []string{"", stateLock, stateVersion, stateUsage, stateAudit, statePlan} {
		name := s.file(part)
		if f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY, 0o640); err == nil {
			_ = f.Close()
		}
		given(t, name, func() {
			again, err := openStateDir(s.path, "push")
			switch refused := err != nil && exitCode(err) == exitUsage &&
				strings.Contains(err.Error(), name+
					" belongs to the user nobody, who could change what root does: run this as nobody, or "+
					"chown "+
					name); {
			case part != stateLock && !refused:
				t.Errorf("%s of another: %v", name, err)
			case part == stateLock && err != nil:
				t.Errorf("the lock of another: %v", err)
			}
			if err == nil {
				again.close()
			}
		})
	}
}

// TestGroupWritable: a member of the group is somebody else too, also where it can only replace what is acted on.
func TestGroupWritable(t *testing.T) {
	top := t.TempDir()
	s, err := openStateDir(filepath.Join(top, "a", "state"), "push")
	if err != nil {
		t.Fatal(err)
	}
	s.close()
	for _, part := range []string{"", stateVersion, stateUsage, stateAudit, stateCheckpoint, statePlan, "..", "../.."} {
		name := s.file(part)
		if f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY, 0o640); err == nil {
			_ = f.Close()
		}
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			bits os.FileMode
			who  string
			fix  string
		}{{0o020, "the group ", "chmod g-w "}, {0o002, "anyone can", "chmod o-w "}} {
			if err := os.Chmod(name, info.Mode().Perm()|c.bits); err != nil {
				t.Fatal(err)
			}
			again, err := openStateDir(s.path, "push")
			if err == nil {
				again.close()
			}
			if err == nil || exitCode(err) != exitUsage || !strings.HasPrefix(err.Error(), c.who) ||
				!strings.HasSuffix(err.Error(), c.fix+name) {
				t.Errorf("%s with mode %o: %v", name, info.Mode().Perm()|c.bits, err)
			}
			if err := os.Chmod(name, info.Mode()); err != nil {
				t.Fatal(err)
			}
		}
	}
	// In a folder such as /tmp only the owner can replace a file.
	if err := os.Chmod(top, 0o777|os.ModeSticky); err != nil {
		t.Fatal(err)
	}
	if s, err = openStateDir(s.path, "push"); err != nil {
		t.Fatal(err)
	}
	s.close()
	// Nothing is made where somebody else could put something in its place.
	if err := os.Chmod(top, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := openStateDir(filepath.Join(top, "new"), "push"); err == nil ||
		!strings.Contains(err.Error(), "anyone can put another file in the place of ") {
		t.Errorf("a new folder: %v", err)
	}
	if _, err := os.Stat(filepath.Join(top, "new")); err == nil {
		t.Error("it is made all the same")
	}
}

// TestForeignConfig: who owns the configuration, or its folder, says what is sent.
func TestForeignConfig(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	folder := t.TempDir()
	config := filepath.Join(folder, "fairway.hcl")
	if err := os.WriteFile(config, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := refuseWritable(config); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{config: config +
		" belongs to the user nobody, who could change what root does: run this as nobody, or chown " + config,
		folder: config + " is in a folder that belongs to the user nobody, who could"} {
		given(t, name, func() {
			if err := refuseWritable(config); err == nil || !strings.Contains(err.Error(), want) || exitCode(err) != exitUsage {
				t.Errorf("%s of another: %v", name, err)
			}
		})
	}
}
