package usage

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/fairshare"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// job is a run as tests write it; -1 is unknown.
type job struct {
	user, account                     string
	start, end, procs, elapsed, limit int64
	cpuSeconds                        float64
	memMB                             int64
}

// a job of ana's with what tests do not care about unknown.
func ana(start, end, procs int64) job {
	return job{user: "ana", start: start, end: end, procs: procs, elapsed: -1, limit: -1, cpuSeconds: -1, memMB: -1}
}

func tableOf(jobs []job) *column.Table {
	b := column.NewBuilder("job")
	for i, j := range jobs {
		b.Row()
		b.String("job.id", fmt.Sprint(i))
		b.String("job.user", j.user)
		b.String("job.account", j.account)
		b.Time("job.start_time", j.start)
		b.Declare("job.end_time", schema.Timestamp)
		b.Declare("job.runtime_seconds", schema.Int)
		b.Declare("job.walltime_seconds", schema.Int)
		b.Declare("job.cpu_seconds", schema.Double)
		b.Declare("job.mem_mb", schema.Int)
		b.Int("job.procs", j.procs)
		if j.end >= 0 {
			b.Time("job.end_time", j.end)
		}
		for id, n := range map[schema.ColumnID]int64{"job.runtime_seconds": j.elapsed, "job.walltime_seconds": j.limit,
			"job.mem_mb": j.memMB} {
			if n >= 0 {
				b.Int(id, n)
			}
		}
		if j.cpuSeconds >= 0 {
			b.Double("job.cpu_seconds", j.cpuSeconds)
		}
	}
	return b.Table()
}

// totalsOf are the windows' totals, newest first.
func totalsOf(r *Report) []float64 {
	var totals []float64
	for _, w := range r.Windows {
		totals = append(totals, w.Total)
	}
	return totals
}

// TestBuild: windows of 100 seconds at 950, of which four are kept: from 900, 800, 700 and 600.
func TestBuild(t *testing.T) {
	with := func(j job, change func(*job)) job { change(&j); return j }
	for _, c := range []struct {
		name  string
		usage string
		jobs  []job
		want  []float64
	}{
		{"within one window", fairshare.DedicatedProcSeconds, []job{ana(810, 820, 3)}, []float64{0, 30, 0, 0}},
		{"across a border", fairshare.DedicatedProcSeconds, []job{ana(790, 810, 3)}, []float64{0, 30, 30, 0}},
		{"border to border", fairshare.DedicatedProcSeconds, []job{ana(700, 800, 1)}, []float64{0, 0, 100, 0}},
		{"across two borders", fairshare.DedicatedProcSeconds, []job{ana(650, 850, 2)}, []float64{0, 100, 200, 100}},
		{"begins before the oldest window", fairshare.DedicatedProcSeconds, []job{ana(0, 610, 2)}, []float64{0, 0, 0, 20}},
		{"ends before the oldest window", fairshare.DedicatedProcSeconds, []job{ana(0, 600, 2)}, []float64{0, 0, 0, 0}},
		{"still runs", fairshare.DedicatedProcSeconds, []job{ana(890, -1, 2)}, []float64{100, 20, 0, 0}},
		{"ends after now", fairshare.DedicatedProcSeconds, []job{ana(890, 2000, 2)}, []float64{100, 20, 0, 0}},
		{"begins after now", fairshare.DedicatedProcSeconds, []job{ana(960, 2000, 2), ana(950, -1, 2)},
			[]float64{0, 0, 0, 0}},
		{"takes no time", fairshare.DedicatedProcSeconds, []job{ana(900, 900, 2)}, []float64{0, 0, 0, 0}},
		{"still runs within its limit", fairshare.DedicatedProcSeconds,
			[]job{with(ana(890, -1, 2), func(j *job) { j.limit = 60 })}, []float64{100, 20, 0, 0}},
		{"no end though its limit is over", fairshare.DedicatedProcSeconds,
			[]job{with(ana(890, -1, 2), func(j *job) { j.limit = 20 })}, []float64{20, 20, 0, 0}},
		{"was suspended half of the time", fairshare.DedicatedProcSeconds,
			[]job{with(ana(880, 920, 2), func(j *job) { j.elapsed = 20 })}, []float64{20, 20, 0, 0}},
		{"elapsed time of a running job is old", fairshare.DedicatedProcSeconds,
			[]job{with(ana(890, -1, 2), func(j *job) { j.elapsed = 20 })}, []float64{100, 20, 0, 0}},
		{"measured", fairshare.UtilizedProcSeconds, []job{with(ana(890, 910, 2), func(j *job) { j.cpuSeconds = 30 })},
			[]float64{15, 15, 0, 0}},
		{"not measured", fairshare.UtilizedProcSeconds, []job{ana(890, 910, 2)}, []float64{20, 20, 0, 0}},
		{"not measured yet", fairshare.UtilizedProcSeconds, []job{with(ana(890, -1, 2), func(j *job) { j.cpuSeconds = 0 })},
			[]float64{100, 20, 0, 0}},
		{"equivalents by memory", fairshare.DedicatedPESeconds,
			[]job{with(ana(890, 910, 2), func(j *job) { j.memMB = 2000 })}, []float64{80, 80, 0, 0}},
		{"equivalents by processors", fairshare.DedicatedPESeconds,
			[]job{with(ana(890, 910, 2), func(j *job) { j.memMB = 20 })}, []float64{20, 20, 0, 0}},
		{"equivalents without memory", fairshare.DedicatedPESeconds, []job{ana(890, 910, 2)}, []float64{20, 20, 0, 0}},
	} {
		r := Build(tableOf(c.jobs), Settings{Usage: c.usage, IntervalSeconds: 100, Depth: 4, Now: 950,
			Cluster: fairshare.Cluster{Procs: 16, MemMB: 4000}})
		if !slices.Equal(totalsOf(r), c.want) {
			t.Errorf("%s: %v, want %v", c.name, totalsOf(r), c.want)
		}
	}
}

