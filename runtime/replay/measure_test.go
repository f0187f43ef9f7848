package replay

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// drawnResult is a made-up replay, with starts at random times.
func drawnResult(draw *rand.Rand) *Result {
	r := &Result{Begin: 1000, Procs: 64, Workload: &Workload{}}
	at := int64(1000)
	for k := range 1 + draw.IntN(60) {
		j := &Job{ID: fmt.Sprint(k), Submit: at, Procs: 1 + draw.Int64N(9), Limit: draw.Int64N(900),
			User: fmt.Sprint("u", draw.IntN(4)), Account: fmt.Sprint("a", draw.IntN(3)), Partition: fmt.Sprint(draw.IntN(2))}
		at += draw.Int64N(3) * draw.Int64N(4000)
		o := Outcome{Job: j}
		if draw.IntN(10) > 0 {
			o.Start = j.Submit + draw.Int64N(3)*draw.Int64N(90_000)
			o.End, o.By = o.Start+1+draw.Int64N(5000), backfill.ByMain
			r.End = max(r.End, o.End)
		}
		r.Outcomes = append(r.Outcomes, o)
	}
	return r
}

// TestOvertakenTwin: the tree counts what asking every pair of jobs does.
func TestOvertakenTwin(t *testing.T) {
	draw := rand.New(rand.NewPCG(22, 2))
	found := int64(0)
	for range 300 {
		r := drawnResult(draw)
		got := r.overtaken()
		for i := range r.Outcomes {
			a, times, first := &r.Outcomes[i], int64(0), int64(math.MaxInt64)
			for k := range r.Outcomes {
				b := &r.Outcomes[k]
				if a.By != "" && b.By != "" && a.Partition == b.Partition && b.Submit > a.Submit && b.Start < a.Start {
					times, first = times+1, min(first, b.Start)
				}
			}
			if got[i].times != times || times > 0 && got[i].first != first {
				t.Fatalf("job %s: %v, want %d times from %d on", a.ID, got[i], times, first)
			}
			found += times
		}
	}
	if found < 1000 {
		t.Errorf("only %d jobs were overtaken: the replays show nothing", found)
	}
}

// TestSeriesTwin: what the intervals of a series add up to is what the jobs do.
func TestSeriesTwin(t *testing.T) {
	near := func(t *testing.T, what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-6*max(1, math.Abs(want)) {
			t.Fatalf("%s: %v, want %v", what, got, want)
		}
	}
	draw := rand.New(rand.NewPCG(22, 3))
	for range 200 {
		r := drawnResult(draw)
		if r.End == 0 {
			continue
		}
		m := r.Measure(0)
		s, span := m.Series, float64(r.End-r.Begin)
		length := func(k int) float64 {
			return min(float64(s.StepSeconds), span-float64(int64(k)*s.StepSeconds))
		}
		busy, queued := 0.0, 0.0
		for k := range s.Busy {
			busy, queued = busy+s.Busy[k]*length(k), queued+s.Queued[k]*length(k)
		}
		near(t, "busy", busy, m.All.Of("proc_seconds"))
		near(t, "queued", queued, m.All.Of("queue.jobs_mean")*span)
		for k := range s.Busy {
			end, oldest, sum, n := r.Begin+int64(k+1)*s.StepSeconds, 0.0, 0.0, 0.0
			for i := range r.Outcomes {
				o := &r.Outcomes[i]
				until := r.End
				if o.By != "" {
					until = o.Start
				}
				if o.Submit <= end && end < until {
					age := float64(end - o.Submit)
					oldest, sum, n = max(oldest, age), sum+age, n+1
				}
			}
			near(t, "oldest", s.Oldest[k], oldest)
			near(t, "age", s.Age[k]*max(1, n), sum)
			parts := 0.0
			for i := range s.Shares {
				if used := s.Shares[i].Used[k]; used == used {
					parts += used
				}
			}
			if s.Busy[k] > 0 {
				near(t, "shares", parts, 1)
			}
		}
	}
}

// TestMetricsHaveNames: a name is one metric's, and what a metric says of one job is what the job did.
func TestMetricsHaveNames(t *testing.T) {
	names := map[string]bool{}
	for _, m := range Metrics {
		if names[m.Name] || m.Doc == "" || m.Unit == "" {
			t.Errorf("metric %q has its name twice, or no unit or definition", m.Name)
		}
		names[m.Name] = true
	}
	r := &Result{Begin: 0, End: 150, Procs: 4, Workload: &Workload{}, Outcomes: []Outcome{
		{Job: &Job{ID: "1", User: "a", Procs: 4}, Start: 0, End: 100, By: backfill.ByMain},
		{Job: &Job{ID: "2", User: "b", Submit: 10, Procs: 2}, Start: 100, End: 150, By: backfill.ByMain}}}
	m := r.Measure(0)
	for name, want := range map[string]float64{"jobs": 2, "started": 2, "wait_seconds.mean": 45, "wait_seconds.max": 90,
		"bounded_slowdown.max": 2.8, "proc_seconds": 500, "overtaken.jobs": 0, "starved": 0, "makespan_seconds": 150,
		"utilisation": 500.0 / 600, "jobs_per_hour": 48, "queue.jobs_mean": 0.6, "queue.jobs_max": 1,
		"jain.users": 3.8 * 3.8 / (2 * (1 + 2.8*2.8))} {
		if got := m.All.Of(name); math.Abs(got-want) > 1e-12 {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	if g := m.Group("user", "b"); g == nil || g.Of("wait_seconds.mean") != 90 || !math.IsNaN(g.Of("utilisation")) {
		t.Errorf("the group of b is %+v", g)
	}
}

// TestDrawnWorkloads: a seed draws the same again; bootstrap keeps the length, and scaling keeps the jobs.
func TestDrawnWorkloads(t *testing.T) {
	w := &Workload{}
	for k := range int64(200) {
		w.Jobs = append(w.Jobs, Job{ID: fmt.Sprint(k), Submit: 5000 + k*k*7, Seconds: 10, Procs: 1})
	}
	span := w.Jobs[199].Submit - w.Jobs[0].Submit
	other := false
	for seed := range uint64(20) {
		a, b := w.Drawn(Arrivals{Bootstrap: true}, seed), w.Drawn(Arrivals{Bootstrap: true}, seed)
		if !slices.Equal(a.Jobs, b.Jobs) {
			t.Fatal("a seed draws two workloads")
		}
		ids := map[string]bool{}
		for i, j := range a.Jobs {
			if ids[j.ID] || i > 0 && j.Submit < a.Jobs[i-1].Submit || j.Submit < 5000 || j.Submit > 5000+span {
				t.Fatalf("seed %d: job %s at %d", seed, j.ID, j.Submit)
			}
			ids[j.ID] = true
		}
		other = other || !slices.Equal(a.Jobs, w.Jobs)
	}
	if !other {
		t.Error("no seed draws another workload")
	}
	if s := w.Drawn(Arrivals{Scale: 2}, 1).Jobs; len(s) != 200 || s[199].Submit-s[0].Submit != (span+1)/2 {
		t.Errorf("twice the load lasts %d of %d seconds", s[199].Submit-s[0].Submit, span)
	}
}

func FuzzParseArrivals(f *testing.F) {
	for _, text := range []string{"recorded", "bootstrap", "scaled=1.2", "scaled=0", "scaled=NaN", "scaled=1e9"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := ParseArrivals(text)
		if err == nil && a.Scale != 0 && !(a.Scale >= leastScale && a.Scale <= mostScale) {
			t.Errorf("%q scales by %v", text, a.Scale)
		}
	})
}
