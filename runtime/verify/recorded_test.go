package verify_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/snapshot"
	"github.com/fairway-sched/fairway/runtime/verify"
)

// expectedCauses are all that verify may find in the recordings, by "case tag". A cause that is
// allowed has to be found somewhere, and none may be found elsewhere.
var expectedCauses = []struct{ cases, cause string }{
	{`^backfill-multi-partition(-v25\.11)? after`, "tried-partition"},
	{`^prio-mix-`, "printed-twice-weighed"},
	{`^limit-usage-threshold-noweight-`, "plain-fairshare"},
	{`^eligible-accrue-always(-v25\.11)? t0$`, "age-not-counted"},
	{`^(big|usage-running)-`, "whole-nodes"},
	{`^partition-assoc-fairtree$`, "tied-levels"},
	{`^limit-random-1$`, "earlier-reason"},
	{`depth-oblivious.* t0$`, "first-pass"},
}

// TestRecordedSlurm: verify finds no difference in the recordings, from what the commands printed
// alone: it is not told when the last pass was, and finds it.
func TestRecordedSlurm(t *testing.T) {
	if testing.Short() {
		t.Skip("the full set takes half a minute")
	}
	root := oracle(t, "slurm")
	dirs, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, d := range dirs {
		if d.IsDir() && !strings.HasPrefix(d.Name(), "_") {
			t.Run(d.Name(), func(t *testing.T) { verifyRecorded(t, d.Name(), os.DirFS(filepath.Join(root, d.Name())), found) })
		}
	}
	for _, e := range expectedCauses {
		if !found[e.cases+e.cause] {
			t.Errorf("%s is not found in %s", e.cause, e.cases)
		}
	}
}

// recordedCase is what a recording says of itself.
type recordedCase struct {
	Version   string `json:"slurm_version"`
	Snapshots []struct {
		Tag string `json:"tag"`
		Now int64  `json:"now"` // when the last pass was
	} `json:"snapshots"`
}

func verifyRecorded(t *testing.T, name string, files fs.FS, found map[string]bool) {
	text, err := fs.ReadFile(files, "expected.json")
	if err != nil {
		t.Fatal(err)
	}
	var want recordedCase
	if err := json.Unmarshal(regexp.MustCompile(`-?\bInfinity\b`).ReplaceAll(text, []byte("null")), &want); err != nil {
		t.Fatal(err)
	}
	for _, s := range want.Snapshots {
		conf, paths := "inputs/slurm.conf", []string{"raw"}
		if exists(files, conf+"."+s.Tag) {
			conf += "." + s.Tag
		}
		if s.Tag != "" && exists(files, "raw/"+s.Tag) {
			paths = append(paths, "raw/"+s.Tag)
		}
		policy := []string{conf}
		if exists(files, accounts) {
			policy = append(policy, accounts)
		}
		report := compare(t, asOf(t, files, s.Tag), want.Version, policy, paths, verify.Options{})
		if report == nil { // every job runs, and no fairshare
			continue
		}
		if !report.Clean() {
			t.Errorf("%s: %s", s.Tag, tableText(report))
		}
		for i := range report.Differences {
			known := false
			for _, e := range expectedCauses {
				if d := &report.Differences[i]; d.Cause != nil && d.Cause.Name == e.cause && regexp.MustCompile(e.cases).MatchString(strings.TrimSpace(name+" "+s.Tag)) {
					known, found[e.cases+e.cause] = true, true
				}
			}
			if !known {
				t.Errorf("%s: unexpected: %s", s.Tag, report.Differences[i].String())
			}
		}
		for _, k := range report.Checks {
			if p := k.Pass; p.Telling > 0 && (s.Now < p.From-1 || s.Now > p.To+1) {
				t.Errorf("%s: of %s the pass was found at %d (%d to %d), and was at %d", s.Tag, k.Name, p.Time, p.From, p.To, s.Now)
			}
		}
	}
}

const accounts, partitions = "raw/sacctmgr_dump.cfg", "raw/scontrol_partition.txt"

// asOf shows partitions as they were. They were recorded once, at the end; the snapshots before
// are of a time when they were down, so that a queue could form.
func asOf(t *testing.T, files fs.FS, tag string) fs.FS {
	if tag != "before" {
		return files
	}
	text, err := fs.ReadFile(files, partitions)
	if err != nil {
		t.Fatal(err)
	}
	return replaced{files, partitions, bytes.ReplaceAll(text, []byte("State=UP"), []byte("State=DOWN"))}
}

// replaced is a file system with another text for one file.
type replaced struct {
	fs.FS
	name string
	text []byte
}

func (r replaced) Open(name string) (fs.File, error) {
	if name == r.name {
		return fstest.MapFS{name: &fstest.MapFile{Data: r.text}}.Open(name)
	}
	return r.FS.Open(name)
}

// compare runs verify over files; nil if there is nothing to compare.
func compare(t *testing.T, files fs.FS, version string, policy, paths []string, o verify.Options) *verify.Report {
	t.Helper()
	parts := strings.Split(version, ".") // 22.05.8
	in := compiler.Input{Options: lower.Options{Version: strings.Join(parts[:min(2, len(parts))], ".")}}
	in.Include.FS = files
	for _, name := range policy {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			t.Fatal(err)
		}
		in.Files = append(in.Files, source.NewFile(name, text))
	}
	out := compiler.Compile(in)
	if out.Program == nil {
		t.Fatal(format(out.Diags))
	}
	s, diags, err := snapshot.Read(files, paths, snapshot.Options{})
	if err != nil || diags.HasErrors() {
		t.Fatal(err, format(diags))
	}
	report, err := verify.Compare(s, func(s *snapshot.Snapshot) (*engine.Result, error) {
		return engine.Run(out.Program, s, engine.Options{Workers: 1})
	}, o)
	if errors.Is(err, verify.ErrNothing) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	if report.Result.Findings.HasErrors() {
		t.Fatal(format(report.Result.Findings))
	}
	return report
}

func exists(files fs.FS, name string) bool {
	_, err := fs.Stat(files, name)
	return err == nil
}

func tableText(r *verify.Report) string {
	var b strings.Builder
	_ = verify.WriteTable(&b, r, verify.TableOptions{Limit: 10})
	return b.String()
}

func format(list diag.List) string {
	var b strings.Builder
	_ = diag.WriteText(&b, list, false)
	return b.String()
}

// oracle finds the full recordings, which are kept beside the checkout.
func oracle(t *testing.T, scheduler string) string {
	t.Helper()
	root := os.Getenv("FAIRWAY_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared")
	}
	name := filepath.Join(root, "oracle", scheduler)
	if _, err := os.Stat(name); err != nil {
		t.Skip("the full set of recordings is not here")
	}
	return name
}