// TestBuildCounts: what the report says of the runs.
func TestBuildCounts(t *testing.T) {
	over := ana(890, -1, 2)
	over.limit = 20
	long := ana(810, 820, 1)
	long.user, long.account = "two words", "lhc"
	r := Build(tableOf([]job{ana(810, 820, 1), ana(0, 10, 1), ana(900, -1, 1), over, ana(960, -1, 1), long}),
		Settings{Usage: fairshare.UtilizedProcSeconds, IntervalSeconds: 100, Depth: 4, Now: 950})
	if r.Runs != 4 || r.Running != 2 || r.Overdue != 1 || r.Ahead != 1 || r.Unmeasured != 2 {
		t.Errorf("%+v", r)
	}
	if !slices.Equal(r.Unnamed, []string{"group", "partition", "qos"}) ||
		!slices.Equal(r.BadNames, []Name{{"user", "two words"}}) {
		t.Errorf("%v %v", r.Unnamed, r.BadNames)
	}
	if w := r.Windows[1]; w.StartTime != 800 || w.EndTime != 900 || w.Total != 40 ||
		fmt.Sprint(w.Usage) != "map[account:map[lhc:10] user:map[ana:30]]" {
		t.Errorf("%+v", w)
	}
	if r := Build(nil, Settings{Usage: fairshare.DedicatedProcSeconds, IntervalSeconds: 100, Depth: 4,
		Now: 250}); len(r.Windows) != 3 || r.Windows[2].StartTime != 0 {
		t.Errorf("%+v", r.Windows)
	}
}

// drawJobs draws runs around the windows.
func drawJobs(t *rapid.T) []job {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) job {
		j := ana(rapid.Int64Range(0, 130).Draw(t, "start"), -1, rapid.Int64Range(1, 9).Draw(t, "procs"))
		j.user = rapid.SampledFrom([]string{"ana", "bo", ""}).Draw(t, "user")
		j.account = rapid.SampledFrom([]string{"lhc", ""}).Draw(t, "account")
		if rapid.Bool().Draw(t, "ended") {
			j.end = j.start + rapid.Int64Range(0, 90).Draw(t, "seconds")
		}
		if rapid.Bool().Draw(t, "limited") {
			j.limit = rapid.Int64Range(0, 90).Draw(t, "limit")
		}
		if rapid.Bool().Draw(t, "measured") {
			j.cpuSeconds = float64(rapid.IntRange(0, 300).Draw(t, "cpu"))
		}
		return j
	}), 0, 12).Draw(t, "jobs")
}

// secondBySecond is the slow twin: it looks at each second and asks who ran.
func secondBySecond(jobs []job, s Settings) map[int64]map[string]float64 {
	windows := map[int64]map[string]float64{}
	current := s.Now / s.IntervalSeconds
	for second := range s.Now {
		window := second / s.IntervalSeconds
		if current-window >= int64(s.Depth) {
			continue
		}
		for _, j := range jobs {
			end, rate := s.Now, float64(j.procs)
			if j.end >= 0 {
				end = j.end
				if s.Usage == fairshare.UtilizedProcSeconds && j.cpuSeconds >= 0 && j.end > j.start {
					rate = j.cpuSeconds / float64(j.end-j.start)
				}
			} else if j.limit > 0 {
				end = min(end, j.start+j.limit)
			}
			if second < j.start || second >= end {
				continue
			}
			if windows[window] == nil {
				windows[window] = map[string]float64{}
			}
			windows[window]["total"] += rate
			if j.user != "" {
				windows[window]["user "+j.user] += rate
			}
			if j.account != "" {
				windows[window]["account "+j.account] += rate
			}
		}
	}
	return windows
}

