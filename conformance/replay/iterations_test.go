package replay_test

import (
	"fmt"
	"io/fs"
	"testing"

	"github.com/fairway-sched/fairway/conformance/recordedtest"
)

// compared counts what was compared, so that a test cannot pass by comparing nothing.
type compared map[string]int

func (c compared) atLeast(t *testing.T, least map[string]int) {
	t.Helper()
	recordedtest.AtLeast(t, c, least)
}

// TestRecordedMaui compares every iteration of the compact copies.
func TestRecordedMaui(t *testing.T) {
	c := compared{}
	for _, r := range recordedtest.Copies(t, "maui") {
		t.Run(r.Name, func(t *testing.T) { checkMaui(t, r.Name, r.Files, true, c) })
	}
	c.atLeast(t, map[string]int{"priority": 5600, "factor": 8000, "queue": 150, "reasons": 800, "stored": 2000,
		"after commands": 8})
}

// TestFullRecordedMaui compares every iteration of the full set. Those with several are
// played twice: with a resource manager that goes on listing jobs that have ended, and with one that does not.
func TestFullRecordedMaui(t *testing.T) {
	c := compared{}
	for _, r := range recordedtest.Full(t, "maui", `^(p|f|t|b|n|r|big)\d`) {
		t.Run(r.Name, func(t *testing.T) {
			if later := checkMaui(t, r.Name, r.Files, false, c); later {
				t.Run("ended jobs listed", func(t *testing.T) { checkMaui(t, r.Name, r.Files, true, c) })
			}
		})
	}
	c.atLeast(t, map[string]int{"priority": 6100, "factor": 14_000, "fairshare factor": 3100, "contribution": 8000,
		"queue": 150, "reasons": 800, "stored": 2000, "after commands": 8})
}

// checkMaui compares the iterations of a case; later tells whether there is more than one.
func checkMaui(t *testing.T, name string, files fs.FS, listEnded bool, c compared) (later bool) {
	played := recordedtest.OpenMaui(t, name, files)
	played.ListEnded = listEnded
	played.Plan = placed.MatchString(name) // whom Maui defers for want of nodes is the planner's to say
	for p, err := range played.Play() {
		if err != nil {
			t.Fatal(err)
		}
		check := func(t *testing.T) {
			if len(p.First) > 0 || p.Index == 0 {
				checkFirstPass(t, p, c)
			}
			checkCommands(t, p, c)
			checkQueue(t, name, p, c)
			if !placed.MatchString(name) { // of jobs that come later too
				checkCheckJob(t, p, c)
			}
		}
		if p.Index == 0 {
			check(t)
			continue
		}
		later = true
		t.Run(fmt.Sprintf("step%d", p.Index), check)
	}
	return later
}
