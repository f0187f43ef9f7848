package recordedtest

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/fairway-sched/fairway/conformance/beside"
	"github.com/fairway-sched/fairway/conformance/slurmrun"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// slurmRuns are the recordings of Slurm that some test has opened, by set and name: several compare different
// things of the same programs and snapshots.
var slurmRuns = map[string]*slurmrun.Run{}

// slurmPlanner are the recordings of the set slurm-planner that all comparisons take. The plans of the others, of
// preemption, topology, power saving, shared nodes and heterogeneous jobs, are compared by TestFullPlannerPlan.
const slurmPlanner = `^(fs-classic-running|limit-exclusive-grp|partition-multi-[a-z]+|backfill-(array-limit|deadline|licenses-[a-z]+))$`

// FullSlurm are the cases of both full sets of Slurm whose names match; the test is skipped where they are not beside
// the checkout.
func FullSlurm(t *testing.T, pattern string) []Case {
	t.Helper()
	matches := regexp.MustCompile(pattern)
	list := Full(t, "slurm", "")
	if _, err := os.Stat(filepath.Join(filepath.Dir(beside.Folder(t, "oracle", "slurm")), "slurm-planner")); err == nil {
		list = append(list, Full(t, "slurm-planner", slurmPlanner)...)
	}
	return slices.DeleteFunc(list, func(c Case) bool { return !matches.MatchString(c.Name) })
}

// EachSlurm visits recordings of Slurm.
func EachSlurm(t *testing.T, list []Case, visit func(t *testing.T, r *slurmrun.Run)) {
	for _, c := range list {
		key := c.Set + " " + c.Name
		if slurmRuns[key] == nil {
			r, err := slurmrun.Open(c.Case)
			if err != nil {
				t.Fatal(err)
			}
			slurmRuns[key] = r
		}
		t.Run(c.Name, func(t *testing.T) { visit(t, slurmRuns[key]) })
	}
}

// EvaluateSlurm computes a snapshot by the configuration in force then, and by the dump of accounts if
// asked to. change, if there is one, alters the snapshot before.
func EvaluateSlurm(t *testing.T, r *slurmrun.Run, s *slurmrun.Snapshot, dump bool,
	change func(*snapshot.Snapshot)) *evaluation.Result {
	t.Helper()
	p, err := r.Program(s, dump)
	if err != nil {
		t.Fatal(err)
	}
	snap, err := r.Read(s, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(snap)
	}
	return Evaluate(t, p, snap)
}