// TestBuildIsSecondBySecond: and the sum of all windows is the sum of
// processors times seconds.
func TestBuildIsSecondBySecond(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		jobs := drawJobs(t)
		s := Settings{
			Usage: rapid.SampledFrom([]string{fairshare.DedicatedProcSeconds, fairshare.UtilizedProcSeconds}).
				Draw(t, "usage"),
			IntervalSeconds: rapid.Int64Range(1, 50).Draw(t, "interval"),
			Depth:           rapid.IntRange(1, 9).Draw(t, "depth"),
			Now:             rapid.Int64Range(1, 150).Draw(t, "now"),
		}
		r, slow := Build(tableOf(jobs), s), secondBySecond(jobs, s)
		got := map[int64]map[string]float64{}
		for _, w := range r.Windows {
			flat := map[string]float64{}
			if w.Total > 0 {
				flat["total"] = w.Total
			}
			for object, names := range w.Usage {
				for name, amount := range names {
					flat[object+" "+name] = amount
				}
			}
			got[w.StartTime/s.IntervalSeconds] = flat
		}
		for window := range maps.Keys(slow) {
			if got[window] == nil {
				t.Fatalf("window %d is missing", window)
			}
		}
		for window, have := range got {
			want := slow[window]
			for key := range want {
				if want[key] == 0 {
					delete(want, key)
				}
			}
			if len(have) != len(want) {
				t.Fatalf("window %d: %v, want %v", window, have, want)
			}
			for key := range want {
				if math.Abs(have[key]-want[key]) > 1e-9*want[key] {
					t.Fatalf("window %d, %s: %v, want %v", window, key, have[key], want[key])
				}
			}
		}
		if s.Usage == fairshare.DedicatedProcSeconds && int64(s.Depth)*s.IntervalSeconds > s.Now {
			sum, want := 0.0, 0.0
			for _, w := range r.Windows {
				sum += w.Total
			}
			for _, j := range jobs {
				end := min(s.Now, j.start+10000)
				if j.end >= 0 {
					end = min(s.Now, j.end)
				} else if j.limit > 0 {
					end = min(s.Now, j.start+j.limit)
				}
				want += float64(j.procs * max(0, end-j.start))
			}
			if sum != want {
				t.Fatalf("all windows have %v, the runs %v", sum, want)
			}
		}
	})
}

// TestCover: windows of 100 seconds seen from 950.
func TestCover(t *testing.T) {
	for _, c := range []struct {
		first, last, start int64
		want               Cover
	}{
		{600, 940, 900, Whole}, {900, 940, 900, Whole}, {600, 900, 900, Whole}, {600, 899, 900, Ends},
		{600, 940, 800, Whole}, {600, 900, 800, Whole}, {600, 899, 800, Ends}, {600, 700, 800, Ends},
		{801, 940, 800, Begins}, {899, 940, 800, Begins}, {900, 940, 800, None},
		{910, 940, 900, Begins},
	} {
		s := Settings{Now: 950, IntervalSeconds: 100, Told: snapshot.Span{First: c.first, Last: c.last, Known: true}}
		if got := coverOf(c.start, c.start+100, &s); got != c.want {
			t.Errorf("records from %d to %d, window %d: %s, want %s", c.first, c.last, c.start, got, c.want)
		}
	}
	if got := coverOf(900, 1000, &Settings{Now: 950}); got != None {
		t.Errorf("no records: %s", got)
	}
}

// TestClusterOf: all configured nodes count; what a node does not say counts nothing.
func TestClusterOf(t *testing.T) {
	b := column.NewBuilder("node")
	for _, procs := range []int64{4, 8} {
		b.Row()
		b.Bool("node.up", procs == 4)
		b.Int("node.procs", procs)
	}
	b.Int("node.mem_mb", 1000)
	if got := ClusterOf(b.Table()); got != (fairshare.Cluster{Procs: 12, MemMB: 1000}) {
		t.Errorf("%+v", got)
	}
	if got := ClusterOf(nil); got != (fairshare.Cluster{}) {
		t.Errorf("%+v", got)
	}
}
