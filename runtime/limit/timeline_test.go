package limit

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/runtime/backfill/profile"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/program"
)

// span is when a job has what it has.
type span struct {
	job      int
	from, to int64
}

// timeTwin plans the slow way: it tries each moment, and asks a twin of the limits with the jobs that run then.
type timeTwin struct {
	spans []span
	check func(job int, start, now int64, running []int) (stopped bool)
}

// fits reports that limits let a job run from a start on: then, and whenever another one starts meanwhile.
func (w *timeTwin) fits(job int, start, seconds int64) bool {
	moments := []int64{start}
	for _, s := range w.spans {
		if s.from > start && s.from < start+seconds {
			moments = append(moments, s.from)
		}
	}
	for _, now := range moments {
		var running []int
		for _, s := range w.spans {
			if s.from <= now && now < s.to {
				running = append(running, s.job)
			}
		}
		if w.check(job, start, now, running) {
			return false
		}
	}
	return true
}

// first tries each of some moments.
func (w *timeTwin) first(job int, moments []int64, seconds int64) (int64, bool) {
	for _, start := range moments {
		if w.fits(job, start, seconds) {
			return start, true
		}
	}
	return 0, false
}

// sameHoldings reports what is wrong with the limits that are named for a start.
func sameHoldings(list []Holding, spans []span, after, start int64) string {
	last := after
	for _, h := range list {
		if h.Until <= after || h.Until > start || h.Limit == nil {
			return fmt.Sprintf("a limit until %d, between %d and %d", h.Until, after, start)
		}
		if h.By >= 0 && !slices.ContainsFunc(spans, func(s span) bool { return s.job == int(h.By) && s.to == h.Until }) {
			return fmt.Sprintf("job %d does not end at %d", h.By, h.Until)
		}
		last = max(last, h.Until)
	}
	if last != start {
		return fmt.Sprintf("limits until %d are named, and it starts at %d", last, start)
	}
	return ""
}

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
				*l = program.Limit{Name: "usual", When: program.NoReg, Counts: counts, Phase: Active, Object: "user",
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
		g, _ := New(p, w.table(), Options{Now: now, When: bits})
		loaded := func(r row) bool { return w.maui && (r.object != "" || r.counts == "walltime") }
		slow := &timeTwin{check: func(job int, start, at int64, running []int) bool {
			w.now, w.in[Active] = at, running
			own := w.jobs[job]
			defer func() { w.jobs[job] = own }()
			w.jobs[job].state, w.jobs[job].start = "running", start
			for _, b := range []Bound{Hard, Soft} {
				_, over := w.check(Active, job, b, nil)
				_, large := w.check(Job, job, b, loaded)
				if (over || large) && (b == Hard || !w.maui) {
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
				slow.spans = append(slow.spans, span{i, now, end})
			}
		}
		line.AddRunning(rows, ids, ends)
		for i := range w.jobs {
			if w.jobs[i].state != "running" && rapid.Bool().Draw(t, "expected") {
				line.Expect(i, w.jobs[i].seconds, SlurmGot{})
			}
		}
		for i := range w.jobs {
			j := &w.jobs[i]
			if j.state == "running" {
				continue
			}
			after, horizon := now+rapid.Int64Range(0, 9).Draw(t, "after"), int64(now+20)
			for _, s := range slow.spans {
				horizon = max(horizon, s.to)
			}
			var moments []int64
			for at := after; at <= horizon; at++ {
				moments = append(moments, at)
			}
			want, wantOK := slow.first(i, moments, max(j.seconds, 1))
			got, ok := line.First(i, SlurmGot{}, after, profile.Forever, j.seconds)
			if ok != wantOK || ok && got != want {
				t.Fatalf("job %d from %d on: %d %v, tried one by one %d %v; %+v", i, after, got, ok, want, wantOK, slow.spans)
			}
			if !ok {
				never++
				continue
			}
			if got > after {
				later++
				if wrong := sameHoldings(line.Holdings(i, SlurmGot{}, after, got, j.seconds), slow.spans, after, got); wrong != "" {
					t.Fatalf("job %d from %d on, at %d: %s", i, after, got, wrong)
				}
			}
			line.Add(i, int32(i), got, got+j.seconds, SlurmGot{})
			slow.spans = append(slow.spans, span{i, got, got + j.seconds})
			j.state, j.start = "running", got
		}
	})
	if later < 5 || never < 5 {
		t.Errorf("%d jobs had to wait, %d for ever", later, never)
	}
}

