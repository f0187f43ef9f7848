package engine_test

import (
	"math"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/conformance/slurmrun"
	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/family/slurm/shares"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// running are the recordings in which jobs used something for several passes.
func running(t *testing.T, visit func(t *testing.T, r *slurmrun.Run)) {
	n := 0
	slurmRuns(t, func(t *testing.T, r *slurmrun.Run) {
		if strings.HasPrefix(r.Name, "usage-running-") {
			n++
			visit(t, r)
		}
	})
	if n < 6 {
		t.Errorf("only %d recordings", n)
	}
}

// TestRecordedPasses goes from the first snapshot of a recording to the next ones by its state, without
// looking at the usage that was recorded there: usage is the same, and so are the factors, those
// of the classic formula one pass after it.
func TestRecordedPasses(t *testing.T) {
	running(t, func(t *testing.T, r *slurmrun.Run) {
		var previous *checkpoint.Checkpoint
		for k := range r.Snapshots {
			s := &r.Snapshots[k]
			snap, err := r.Read(s, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			p, err := r.Program(s, true)
			if err != nil {
				t.Fatal(err)
			}
			result := evaluated(t, p, snap, evaluation.Options{Previous: previous, KeepState: true})
			previous = result.Next()
			usedAsRecorded(t, result.Tree, s)
			jobs := jobIndex(result)
			for i := range s.Jobs {
				j := &s.Jobs[i]
				if job, ok := jobs[strconv.FormatInt(j.ID, 10)]; ok && len(j.Sprio) > 0 {
					if got, want := factorOf(result, job), j.Sprio[0].Normalized.Fairshare; math.Abs(got-want) > 1e-6 {
						t.Errorf("%s: factor of job %d is %v, recorded %v", s.Tag, j.ID, got, want)
					}
				}
			}
		}
	})
}

func usedAsRecorded(t *testing.T, tree *evaluation.TreeShares, s *slurmrun.Snapshot) {
	t.Helper()
	for i := range s.Associations {
		a := &s.Associations[i]
		node, ok := tree.Node(a.Key())
		if !ok {
			t.Errorf("%s: no association %s", s.Tag, a.Key())
			continue
		}
		if got := tree.Ledger.Associations.Billing[node]; math.Abs(got-a.Usage) > 0.0151 {
			t.Errorf("%s: usage of %s is %.4f, recorded %.2f", s.Tag, a.Key(), got, a.Usage)
		}
	}
}

// TestRecordedAccounting works the usage out of what sacct printed in the end.
func TestRecordedAccounting(t *testing.T) {
	running(t, func(t *testing.T, r *slurmrun.Run) {
		used := false
		for k := range r.Snapshots {
			s := &r.Snapshots[k]
			text, ok := r.Text(s, "sacct.psv")
			if !ok {
				t.Fatal("no sacct")
			}
			records, diags, err := snapshot.ReadRecords(fstest.MapFS{"sacct": {Data: []byte(text)}}, []string{"sacct"},
				snapshot.Options{})
			if err != nil || diags.HasErrors() {
				t.Fatal(err, diags)
			}
			p, err := r.Program(s, true)
			if err != nil {
				t.Fatal(err)
			}
			u, err := shares.UsageOfRuns(p, records.Jobs, shares.RunsOptions{Now: s.Now})
			if err != nil {
				t.Fatal(err)
			}
			used = used || u.Runs > 0
			usedAsRecorded(t, u.TreeShares, s)
		}
		if !used {
			t.Error("nothing ran")
		}
	})
}
