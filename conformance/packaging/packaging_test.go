//go:build packaging

package packaging_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestPackages builds a release twice, which must give the same bytes, and the release after it, whose
// example of a configuration is another; the scripts install them.
func TestPackages(t *testing.T) {
	built := t.TempDir()
	first := build(t, "../..", filepath.Join(built, "first"), "1.0.0")
	elsewhere := copied(t)
	for format, name := range build(t, elsewhere, filepath.Join(built, "again"), "1.0.0") {
		if !bytes.Equal(read(t, name), read(t, first[format])) {
			t.Errorf("the same source gives another %s in another folder, at another time", format)
		}
	}
	config := filepath.Join(elsewhere, "examples/cron/fairway.hcl")
	if err := os.WriteFile(config, append(read(t, config), "# Said by the next release.\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	next := build(t, elsewhere, filepath.Join(built, "next"), "1.1.0")

	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(e *testscript.Env) error {
			e.Setenv("DEB", first["deb"])
			e.Setenv("RPM", first["rpm"])
			e.Setenv("NEXT_DEB", next["deb"])
			e.Setenv("NEXT_RPM", next["rpm"])
			return nil
		},
		Condition: func(name string) (bool, error) {
			if name == "root" {
				return os.Geteuid() == 0, nil
			}
			return false, fmt.Errorf("there is no condition %q", name)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"cleanroot": cleanRoot},
	})
}

// build builds the packages of this architecture and names them by their format.
func build(t *testing.T, source, to, version string) map[string]string {
	t.Helper()
	cmd := exec.Command("bash", filepath.Join(source, ".packaging/build"), version, to, runtime.GOARCH)
	cmd.Env = append(os.Environ(), "SOURCE_DATE_EPOCH=1790000000")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
	made := map[string]string{}
	for _, format := range []string{"deb", "rpm"} {
		names, err := filepath.Glob(filepath.Join(to, "fairway*"+version+"*."+format))
		if err != nil || len(names) != 1 {
			t.Fatalf("%d packages of the format %s", len(names), format)
		}
		made[format] = names[0]
	}
	return made
}

// copied is the source in another folder, as somebody has it whose files are only his own.
func copied(t *testing.T) string {
	t.Helper()
	old := syscall.Umask(0o077)
	t.Cleanup(func() { syscall.Umask(old) })
	to := t.TempDir()
	for _, name := range []string{".packaging", "cmd", "compiler", "examples", "lang", "runtime", "stdlib"} {
		if err := os.CopyFS(filepath.Join(to, name), os.DirFS(filepath.Join("../..", name))); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"CHANGELOG.md", "LICENSE", "README.md", "go.mod", "go.sum"} {
		if err := os.WriteFile(filepath.Join(to, name), read(t, filepath.Join("../..", name)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return to
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// inRoot are the programs in a clean root: what the packages' scripts call, and what the test looks with.
var inRoot = []string{"sh", "getent", "useradd", "chown", "rm", "stat"}

var library = regexp.MustCompile(`/\S+`)

// cleanRoot makes a folder into a root with these programs, the user root, and no package.
func cleanRoot(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: cleanroot DIR")
	}
	root := ts.MkAbs(args[0])
	for _, dir := range []string{"bin", "dev", "etc", "tmp", "var/lib/dpkg/info", "var/lib/dpkg/updates"} {
		ts.Check(os.MkdirAll(filepath.Join(root, dir), 0o755))
	}
	for name, text := range map[string]string{
		"etc/passwd": "root:x:0:0:root:/root:/bin/sh\n", "etc/group": "root:x:0:\n", "dev/null": "",
		"var/lib/dpkg/status": "",
	} {
		ts.Check(os.WriteFile(filepath.Join(root, name), []byte(text), 0o644))
	}
	for _, program := range inRoot {
		path, err := exec.LookPath(program)
		ts.Check(err)
		libraries, err := exec.Command("ldd", path).Output()
		ts.Check(err)
		ts.Check(bring(path, filepath.Join(root, "bin", program)))
		for _, lib := range library.FindAllString(string(libraries), -1) {
			ts.Check(bring(lib, filepath.Join(root, lib)))
		}
	}
}

// bring copies a file, unless it is there.
func bring(from, to string) error {
	if _, err := os.Stat(to); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o755)
}