// TestSlurmTimelineIsTwin: so it is with limits of associations and QOS. Of what running jobs may still use, whose sum
// falls with every second, only what runs is counted: that of planned jobs too is asked of a policy's own limits.
func TestSlurmTimelineIsTwin(t *testing.T) {
	later, never := 0, 0
	draws.Check(t, func(t *rapid.T) {
		_, w := drawSlurm(t)
		const now = 10000
		runMinutes := rapid.Bool().Draw(t, "minutes")
		w.o.Safe = false // what was used up until then does not count here
		w.o.Limits = slices.DeleteFunc(slices.Clone(w.o.Limits), func(l program.Limit) bool {
			k, _ := slurmKindOf(l.Kind)
			return !runMinutes && (k == grpTRESRunMins || k == maxRunMinsPA || k == maxRunMinsPU)
		})
		for range 3 { // that wait for others, not for ever
			k := rapid.SampledFrom([]slurmKind{grpJobs, maxJobs, maxJobsPU, grpTRES, maxTRESPU, grpTRESRunMins, maxRunMinsPU}).
				Draw(t, "kind")
			if !runMinutes && k >= grpTRESRunMins && k != maxTRESPU {
				continue
			}
			l := program.Limit{Kind: k.String(), Name: k.String(), Object: "association", Row: "root", Counts: "jobs",
				Hard: rapid.Int64Range(1, 3).Draw(t, "hard")}
			if slurmKindDocs[k].who == byUser {
				l.Object, l.Row = "qos", rapid.SampledFrom([]string{"q", "r", "s"}).Draw(t, "row")
			}
			switch {
			case slurmKindDocs[k].tres && k.minutes():
				l.Counts, l.Hard = "cpu", 400*l.Hard
			case slurmKindDocs[k].tres:
				l.Counts, l.Hard = rapid.SampledFrom([]string{"cpu", "node"}).Draw(t, "tres"), 6*l.Hard
			}
			w.o.Limits = append(w.o.Limits, l)
		}
		s, _ := NewSlurm(w.o)
		line := s.Timeline(now)
		slow := &timeTwin{}
		slow.check = func(job int, start, at int64, running []int) bool {
			w.o.Now, w.running = at, running
			_, _, _, _, stopped := w.check(job)
			return stopped
		}
		var rows []int
		var ids []int32
		var ends []int64
		for i := range w.jobs {
			j := &w.jobs[i]
			if !rapid.Bool().Draw(t, "runs") {
				j.exclusive, j.hosts = true, nil // which nodes it will have is not known, so that none is shared
				for n := range j.tres["node"] {
					j.hosts = append(j.hosts, fmt.Sprintf("later%d-%d", i, n))
				}
				continue
			}
			s.Add(i)
			end := int64(profile.Forever)
			if j.minutes >= 0 {
				end = max(min(j.start, now)+60*j.minutes, now+1)
				if j.start > now { // its time has not begun to run
					j.start, end = now, now+60*j.minutes
				}
			}
			rows, ids, ends = append(rows, i), append(ids, int32(i)), append(ends, end)
			slow.spans = append(slow.spans, span{i, now, end})
		}
		line.AddRunning(rows, ids, ends)
		running := len(slow.spans)
		for i := range w.jobs {
			j := &w.jobs[i]
			if slices.ContainsFunc(slow.spans[:running], func(s span) bool { return s.job == i }) {
				continue
			}
			seconds := int64(60)
			if j.minutes >= 0 {
				seconds = 60 * j.minutes
			}
			moments := []int64{now}
			for _, s := range slow.spans {
				for _, at := range []int64{s.from, s.to} {
					if at > now && at < profile.Forever {
						moments = append(moments, at)
					}
				}
			}
			got, ok := line.First(i, SlurmGot{}, now, profile.Forever, seconds)
			if runMinutes { // only a search finds the second at which the sum has fallen enough
				for range 30 {
					moments = append(moments, now+rapid.Int64Range(0, 3700).Draw(t, "moment"))
				}
				moments = append(moments, got-1, got)
			}
			slices.Sort(moments)
			moments = slices.DeleteFunc(moments, func(at int64) bool { return at < now })
			want, wantOK := slow.first(i, moments, seconds)
			if ok != wantOK || ok && got != want {
				t.Fatalf("job %d: %d %v, tried one by one %d %v; %+v", i, got, ok, want, wantOK, slow.spans)
			}
			if !ok {
				never++
				continue
			}
			if got > now {
				later++
				if wrong := sameHoldings(line.Holdings(i, SlurmGot{}, now, got, seconds), slow.spans, now, got); wrong != "" {
					t.Fatalf("job %d at %d: %s", i, got, wrong)
				}
			}
			if !runMinutes {
				line.Add(i, int32(i), got, got+seconds, SlurmGot{})
				slow.spans = append(slow.spans, span{i, got, got + seconds})
				j.start = got
			}
		}
	})
	if later < 5 || never < 5 {
		t.Errorf("%d jobs had to wait, %d for ever", later, never)
	}
}
