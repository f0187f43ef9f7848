package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/runtime/snapshot"
	"github.com/fairway-sched/fairway/runtime/usage"
)

// opens are all the places that open something by a name: what reads a user's path goes through openRegular,
// readRegular or disk, so that a pipe is waited for only where one makes sense, a device is not read without end, and
// there is a bound.
const opens = `
cmd/fairway/audit.go audit os.OpenFile
cmd/fairway/desk_guard.go openBrowser os.MkdirTemp
cmd/fairway/desk_guard.go openBrowser os.WriteFile
cmd/fairway/files.go ReadDir os.ReadDir
cmd/fairway/files.go open os.Open
cmd/fairway/files.go openKind os.OpenFile
cmd/fairway/lint_files.go configurations filepath.WalkDir
cmd/fairway/lint_files.go named filepath.Glob
cmd/fairway/lsp.go newLSP os.DirFS
cmd/fairway/output.go writeInto os.OpenFile
cmd/fairway/plan_estimate.go keep flock.New
cmd/fairway/policy_flags.go input os.DirFS
cmd/fairway/snapshot_policy.go configurationFiles os.DirFS
cmd/fairway/push_plan.go hashOf os.ReadDir
cmd/fairway/push_run.go inputFile os.OpenFile
cmd/fairway/scratch.go newScratch os.MkdirTemp
cmd/fairway/scratch.go sweepScratch os.ReadDir
cmd/fairway/snapshot_capture.go copyUsage filepath.Glob
cmd/fairway/snapshot_target.go put os.OpenFile
cmd/fairway/snapshot_target.go sync filepath.WalkDir
cmd/fairway/snapshot_target.go vacant os.ReadDir
cmd/fairway/state.go lock flock.New
cmd/fairway/statedir.go beginningWith os.ReadDir
cmd/fairway/statedir.go hold os.OpenFile
cmd/fairway/statedir.go sweep os.ReadDir
cmd/fairway/statedir.go version os.ReadDir
cmd/fairway/sweep_dir.go hold flock.New
cmd/fairway/test.go filesBelow filepath.WalkDir
cmd/fairway/usage_files.go keep flock.New
cmd/fairway/usage_files.go sameInterval os.ReadDir
cmd/messages/main.go main os.DirFS
cmd/messages/main.go main os.WriteFile
`

// opening are the calls by which packages of others open a name.
var opening = map[string][]string{
	"os": {"Open", "OpenFile", "OpenInRoot", "OpenRoot", "ReadFile", "ReadDir", "DirFS", "Create", "CreateTemp",
		"MkdirTemp", "WriteFile", "CopyFS"},
	"ioutil":   {"ReadFile", "ReadDir", "ReadAll", "TempFile", "TempDir", "WriteFile"},
	"filepath": {"Glob", "Walk", "WalkDir"},
	"syscall":  {"Open", "Openat"},
	"unix":     {"Open", "Openat", "Openat2"},
	"flock":    {"New"},
	"gzip":     {"Open"},
	"zip":      {"OpenReader"},
}

