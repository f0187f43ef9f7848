package slurm

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/runtime/backfill/profile"
	"github.com/fairway-sched/fairway/runtime/limit/timeline"
	"github.com/fairway-sched/fairway/runtime/limit/timeline/obvious"
	"github.com/fairway-sched/fairway/runtime/program"
)

// TestSlurmTimelineIsTwin: so it is with limits of associations and QOS. Of what running jobs may still use, whose sum
// falls with every second, only what runs is counted: that of planned jobs too is asked of a policy's own limits.
func TestSlurmTimelineIsTwin(t *testing.T) {
	later, never := 0, 0
	draws.Check(t, func(t *rapid.T) {
		_, w := draw(t)
		const now = 10000
		runMinutes := rapid.Bool().Draw(t, "minutes")
		w.o.Safe = false // what was used up until then does not count here
		w.o.Limits = slices.DeleteFunc(slices.Clone(w.o.Limits), func(l program.Limit) bool {
			k, _ := kindOf(l.Kind)
			return !runMinutes && (k == grpTRESRunMins || k == maxRunMinsPA || k == maxRunMinsPU)
		})
		for range 3 { // that wait for others, not for ever
			k := rapid.SampledFrom([]limitKind{grpJobs, maxJobs, maxJobsPU, grpTRES, maxTRESPU, grpTRESRunMins, maxRunMinsPU}).
				Draw(t, "kind")
			if !runMinutes && k >= grpTRESRunMins && k != maxTRESPU {
				continue
			}
			l := program.Limit{Kind: k.String(), Name: k.String(), Object: "association", Row: "root", Counts: "jobs",
				Hard: rapid.Int64Range(1, 3).Draw(t, "hard")}
			if kindDocs[k].who == byUser {
				l.Object, l.Row = "qos", rapid.SampledFrom([]string{"q", "r", "s"}).Draw(t, "row")
			}
			switch {
			case kindDocs[k].tres && k.minutes():
				l.Counts, l.Hard = "cpu", 400*l.Hard
			case kindDocs[k].tres:
				l.Counts, l.Hard = rapid.SampledFrom([]string{"cpu", "node"}).Draw(t, "tres"), 6*l.Hard
			}
			w.o.Limits = append(w.o.Limits, l)
		}
		s, _ := New(w.o)
		line := s.Timeline(now)
		slow := &obvious.Plan{}
		slow.Check = func(job int, start, at int64, running []int) bool {
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
			slow.Spans = append(slow.Spans, obvious.Span{Job: i, From: now, To: end})
		}
		line.AddRunning(rows, ids, ends)
		running := len(slow.Spans)
		for i := range w.jobs {
			j := &w.jobs[i]
			if slices.ContainsFunc(slow.Spans[:running], func(s obvious.Span) bool { return s.Job == i }) {
				continue
			}
			seconds := int64(60)
			if j.minutes >= 0 {
				seconds = 60 * j.minutes
			}
			moments := []int64{now}
			for _, s := range slow.Spans {
				for _, at := range []int64{s.From, s.To} {
					if at > now && at < profile.Forever {
						moments = append(moments, at)
					}
				}
			}
			got, ok := line.First(i, timeline.Got{}, now, profile.Forever, seconds)
			if runMinutes { // only a search finds the second at which the sum has fallen enough
				for range 30 {
					moments = append(moments, now+rapid.Int64Range(0, 3700).Draw(t, "moment"))
				}
				moments = append(moments, got-1, got)
			}
			slices.Sort(moments)
			moments = slices.DeleteFunc(moments, func(at int64) bool { return at < now })
			want, wantOK := slow.First(i, moments, seconds)
			if ok != wantOK || ok && got != want {
				t.Fatalf("job %d: %d %v, tried one by one %d %v; %+v", i, got, ok, want, wantOK, slow.Spans)
			}
			if !ok {
				never++
				continue
			}
			if got > now {
				later++
				if wrong := obvious.Wrong(line.Holdings(i, timeline.Got{}, now, got, seconds), slow.Spans, now, got); wrong != "" {
					t.Fatalf("job %d at %d: %s", i, got, wrong)
				}
			}
			if !runMinutes {
				line.Add(i, int32(i), got, got+seconds, timeline.Got{})
				slow.Spans = append(slow.Spans, obvious.Span{Job: i, From: got, To: got + seconds})
				j.start = got
			}
		}
	})
	if later < 5 || never < 5 {
		t.Errorf("%d jobs had to wait, %d for ever", later, never)
	}
}
