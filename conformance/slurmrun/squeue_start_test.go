package slurmrun_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/conformance/recordedtest"
	"github.com/fairway-sched/fairway/conformance/slurmrun"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/view"
)

// unlikeStarts are the rows that differ from what squeue --start printed, by "case tag job".
var unlikeStarts = []struct{ rows, why string }{
	{`^limit-partition(-v25\.11)?  (17|19)$`, "slurmctld plans a job whose account the partition refuses, which never starts; ours has no start"},
	{`^(backfill-multi-partition|partition-multi-(reasons|tiers)) after2? (5|6|8|17)$`, "another main pass followed"},
	{`^backfill-sched-depth(-v25\.11)? after (5|8)$`, "likewise"},
	{`^backfill-max-job-test-5 after 10$`, "squeue shows the nodes of an earlier cycle"},
	{`^big-fairtree-600(-v25\.11)? after `, "of jobs that are too long for the partition of the higher tier and over a limit in the other nothing tells when the reason was cleared"},
	{`^backfill-(max-job-part-array-v25\.11|array-limit) after 6_`, "the task that starts in the cycle is split off the array in the snapshot"},
}

// TestSqueueStart compares with squeue --start after backfill cycles, row by row.
func TestSqueueStart(t *testing.T) {
	c := compared{}
	recordedtest.EachSlurm(t, recordedtest.FullSlurm(t, "^(backfill|big|limit|partition-multi|fs-classic-running)"), c.squeueStart)
	c.atLeast(t, map[string]int{"row": 2800, "alike": 2770, "title": 130})
}

func (c compared) squeueStart(t *testing.T, r *slurmrun.Run) {
	for k := range r.Snapshots {
		s := &r.Snapshots[k]
		printed, ok := r.Text(s, "squeue_start.txt")
		if !ok {
			continue
		}
		for _, m := range r.Moments(k) {
			if m.Last {
				c.squeueStartAt(t, r, s, m, strings.Split(printed, "\n"))
			}
		}
	}
}

func (c compared) squeueStartAt(t *testing.T, r *slurmrun.Run, s *slurmrun.Snapshot, m *slurmrun.Moment, want []string) {
	policy, err := r.Program(s, true)
	if err != nil {
		t.Fatal(err)
	}
	state, err := m.State()
	if err != nil {
		t.Fatal(err)
	}
	result := recordedtest.Evaluate(t, policy, state)
	plan, err := engine.Plan(result, engine.PlanOptions{Pass: m.Pass, Cycle: m.Cycle})
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(recordedtest.ViewText(t, view.WriteSqueueStart, &view.Plan{Result: result, Schedule: plan, Planner: "slurm"}), "\n")
	if c["title"]++; strings.TrimRight(lines[0], " ") != strings.TrimRight(want[0], " ") {
		t.Errorf("%s: the titles are %q", s.Tag, lines[0])
	}
	got := map[string]string{}
	for _, line := range lines[1:] {
		if words := strings.Fields(line); len(words) > 0 {
			got[words[0]] = strings.TrimRight(line, " ")
		}
	}
	for _, line := range want[1:] {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		c["row"]++
		switch row := got[words[0]]; {
		case row == strings.TrimRight(line, " "):
			c["alike"]++
		case !unlikeStart(r.Name + " " + s.Tag + " " + words[0]):
			t.Errorf("%s:\n%s, printed was\n%s", s.Tag, row, line)
		}
	}
}

func unlikeStart(row string) bool {
	for _, x := range unlikeStarts {
		if regexp.MustCompile(x.rows).MatchString(row) {
			return true
		}
	}
	return false
}
