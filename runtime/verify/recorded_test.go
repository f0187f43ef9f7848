package verify_test

import (
	"bytes"
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
	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/conformance/recorded"
	"github.com/fairway-sched/fairway/conformance/slurmrun"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
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
	{`^eligible-(age|accrue-always)`, "earlier-reason"},
	{`depth-oblivious.* t0$`, "first-pass"},
}

// TestRecordedSlurm: verify finds no difference in the recordings, from what the commands printed
// alone: no input gives the time of the last pass, and finds it.
func TestRecordedSlurm(t *testing.T) {
	sets, err := recorded.Sets("slurm", fullSlurm())
	if err != nil {
		t.Fatal(err)
	}
	for _, set := range sets {
		found := map[string]bool{}
		for _, c := range set.Cases {
			r, err := slurmrun.Open(c)
			if err != nil {
				t.Fatal(err)
			}
			t.Run(set.Name+"/"+c.Name, func(t *testing.T) { verifyRecorded(t, r, found) })
		}
		for _, e := range expectedCauses {
			if !found[e.cases+e.cause] {
				t.Errorf("%s: %s is not found in %s", set.Name, e.cause, e.cases)
			}
		}
	}
}

func verifyRecorded(t *testing.T, r *slurmrun.Run, found map[string]bool) {
	for k := range r.Snapshots {
		s := &r.Snapshots[k]
		files, err := r.Outputs(s)
		if err != nil {
			t.Fatal(err)
		}
		conf, err := r.Conf(s)
		if err != nil {
			t.Fatal(err)
		}
		files["slurm.conf"] = &fstest.MapFile{Data: conf.Text}
		report := compare(t, files, r.Version, []string{"slurm.conf", slurmrun.Accounts}, []string{"raw"}, verify.Options{})
		if report == nil { // every job runs, and no fairshare
			continue
		}
		if !report.Clean() {
			t.Errorf("%s: %s", s.Tag, tableText(report))
		}
		for i := range report.Differences {
			known := false
			for _, e := range expectedCauses {
				if d := &report.Differences[i]; d.Cause != nil && d.Cause.Name == e.cause && regexp.MustCompile(e.cases).
					MatchString(strings.TrimSpace(r.Name+" "+s.Tag)) {
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

// TestRecordedPartitionStates: partitions that were set down are known by the reasons of their jobs where
// no input states their state; where a later output has them as up, that is the cause which is named.
func TestRecordedPartitionStates(t *testing.T) {
	sets, err := recorded.Sets("slurm", fullSlurm())
	if err != nil {
		t.Fatal(err)
	}
	down := 0
	for _, c := range sets[0].Cases {
		r, err := slurmrun.Open(c)
		if err != nil {
			t.Fatal(err)
		}
		for k := range r.Snapshots {
			if s := &r.Snapshots[k]; s.Tag == "before" {
				t.Run(c.Name, func(t *testing.T) { down += partitionStates(t, r, s) })
			}
		}
	}
	if down < 100 {
		t.Errorf("only %d jobs wait for a partition that is down", down)
	}
}

func partitionStates(t *testing.T, r *slurmrun.Run, s *slurmrun.Snapshot) (down int) {
	files, err := r.Outputs(s)
	if err != nil {
		t.Fatal(err)
	}
	conf, err := r.Conf(s)
	if err != nil {
		t.Fatal(err)
	}
	files["slurm.conf"] = &fstest.MapFile{Data: conf.Text}
	const stated = "raw/scontrol_partition.txt"
	text := files[stated].Data
	delete(files, stated)
	policy := []string{"slurm.conf", slurmrun.Accounts}
	if report := compare(t, files, r.Version, policy, []string{"raw"}, verify.Options{}); report != nil &&
		!report.Clean() {
		t.Error(tableText(report))
	}
	files[stated] = &fstest.MapFile{Data: bytes.ReplaceAll(text, []byte("State=DOWN"), []byte("State=UP"))}
	report := compare(t, files, r.Version, policy, []string{"raw"}, verify.Options{})
	for i := range report.Differences {
		d := &report.Differences[i]
		switch {
		case d.Words[0] != "PartitionDown":
		case d.Cause == nil || d.Cause.Name != "partition-state":
			t.Errorf("unexpected: %s", d.String())
		default:
			down++
		}
	}
	return down
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
	report, err := verify.Compare(s, func(s *snapshot.Snapshot, eo evaluation.Options) (*evaluation.Result, error) {
		eo.Workers = 1
		return engine.Run(out.Program, s, eo)
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

// TestRecordedPlanner: nor does it in the recordings of the planner, which are not copied.
func TestRecordedPlanner(t *testing.T) {
	root := fullSet("slurm-planner")
	if root == nil {
		t.Skip("the recordings are not there")
	}
	list, err := recorded.Full(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range list {
		t.Run(c.Name, func(t *testing.T) {
			r, err := slurmrun.Open(c)
			if err != nil {
				t.Fatal(err)
			}
			for k := range r.Snapshots {
				s := &r.Snapshots[k]
				files, err := r.Outputs(s)
				if err != nil {
					t.Fatal(err)
				}
				conf, err := r.Conf(s)
				if err != nil {
					t.Fatal(err)
				}
				files["slurm.conf"] = &fstest.MapFile{Data: conf.Text}
				report := compare(t, files, r.Version, []string{"slurm.conf", slurmrun.Accounts}, []string{"raw"}, verify.Options{})
				if report != nil && !report.Clean() {
					t.Errorf("%s: %s", s.Tag, tableText(report))
				}
			}
		})
	}
}

// fullSlurm are the full recordings, which are kept beside the checkout; nil where they are not, and in the short form.
func fullSlurm() fs.FS { return fullSet("slurm") }

func fullSet(set string) fs.FS {
	root := os.Getenv("FAIRWAY_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared")
	}
	name := filepath.Join(root, "oracle", set)
	if _, err := os.Stat(name); err != nil || !draws.Long() {
		return nil
	}
	return os.DirFS(name)
}
