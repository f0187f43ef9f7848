package timeline

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/runtime/backfill/profile"
)

// TestCourseOfTwoBounds: what was found under one limit of a counter rules nothing out under another one: each answer
// is that of a course that was asked nothing before.
func TestCourseOfTwoBounds(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		runsDown := rapid.Bool().Draw(t, "runs down")
		type job struct{ from, to, amount int64 }
		var jobs []job
		fresh := func() *course {
			u := newCourse(0, runsDown)
			for _, j := range jobs {
				u.add(0, j.from, j.to, j.amount)
			}
			return u
		}
		for range rapid.IntRange(1, 4).Draw(t, "jobs") {
			from := rapid.Int64Range(0, 60).Draw(t, "from")
			jobs = append(jobs, job{from, from + rapid.Int64Range(1, 80).Draw(t, "seconds"), rapid.Int64Range(1, 120).
				Draw(t, "amount")})
		}
		learning := fresh()
		bounds := rapid.SliceOfN(rapid.Int64Range(10, 1200), 2, 2).Draw(t, "bounds")
		for range rapid.IntRange(2, 6).Draw(t, "questions") {
			bound := rapid.SampledFrom(bounds).Draw(t, "bound")
			c := Claim{Checks: true, Amount: bound - rapid.Int64Range(0, 9).Draw(t, "less"), Bound: bound, RunsDown: runsDown}
			seconds := rapid.SampledFrom([]int64{20, 100}).Draw(t, "long")
			got, ok := learning.first(&c, 0, profile.Forever, seconds)
			want, wantOK := fresh().first(&c, 0, profile.Forever, seconds)
			if got != want || ok != wantOK {
				t.Fatalf("%d of %d for %d s: at %d (%v), by itself at %d (%v)", c.Amount, bound, seconds, got, ok, want, wantOK)
			}
		}
	})
}
