//go:build linux

package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// TestDistrusted: a name is trusted if no other user and no group can write a folder, a link or a file that it leads
// through, wherever it goes.
func TestDistrusted(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	top := t.TempDir()
	at := func(name string) string { return top + "/" + name }
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	chmod := func(name string, mode uint32) { t.Helper(); must(syscall.Chmod(at(name), mode)) }
	nobodys := func(name string) { t.Helper(); must(os.Lchown(at(name), 65534, 65534)) }
	for _, dir := range []string{"mine/deep", "open", "sticky/root", "sticky/foreign", "theirs/deep", "group"} {
		must(os.MkdirAll(at(dir), 0o755))
		must(os.WriteFile(at(dir+"/f"), nil, 0o644))
	}
	must(os.WriteFile(at("mine/world"), nil, 0o666))
	must(os.WriteFile(at("sticky/f"), nil, 0o644))
	must(os.WriteFile(at("sticky/nobodys"), nil, 0o644))
	must(syscall.Mkfifo(at("mine/pipe"), 0o600))
	must(syscall.Mkfifo(at("mine/anyones"), 0o600))
	for link, to := range map[string]string{
		"mine/to":             at("mine/deep/f"),
		"mine/twice":          "to",
		"mine/folder":         "deep",
		"mine/up":             "deep/../deep/f",
		"mine/through-open":   "../open/back/f",
		"open/back":           at("mine/deep"),
		"mine/into-sticky":    "../sticky/link",
		"sticky/link":         at("mine/deep/f"),
		"sticky/foreign-link": at("mine/deep/f"),
		"sticky/dir-link":     at("mine/deep"),
		"mine/circle":         "circle",
		"mine/nobodys-link":   "deep/f",
		"mine/gone":           "not/there",
	} {
		must(os.Symlink(to, at(link)))
	}
	chmod("open", 0o777)
	chmod("group", 0o775)
	chmod("sticky", 0o1777)
	chmod("mine/world", 0o666)
	chmod("mine/anyones", 0o622)
	for _, name := range []string{"sticky/nobodys", "sticky/foreign", "sticky/foreign-link", "sticky/dir-link",
		"mine/nobodys-link", "theirs"} {
		nobodys(name)
	}
	for _, c := range []struct {
		name string
		why  string // "" is trusted; @ is the folder of all
	}{
		{"mine/deep/f", ""}, {"mine/to", ""}, {"mine/twice", ""}, {"mine/folder/f", ""}, {"mine/up", ""}, {"mine/pipe", ""},
		{"mine/./folder/../deep//f", ""}, {"sticky/f", ""}, {"sticky/root/f", ""}, {"sticky/link", ""},
		{"mine/into-sticky", ""},
		{"mine/missing", ""}, {"mine/gone", ""}, {"sticky/missing", ""},
		{"open/f", "anyone can put another file in the place of @/open/f"},
		{"open/back/f", "anyone can put another file in the place of @/open/back/f"},
		{"mine/through-open", "anyone can put another file in the place of @/open/back/f"},
		{"open/missing", "anyone can put another file in the place of @/open/missing"},
		{"group/f", "the group root can put another file in the place of @/group/f"},
		{"mine/world", "anyone can write to @/mine/world"},
		{"mine/anyones", "anyone can write to @/mine/anyones"},
		{"sticky/nobodys", "@/sticky/nobodys belongs to the user nobody, who could change what root does"},
		{"sticky/foreign/f", "@/sticky/foreign/f is in a folder that belongs to the user nobody, who could put another " +
			"file in its " +
			"place"},
		{"sticky/foreign-link", "@/sticky/foreign-link is a link that belongs to the user nobody, who could point it " +
			"elsewhere"},
		{"sticky/dir-link/f", "@/sticky/dir-link is a link that belongs to the user nobody, who could point it elsewhere"},
		{"mine/nobodys-link", "@/mine/nobodys-link is a link that belongs to the user nobody, who could point it elsewhere"},
		{"theirs/deep/f", "@/theirs/deep/f is in a folder that belongs to the user nobody, who could put another file in " +
			"its place"},
		{"mine/../theirs/f", "@/theirs/f is in a folder that belongs to the user nobody, who could put another file in " +
			"its place"},
	} {
		found, err := distrusted(at(c.name), true)
		got := ""
		if found != nil {
			got = strings.ReplaceAll(found.why, top, "@")
		}
		if err != nil || got != c.why {
			t.Errorf("%s: %q, %v, not %q", c.name, got, err, c.why)
		}
	}
	if _, err := distrusted(at("mine/circle"), true); err == nil ||
		!strings.Contains(err.Error(), "too many levels of symbolic links") {
		t.Errorf("a link to itself: %v", err)
	}
	// What is open as another file is trusted as it is (<(COMMAND)).
	r, w, err := os.Pipe()
	must(err)
	defer w.Close()
	defer r.Close()
	if found, err := distrusted(fmt.Sprintf("/dev/fd/%d", r.Fd()), true); found != nil || err != nil {
		t.Errorf("an open pipe: %v, %v", found, err)
	}
	open, err := os.Open(at("sticky/nobodys"))
	must(err)
	defer open.Close()
	if found, err := distrusted(fmt.Sprintf("/dev/fd/%d", open.Fd()), true); found == nil || err != nil {
		t.Errorf("an open file of another: %v, %v", found, err)
	}
}

