package limit_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/runtime/backfill/profile"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/limit"
	"github.com/fairway-sched/fairway/runtime/limit/timeline"
	"github.com/fairway-sched/fairway/runtime/limit/timeline/obvious"
	"github.com/fairway-sched/fairway/runtime/program"
)

// TestTimelineIsTwin: of a policy's own limits, whatever they count, jobs that are planned one by one start at the
// first second at which the limits let them.
func TestTimelineIsTwin(t *testing.T) {
	later, never := 0, 0
	draws.Check(t, func(t *rapid.T) {
		const now = 1000
		w := &twin{now: now, maui: rapid.Bool().Draw(t, "maui"), in: map[string][]int{}}
		w.jobs = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) testJob { return drawJob(t, now) }), 6, 10).Draw(t, "jobs")
		w.limits = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) program.Limit { return drawLimit(t, w.maui) }), 1, 6).
			Draw(t, "limits")
		for i := range w.limits { // as sites have them
			if l := &w.limits[i]; rapid.Bool().Draw(t, "usual") {
				counts := rapid.SampledFrom([]string{"jobs", "procs", "proc_seconds", "walltime"}).Draw(t, "counts")
				most := map[string]int64{"jobs": 1, "procs": 9, "proc_seconds": 150, "walltime": 26}[counts] * rapid.Int64Range(1,
					3).Draw(t, "most")
				*l = program.Limit{Name: "usual", When: program.NoReg, Counts: counts, Phase: limit.Active, Object: "user",
					Row: "DEFAULT", Others: true, Per: []string{"user"},
					Soft: most, Hard: most}
			}
		}
		for i := range w.jobs { // sums stay within a C int
			j := &w.jobs[i]
			j.procs, j.seconds = j.procs%9, j.seconds%25
			if j.state == "suspended" {
				j.state, j.start, j.held = "pending", 0, 0
			}
			if j.state == "running" {
				j.start = now - (now-j.start)%30
			}
		}
		bits := make([]column.Bitmap, len(w.limits))
		w.when = make([][]bool, len(w.limits))
		for i := range w.limits {
			w.when[i] = rapid.SliceOfN(rapid.Bool(), len(w.jobs), len(w.jobs)).Draw(t, "when")
			for job, yes := range w.when[i] {
				if yes {
					bits[i].Set(job)
				}
			}
		}
		p := &program.Program{Limits: w.limits}
		if w.maui {
			p.Counting = cInts
		}
		g, _ := limit.New(p, w.table(), limit.Options{Now: now, When: bits})
		loaded := func(r row) bool { return w.maui && (r.object != "" || r.counts == "walltime") }
		slow := &obvious.Plan{Check: func(job int, start, at int64, running []int) bool {
			w.now, w.in[limit.Active] = at, running
			own := w.jobs[job]
			defer func() { w.jobs[job] = own }()
			w.jobs[job].state, w.jobs[job].start = "running", start
			for _, b := range []limit.Bound{limit.Hard, limit.Soft} {
				_, over := w.check(limit.Active, job, b, nil)
				_, large := w.check(limit.Job, job, b, loaded)
				if (over || large) && (b == limit.Hard || !w.maui) {
					return true
				}
			}
			return false
		}}
		line := g.Timeline(now)
		var rows []int
		var ids []int32
		var ends []int64
		for i := range w.jobs {
			if j := &w.jobs[i]; j.state == "running" {
				g.AddActive(i)
				end := max(j.start+j.seconds, now+1)
				rows, ids, ends = append(rows, i), append(ids, int32(i)), append(ends, end)
				slow.Spans = append(slow.Spans, obvious.Span{Job: i, From: now, To: end})
			}
		}
		line.AddRunning(rows, ids, ends)
		for i := range w.jobs {
			if w.jobs[i].state != "running" && rapid.Bool().Draw(t, "expected") {
				line.Expect(i, w.jobs[i].seconds, timeline.Got{})
			}
		}
		for i := range w.jobs {
			j := &w.jobs[i]
			if j.state == "running" {
				continue
			}
			after, horizon := now+rapid.Int64Range(0, 9).Draw(t, "after"), int64(now+20)
			for _, s := range slow.Spans {
				horizon = max(horizon, s.To)
			}
			var moments []int64
			for at := after; at <= horizon; at++ {
				moments = append(moments, at)
			}
			want, wantOK := slow.First(i, moments, max(j.seconds, 1))
			got, ok := line.First(i, timeline.Got{}, after, profile.Forever, j.seconds)
			if ok != wantOK || ok && got != want {
				t.Fatalf("job %d from %d on: %d %v, tried one by one %d %v; %+v", i, after, got, ok, want, wantOK, slow.Spans)
			}
			if !ok {
				never++
				continue
			}
			if got > after {
				later++
				if wrong := obvious.Wrong(line.Holdings(i, timeline.Got{}, after, got, j.seconds), slow.Spans, after,
					got); wrong != "" {
					t.Fatalf("job %d from %d on, at %d: %s", i, after, got, wrong)
				}
			}
			line.Add(i, int32(i), got, got+j.seconds, timeline.Got{})
			slow.Spans = append(slow.Spans, obvious.Span{Job: i, From: got, To: got + j.seconds})
			j.state, j.start = "running", got
		}
	})
	if later < 5 || never < 5 {
		t.Errorf("%d jobs had to wait, %d for ever", later, never)
	}
}
