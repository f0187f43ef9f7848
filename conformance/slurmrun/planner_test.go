package slurmrun_test

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/fairway-sched/fairway/conformance/recordedtest"
	"github.com/fairway-sched/fairway/conformance/slurmrun"
)

// family is what the name of a recording begins with.
var family = regexp.MustCompile(`^[a-z]+`)

// unplanned are the recordings of what plans do not repeat: nodes that no output shows.
var unplanned = regexp.MustCompile(`^power-cloud-unshown$`)

// TestRecordedPlannerPlan is TestFullPlannerPlan with the compact copies.
func TestRecordedPlannerPlan(t *testing.T) {
	c := compared{}
	recordedtest.EachSlurm(t, recordedtest.Copies(t, "slurm-planner"), func(t *testing.T, r *slurmrun.Run) {
		p := planCompared{compared: c}
		p.all(t, r)
	})
	c.atLeast(t, map[string]int{"start": 90, "planned": 300, "reason": 300, "exact": 800})
}

// TestLoopbackPlan compares plans with recordings that were made to find rules of the planner: queues of random jobs
// on a slurmctld 22.05.8 with a slurmd for each of a few nodes, all on the loopback interface.
func TestLoopbackPlan(t *testing.T) {
	c := compared{}
	recordedtest.EachSlurm(t, recordedtest.Copies(t, "loopback"), func(t *testing.T, r *slurmrun.Run) {
		p := planCompared{compared: c}
		p.all(t, r)
	})
	c.atLeast(t, map[string]int{"start": 10, "planned": 40, "reason": 40, "exact": 130})
}

// TestFullPlannerPlan compares plans with the recordings of the rest of slurmctld's planner: preemption, topology,
// sleeping nodes, heterogeneous jobs, shared and split nodes, and what plans knew before. It logs how many rows of
// each family are exact.
func TestFullPlannerPlan(t *testing.T) {
	c := compared{}
	rows, exact := map[string]int{}, map[string]int{}
	recordedtest.EachSlurm(t, recordedtest.Full(t, "slurm-planner", ""), func(t *testing.T, r *slurmrun.Run) {
		if unplanned.MatchString(r.Name) {
			t.Skip("no recorded output shows its nodes")
		}
		p := planCompared{compared: c}
		p.all(t, r)
		of := family.FindString(r.Name)
		rows[of], exact[of] = rows[of]+p.rows, exact[of]+p.exact
	})
	for of := range rows {
		t.Logf("%s: %d of %d rows are exact", of, exact[of], rows[of])
	}
	c.atLeast(t, map[string]int{"start": 130, "planned": 600, "reason": 600, "exact": 1815})
}

// all compares every moment of a run.
func (p *planCompared) all(t *testing.T, r *slurmrun.Run) {
	for k := range r.Snapshots {
		for _, m := range r.Moments(k) {
			t.Run(fmt.Sprintf("%s %d", r.Snapshots[k].Tag, m.Cycle), func(t *testing.T) { p.moment(t, r, &r.Snapshots[k], m) })
		}
	}
	if p.rows > 0 {
		t.Logf("%s: %d of %d rows are exact", r.Name, p.exact, p.rows)
	}
}