// TestOpens: a new place that opens a file is looked at by whoever adds it to the list.
func TestOpens(t *testing.T) {
	var got []string
	for _, folder := range []string{"cmd", "runtime", "compiler", "lang", "stdlib"} {
		err := filepath.WalkDir(filepath.Join("../..", folder), func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			for _, decl := range file.Decls {
				in := "-"
				if f, ok := decl.(*ast.FuncDecl); ok {
					in = f.Name.Name
				}
				ast.Inspect(decl, func(n ast.Node) bool {
					if s, ok := n.(*ast.SelectorExpr); ok {
						if of, ok := s.X.(*ast.Ident); ok && slices.Contains(opening[of.Name], s.Sel.Name) {
							got = append(got, fmt.Sprintf("%s %s %s.%s", strings.TrimPrefix(filepath.ToSlash(name), "../../"), in, of.Name,
								s.Sel.Name))
						}
					}
					return true
				})
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(got)
	got = slices.Compact(got)
	want := strings.Fields(strings.NewReplacer(" ", "\x00").Replace(opens))
	for i := range want {
		want[i] = strings.ReplaceAll(want[i], "\x00", " ")
	}
	for _, line := range got {
		if !slices.Contains(want, line) {
			t.Errorf("%s: read a user's file with readRegular, openRegular or disk (files.go); if this is something else, "+
				"add the line here", line)
		}
	}
	for _, line := range want {
		if !slices.Contains(got, line) {
			t.Errorf("%s: there is no such call any more", line)
		}
	}
}

// TestNoWaiting: where a pipe makes no sense, one is refused or ignored, and not waited for, also behind a link.
func TestNoWaiting(t *testing.T) {
	top := t.TempDir()
	at := func(name string) string { return filepath.Join(top, name) }
	for _, dir := range []string{"usage", "state", "snapshot", "tests", "captured"} {
		if err := os.Mkdir(at(dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{
		"pipe", "usage/FS.1700000000", "usage/FS.1700043200", "state/version", "state/audit.jsonl", "state.lock",
		"usage/.fairway.lock",
		"snapshot/jobs.csv", "tests/x.fairwaytest.hcl", "captured/jobs.csv",
	} {
		if err := syscall.Mkfifo(at(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("../pipe", at("snapshot/link.csv")); err != nil {
		t.Fatal(err)
	}
	manifest := `{"kind": "fairway-capture", "format_version": 1, "complete": true, "files": [{"name": "jobs.csv", "bytes": 1, "sha256": "00"}]}`
	if err := os.WriteFile(at("captured/manifest.json"), []byte(manifest), 0o644); err != nil {
		t.Fatal(err)
	}
	regular := func(name string) (fs.File, error) { return openRegular(name) }
	report := &usage.Report{Settings: usage.Settings{Now: 1800000000}, Windows: make([]usage.Window, 1)}
	passed := []string{"a folder that is hashed", "a folder that is a snapshot", "an example", "tests"}
	for what, do := range map[string]func() error{
		"usage of a capture": func() error {
			return (&capture{usage: at("usage"), manifest: &snapshot.Manifest{}}).
				copyUsage(nil)
		},
		"what a plan was made of": func() error {
			_, err := hashOf(at("pipe"), regular)
			return err
		},
		"a folder that is hashed": func() error {
			_, err := hashOf(at("snapshot"), (&disk{}).Open)
			return err
		},
		"a folder that is a snapshot": func() error {
			_, _, err := snapshot.Read(&disk{}, []string{at("snapshot")}, snapshot.Options{})
			return err
		},
		"a manifest that names one": func() error {
			_, diags, err := snapshot.Read(&disk{}, []string{at("captured")}, snapshot.Options{})
			if err == nil && diags.HasErrors() {
				err = errors.New(diags[0].Message)
			}
			return err
		},
		"the version of a state directory": func() error {
			_, err := (&stateDir{path: at("state")}).version()
			return err
		},
		"the audit": func() error {
			_, _, err := readAudit(at("state"), true)
			return err
		},
		"the audit, to go on with": func() error {
			_, err := (&stateDir{path: at("state")}).audit()
			return err
		},
		"a state": func() error {
			_, err := (&disk{}).readRegular(at("pipe"))
			return err
		},
		"the lock of a state": func() error { return (&iterationFlags{state: at("state")}).lock() },
		"windows of another length": func() error {
			return (&usageOutput{Report: report}).sameInterval(at("usage"), false, &diag.List{})
		},
		"a window": func() error {
			_, err := existingWindow(at("usage/FS.1700000000"))
			return err
		},
		"the lock of usage": func() error {
			return (&usageOutput{Report: report}).
				keep(at("usage"), true, false, &diag.List{})
		},
		"the place of a capture": func() error { return vacant(at("pipe")) },
		"an example": func() error {
			isSnapshot(at("pipe"))
			return nil
		},
		"an included file": func() error {
			_, err := notingFS{os.DirFS("/"), nil}.ReadFile(strings.TrimPrefix(at("pipe"), "/"))
			return err
		},
		"tests": func() error {
			list, err := filesBelow([]string{at("tests")}, isTest)
			if len(list) > 0 {
				err = fmt.Errorf("%v are tests", list)
			}
			return err
		},
		"a file that is fed": func() error {
			_, err := readPresent(at("pipe"))
			return err
		},
	} {
		done := make(chan error, 1)
		go func() { done <- do() }()
		select {
		case err := <-done:
			if slices.Contains(passed, what) != (err == nil) {
				t.Errorf("%s: %v", what, err)
			}
		case <-time.After(20 * time.Second):
			t.Errorf("%s is waited for", what)
		}
	}
}

// TestBounds: a stream is read up to the bound of what it is for, whoever has read it before.
func TestBounds(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	go func() {
		_, _ = w.Write(make([]byte, 5000))
		_ = w.Close()
	}()
	name := fmt.Sprintf("/dev/fd/%d", r.Fd())
	if _, err := (&disk{}).open(name, 5000); err != nil {
		t.Error(err)
	}
	if _, err := (&disk{}).open(name, 4999); !errors.Is(err, errTooLong) {
		t.Errorf("beyond the bound: %v", err)
	}
}
