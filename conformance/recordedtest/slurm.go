package recordedtest

import (
	"testing"

	"github.com/fairway-sched/fairway/conformance/slurmrun"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// slurmRuns are the recordings of Slurm that some test has opened, by set and name: several compare different
// things of the same programs and snapshots.
var slurmRuns = map[string]*slurmrun.Run{}

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
func EvaluateSlurm(t *testing.T, r *slurmrun.Run, s *slurmrun.Snapshot, dump bool, change func(*snapshot.Snapshot)) *engine.Result {
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
