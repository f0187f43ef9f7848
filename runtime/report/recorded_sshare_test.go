package report_test

import (
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/conformance/draws"
	recordings "github.com/fairway-sched/fairway/conformance/recorded"
	"github.com/fairway-sched/fairway/conformance/slurmrun"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/report/eval"
	"github.com/fairway-sched/fairway/runtime/report/slurm"
)

// sshareExceptions: the first pass of the depth-oblivious variant goes by usage that the controller
// has yet to look at; a limit that backfill shortened when it started the job stays reserved in full.
var sshareExceptions = regexp.MustCompile(`depth-oblivious.* t0$|^backfill-timemin-v25.11 after$`)

// TestRecordedSshare compares sshare -a -l, with and without -m, with what real ones printed,
// field by field: names, shares and usage to the letter, what follows from usage to the last digit
// where usage is known with six decimals.
func TestRecordedSshare(t *testing.T) {
	sets, err := recordings.Sets("slurm", fullSlurm())
	if err != nil {
		t.Fatal(err)
	}
	for _, set := range sets {
		runs, err := slurmrun.All(set.Cases)
		if err != nil {
			t.Fatal(err)
		}
		fields := 0
		for _, r := range runs {
			for k := range r.Snapshots {
				s := &r.Snapshots[k]
				if sshareExceptions.MatchString(r.Name + " " + s.Tag) {
					continue
				}
				t.Run(set.Name+"/"+r.Name+" "+s.Tag, func(t *testing.T) { fields += checkSshare(t, r, s) })
			}
		}
		if t.Logf("%s: %d fields", set.Name, fields); fields < map[string]int{"copies": 30_000, "full": 120_000}[set.Name] {
			t.Errorf("only %d fields of %s", fields, set.Name)
		}
	}
}

// fullSlurm are the full recordings of Slurm; nil where they are not, and in the short form.
func fullSlurm() fs.FS {
	root := os.Getenv("FAIRWAY_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared")
	}
	name := filepath.Join(root, "oracle", "slurm")
	if _, err := os.Stat(name); err != nil || !draws.Long() {
		return nil
	}
	return os.DirFS(name)
}

func checkSshare(t *testing.T, r *slurmrun.Run, s *slurmrun.Snapshot) (fields int) {
	exact, err := r.Exact(s)
	if err != nil {
		t.Fatal(err)
	}
	snap, err := r.Read(s, nil, exact)
	if err != nil {
		t.Fatal(err)
	}
	p, err := r.Program(s, true)
	if err != nil {
		t.Fatal(err)
	}
	result, err := engine.Run(p, snap, evaluation.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		file string
		o    eval.Options
	}{{"sshare.psv", eval.Options{Long: true, Parsable: true}},
		{"sshare_full.psv", eval.Options{Long: true, Parsable: true, Partitions: true}}} {
		recorded, ok := r.Text(s, x.file)
		if !ok {
			continue // of large queues only the short form was kept
		}
		want, got := cells(recorded), cells(text(t, slurm.WriteSshare, result, x.o))
		if len(want) != len(got) {
			t.Errorf("%s has %d lines, recorded %d", x.file, len(got), len(want))
			continue
		}
		for i := range want {
			for c, title := range want[0] {
				at := columnOf(got[0], title)
				if at < 0 { // asked for by name
					continue
				}
				fields++
				if !sameField(title, want[i][c], got[i][at], exact != nil) {
					t.Errorf("%s, line %d: %s is %q, recorded %q", x.file, i+1, title, got[i][at], want[i][c])
				}
			}
		}
	}
	return fields
}

func cells(text string) (rows [][]string) {
	for line := range strings.Lines(text) {
		rows = append(rows, strings.Split(strings.TrimRight(line, "\r\n"), "|"))
	}
	return rows
}

func columnOf(header []string, title string) int {
	for i, h := range header {
		if h == title {
			return i
		}
	}
	return -1
}

// noUse is the TRES of an association that has none in use; copies leave it out.
var noUse = regexp.MustCompile(`^([\w/:]+=0,)+[\w/:]+=0$`)

// sameField compares a field. Numbers that follow from usage with two decimals are off by what that
// hides: shares of little usage by much.
func sameField(title, want, got string, exact bool) bool {
	if want == got || want == "" && noUse.MatchString(got) {
		return true
	}
	switch title {
	case "RawUsage":
		w, err1 := strconv.ParseInt(want, 10, 64)
		g, err2 := strconv.ParseInt(got, 10, 64)
		return !exact && err1 == nil && err2 == nil && max(w-g, g-w) <= 1 // cut, where two decimals were rounded
	case "NormUsage", "EffectvUsage", "FairShare", "LevelFS":
	default:
		return false
	}
	w, err1 := strconv.ParseFloat(want, 64)
	g, err2 := strconv.ParseFloat(got, 64)
	if err1 != nil || err2 != nil {
		return false
	}
	tolerance := 1.001e-6 // the last digit
	if title == "LevelFS" {
		tolerance += 2e-3 * w
	}
	if exact && title != "LevelFS" {
		tolerance = 1.001e-6
	}
	return math.Abs(w-g) <= tolerance
}