// TestStateDirRace: whoever makes the state directory first, between the look at its place and the making of it, does
// not own the runs.
func TestStateDirRace(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can become somebody else")
	}
	top, err := os.MkdirTemp("", "fairway-race-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(top)
	if err := os.Chmod(top, 0o1777); err != nil {
		t.Fatal(err)
	}
	stop, ended := make(chan bool), make(chan bool)
	name := filepath.Join(top, "state")
	go func() { // as nobody, on a thread that ends with the goroutine
		defer close(ended)
		runtime.LockOSThread()
		if _, _, errno := syscall.RawSyscall(syscall.SYS_SETRESUID, ^uintptr(0), 65534, ^uintptr(0)); errno != 0 {
			t.Error(errno)
			return
		}
		for {
			select {
			case <-stop:
				return
			default:
				_ = os.Mkdir(name, 0o755)
				_ = os.Remove(name)
			}
		}
	}()
	for range 500 {
		s, err := openStateDir(name, "push")
		if err != nil {
			continue
		}
		s.close()
		var info syscall.Stat_t
		if err := syscall.Lstat(name, &info); err != nil || info.Uid != 0 {
			t.Errorf("a folder of user %d is used: %v", info.Uid, err)
			break
		}
		if err := os.RemoveAll(name); err != nil {
			t.Error(err)
		}
	}
	close(stop)
	<-ended
}

// TestPlanted: an output does not go where another user has put a link or a file in /tmp.
func TestPlanted(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	top := t.TempDir()
	at := func(name string) string { return filepath.Join(top, name) }
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.MkdirAll(at("tmp"), 0o755))
	must(os.MkdirAll(at("plain"), 0o755))
	must(os.WriteFile(at("precious"), []byte("precious"), 0o600))
	must(os.Chmod(at("tmp"), 0o777|os.ModeSticky))
	for _, name := range []string{"tmp/link", "tmp/mine-link", "plain/link"} {
		must(os.Symlink(at("precious"), at(name)))
	}
	must(os.Symlink(at("plain"), at("tmp/folder")))
	must(os.WriteFile(at("tmp/file"), nil, 0o644))
	must(syscall.Mkfifo(at("tmp/pipe"), 0o622))
	for _, name := range []string{"tmp/link", "tmp/folder", "tmp/file", "tmp/pipe", "plain/link"} {
		must(os.Lchown(at(name), 65534, 65534))
	}
	write := func(w io.Writer) error { _, err := io.WriteString(w, "out"); return err }
	for _, name := range []string{"tmp/link", "tmp/folder/x", "tmp/file", "tmp/pipe"} {
		const want = " belongs to the user nobody, in a folder in which all may write: run this as nobody, or remove "
		if err := writeOutput(at(name), write); err == nil || exitCode(err) != exitIO ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
		err := writeTogether([]written{{path: at(name), text: []byte("out")}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s with others: %v", name, err)
		}
	}
	if text, _ := os.ReadFile(at("precious")); string(text) != "precious" {
		t.Errorf("another file is %q", text)
	}
	for _, name := range []string{"tmp/new", "tmp/mine-link", "plain/link", "plain/new", "/dev/stdout", "/dev/null"} {
		if !filepath.IsAbs(name) {
			name = at(name)
		}
		if err := refusePlanted(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestLockIsOurs: who may not write the state directory cannot hold its lock either, also where an older run made it.
func TestLockIsOurs(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	for range 2 {
		s, err := openStateDir(dir, "push")
		if err != nil {
			t.Fatal(err)
		}
		s.close()
		info, err := os.Stat(s.file(stateLock))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("the lock has mode %v, %v", info.Mode(), err)
		}
		if err := os.Chmod(s.file(stateLock), 0o640); err != nil {
			t.Fatal(err)
		}
	}
}
