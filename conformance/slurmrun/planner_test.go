package slurmrun_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/fairway-sched/fairway/conformance/beside"
	"github.com/fairway-sched/fairway/conformance/recordedtest"
	"github.com/fairway-sched/fairway/conformance/slurmrun"
)

func TestZPlanner(t *testing.T) {
	c := compared{}
	pattern := os.Getenv("CASES")
	_ = filepath.Dir(beside.Folder(t, "oracle", "slurm"))
	recordedtest.EachSlurm(t, recordedtest.Full(t, "slurm-planner", pattern), func(t *testing.T, r *slurmrun.Run) {
		p := planCompared{compared: c}
		for k := range r.Snapshots {
			for _, m := range r.Moments(k) {
				t.Run(fmt.Sprintf("%s %d", r.Snapshots[k].Tag, m.Cycle), func(t *testing.T) { p.moment(t, r, &r.Snapshots[k], m) })
			}
		}
		t.Logf("ROWS %s: %d of %d rows are exact", r.Name, p.exact, p.rows)
	})
	_ = regexp.MustCompile
	c.atLeast(t, map[string]int{})
}
