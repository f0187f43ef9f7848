package slurmrun_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/conformance/recordedtest"
	"github.com/fairway-sched/fairway/conformance/slurmrun"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/planning"
	"github.com/fairway-sched/fairway/runtime/report/plan"
)

// unlikeStarts are the rows that differ from what squeue --start printed, and why: each job by case and tag.
var unlikeStarts = []struct {
	why  string
	rows map[string]string // case and tag → jobs
}{
	{"slurmctld plans a job whose account the partition refuses, which never starts; ours has no start", map[string]string{
		"limit-partition": "17 19", "limit-partition-v25.11": "17 19"}},
	{"a main pass followed the cycle, tried the job of several partitions once more and gave it a reason again",
		map[string]string{
			"backfill-multi-partition after": "5 17", "partition-multi-tiers after2": "6"}},
	{"a main pass of a few jobs (default_queue_depth, partition_job_depth) followed the cycle", map[string]string{
		"backfill-sched-depth after": "5 8", "backfill-sched-depth-v25.11 after": "5 8"}},
	{"the cycle ended before it came to the job (bf_max_job_test), which keeps the nodes of the cycle before",
		map[string]string{
			"backfill-max-job-test-5 after": "10"}},
	{"the job is too long for the partition of the higher tier and over a limit in the other: nothing tells which pass " +
		"came by it last", map[string]string{
		"big-fairtree-600 after":        "36 50 208 255 281 323 397 439 443 479 491 508 512 534 592 605",
		"big-fairtree-600-v25.11 after": "36 208 323 397 439 479 512 534"}},
	{"a task of the array started in the cycle and is split off in the snapshot, so the record has another list of tasks",
		map[string]string{
			"backfill-max-job-part-array-v25.11 after": "6_[1-7%3]", "backfill-array-limit after": "6_[1-5%2]"}},
}

// TestSqueueStart compares with squeue --start after backfill cycles, row by row.
func TestSqueueStart(t *testing.T) {
	c := compared{}
	recordedtest.EachSlurm(t, recordedtest.FullSlurm(t, "^(backfill|big|limit|partition-multi|fs-classic-running)"),
		c.squeueStart)
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

func (c compared) squeueStartAt(t *testing.T, r *slurmrun.Run, s *slurmrun.Snapshot, m *slurmrun.Moment,
	want []string) {
	policy, err := r.Program(s, true)
	if err != nil {
		t.Fatal(err)
	}
	state, err := m.State()
	if err != nil {
		t.Fatal(err)
	}
	result := recordedtest.Evaluate(t, policy, state)
	schedule, err := engine.Plan(result, planning.Options{Pass: m.Pass, Cycle: m.Cycle})
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(recordedtest.ViewText(t, plan.WriteSqueueStart,
		&plan.Plan{Result: result, Schedule: schedule, Planner: "slurm"}), "\n")
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
		case !unlikeStart(strings.TrimSpace(r.Name+" "+s.Tag), words[0]):
			t.Errorf("%s:\n%s, printed was\n%s", s.Tag, row, line)
		}
	}
}

func unlikeStart(moment, job string) bool {
	for _, x := range unlikeStarts {
		if slices.Contains(strings.Fields(x.rows[moment]), job) {
			return true
		}
	}
	return false
}
