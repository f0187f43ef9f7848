package habits

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
)

func drawn(h *Habits, j Job) (least, most int64) {
	least = h.At(&j, 0)
	for k := range 500 {
		ran := h.At(&j, float64(k)/499)
		least, most = min(least, ran), max(most, ran)
	}
	return least, most
}

// TestLevels: the user's own jobs of the same kind come before others, and others before nothing.
func TestLevels(t *testing.T) {
	var jobs []Job
	for k := range int64(10) {
		jobs = append(jobs,
			Job{User: "amy", Account: "physics", Procs: 4, Limit: 1000, Ran: 100 + k, End: k},
			Job{User: "amy", Account: "physics", Procs: 64, Limit: 1000, Ran: 500 + k, End: k},
			Job{User: "bob", Account: "physics", Procs: 64, Limit: 1000, Ran: 900 + k, End: k})
	}
	h := Learn(jobs)
	for _, c := range []struct {
		why         string
		job         Job
		least, most int64
	}{
		{"same user, account, size and limit", Job{User: "amy", Account: "physics", Procs: 4, Limit: 1000}, 100, 109},
		{"another limit: the share of it", Job{User: "amy", Account: "physics", Procs: 3, Limit: 2000}, 200, 218},
		{"another size: all of the user's", Job{User: "amy", Account: "physics", Procs: 9, Limit: 1000}, 100, 509},
		{"an unknown user: the account's", Job{User: "eve", Account: "physics", Procs: 9, Limit: 1000}, 100, 909},
		{"nothing known: the size's", Job{Procs: 64, Limit: 1000}, 500, 909},
		{"no limit: run times themselves", Job{User: "bob"}, 900, 909},
		{"it runs already: only longer ones", Job{User: "amy", Account: "physics", Procs: 4, Limit: 1000, Ran: 104},
			105, 109},
	} {
		if least, most := drawn(h, c.job); least < c.least || most > c.most || least == most {
			t.Errorf("%s: %d to %d, want within %d to %d", c.why, least, most, c.least, c.most)
		}
	}
	if ran := Learn(nil).At(&Job{Limit: 60}, 0.5); ran != 60 {
		t.Errorf("without a history a job runs for %d s, not its limit", ran)
	}
}

// TestHabitsChange: what was long ago is forgotten.
func TestHabitsChange(t *testing.T) {
	var jobs []Job
	for k := range int64(200) {
		jobs = append(jobs, Job{User: "amy", Procs: 1, Limit: 1000, Ran: 1 + k, End: 200 - k}) // the last first
	}
	if least, most := drawn(Learn(jobs), Job{User: "amy", Procs: 1, Limit: 1000}); least < 1 || most > 60 {
		t.Errorf("%d to %d s are drawn, the last %d jobs ran for 1 to 60 s", least, most, 60)
	}
}

// TestDrawnFits: a run time is longer than the job has run, and not longer than it may.
func TestDrawnFits(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		job := rapid.Custom(func(t *rapid.T) Job {
			return Job{User: fmt.Sprint(rapid.IntRange(0, 3).Draw(t, "user")), Procs: rapid.Int64Range(0, 1<<40).
				Draw(t, "procs"),
				Limit: rapid.Int64Range(0, 500).Draw(t, "limit"), Ran: rapid.Int64Range(0, 700).Draw(t, "ran"),
				End: rapid.Int64().Draw(t, "end")}
		})
		h, j := Learn(rapid.SliceOfN(job, 0, 40).Draw(t, "jobs")), job.Draw(t, "job")
		ran := h.At(&j, rapid.Float64Range(0, 1).Draw(t, "part"))
		if j.Limit > 0 && (ran > j.Limit || j.Ran < j.Limit && ran <= j.Ran || ran < 1) {
			t.Fatalf("%+v: %d", j, ran)
		}
	})
}
