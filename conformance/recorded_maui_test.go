package conformance_test

import (
	"fmt"
	"io/fs"
	"testing"

	"github.com/fairway-sched/fairway/conformance/replay"
)

// mauiUnrecorded names cases whose recording holds no first pass, and why.
var mauiUnrecorded = map[string]string{
	"t15-running-over-limit": "the recorded scheduler answered no command",
}

// compared counts what was compared, so that a test cannot pass by comparing nothing.
type compared map[string]int

func (c compared) atLeast(t *testing.T, least map[string]int) {
	t.Helper()
	t.Log(map[string]int(c))
	for what, n := range least {
		if c[what] < n && !t.Failed() {
			t.Errorf("only %d comparisons of %s, want %d", c[what], what, n)
		}
	}
}

// TestRecordedMaui compares every iteration of the compact copies.
func TestRecordedMaui(t *testing.T) {
	c := compared{}
	for _, r := range recordings(t, "maui") {
		t.Run(r.name, func(t *testing.T) { checkMaui(t, r.name, r.files, true, c) })
	}
	c.atLeast(t, map[string]int{"priority": 5600, "factor": 8000, "queue": 150, "reasons": 800, "stored": 2000, "after commands": 8})
}

// TestFullRecordedMaui compares every iteration of the full set. Those with several are
// played twice: with a resource manager that goes on listing jobs that have ended, and with one that does not.
func TestFullRecordedMaui(t *testing.T) {
	c := compared{}
	for _, r := range fullRecordings(t, "maui", `^(p|f|t|b|n|r|big)\d`) {
		t.Run(r.name, func(t *testing.T) {
			if later := checkMaui(t, r.name, r.files, false, c); later {
				t.Run("ended jobs listed", func(t *testing.T) { checkMaui(t, r.name, r.files, true, c) })
			}
		})
	}
	c.atLeast(t, map[string]int{"priority": 6100, "factor": 14_000, "fairshare factor": 3100, "contribution": 8000, "queue": 150, "reasons": 800, "stored": 2000, "after commands": 8})
}

// checkMaui compares the iterations of a case; later tells whether there is more than one.
func checkMaui(t *testing.T, name string, files fs.FS, listEnded bool, c compared) (later bool) {
	played := openMaui(t, name, files)
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

func openMaui(t *testing.T, name string, files fs.FS) *replay.Case {
	t.Helper()
	c, err := replay.Open(files)
	if err != nil {
		t.Fatal(err)
	}
	if reason := mauiUnrecorded[name]; reason != "" && len(c.First) == 0 {
		t.Skip(reason)
	}
	if len(c.First) == 0 {
		t.Fatal("nothing was recorded")
	}
	return c
}
