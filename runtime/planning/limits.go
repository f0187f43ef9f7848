package planning

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/backfill/profile"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/limit"
	"github.com/fairway-sched/fairway/runtime/limit/timeline"
	"github.com/fairway-sched/fairway/runtime/program"
)

// Limits are a policy's limits over time, as planners ask them: what planned ends free others may have.
type Limits struct {
	Result *evaluation.Result
	lines  []limitLine
	stays  func(job int32) bool // something else stops the job, whatever ends; nil: nothing does
}

// limitLine is one way of counting: a policy's own limits, or those of associations and QOS.
type limitLine struct {
	*timeline.Timeline
	ask func(r *backfill.Request, partition string) (row int, got timeline.Got)
}

// Count makes a line in which what runs is counted until it ends; row is below zero of a job that no limit counts.
func (l *Limits) Count(t *timeline.Timeline, running []backfill.Request,
	ask func(r *backfill.Request, partition string) (int, timeline.Got), row func(job int32) int) {
	var rows []int
	var ids []int32
	var ends []int64
	for i := range running {
		r := &running[i]
		if r.Suspended {
			continue // nothing says when it goes on, so that nothing says when it ends
		}
		end := r.End
		if end <= 0 {
			if end = profile.Forever; r.WalltimeSeconds > 0 {
				end = profile.End(r.Start, r.WalltimeSeconds)
			}
		}
		counted := row(r.Row)
		if counted < 0 {
			continue
		}
		rows, ids = append(rows, counted), append(ids, r.Job)
		ends = append(ends, max(min(end, profile.Forever), l.Result.Now+1))
	}
	t.AddRunning(rows, ids, ends)
	l.lines = append(l.lines, limitLine{t, ask})
}

// SlurmRow is the row by which associations and QOS count a job that has started: one that completes
// has its nodes for a while, and counts no more.
func SlurmRow(r *evaluation.Result, job int32) int {
	if r.Jobs.Text("job.state", int(job)) == "completing" {
		return -1
	}
	return int(r.JobRow[job])
}

// Expect says that a request will be asked about.
func (l *Limits) Expect(r *backfill.Request, partition string, seconds int64) {
	for _, line := range l.lines {
		row, got := line.ask(r, partition)
		line.Timeline.Expect(row, seconds, got)
	}
}

// First is the first time at which all limits let a request run for so many seconds.
func (l *Limits) First(r *backfill.Request, partition string, after, before, seconds int64) (int64, bool) {
	if l.stays != nil && l.stays(r.Row) {
		return 0, false
	}
	for again := true; again; {
		again = false
		for _, line := range l.lines {
			row, got := line.ask(r, partition)
			at, ok := line.Timeline.First(row, got, after, before, seconds)
			if !ok {
				return 0, false
			}
			again, after = (again || at > after) && len(l.lines) > 1, at
		}
	}
	return after, true
}

// Add counts a request that is planned.
func (l *Limits) Add(r *backfill.Request, partition string, from, to int64) {
	for _, line := range l.lines {
		row, got := line.ask(r, partition)
		line.Timeline.Add(row, r.Job, from, to, got)
	}
}

// Waits names the limits that a request waits for.
func (l *Limits) Waits(r *backfill.Request, partition string, after, start, seconds int64) (list []backfill.Wait) {
	for _, line := range l.lines {
		row, got := line.ask(r, partition)
		for _, h := range line.Timeline.Holdings(row, got, after, start, seconds) {
			list = append(list, limitWait(l.Result, &h))
		}
	}
	slices.SortStableFunc(list, func(a, b backfill.Wait) int { return int(min(1, max(-1, b.Until-a.Until))) })
	return list
}

// Never names a limit that a request is above by itself.
func (l *Limits) Never(r *backfill.Request, partition string) string {
	for _, line := range l.lines {
		row, got := line.ask(r, partition)
		if h, above := line.Timeline.Above(row, got); above {
			_, name := limitNamed(l.Result, &h)
			return fmt.Sprintf("it asks for %d, more than the %d of limit %s", h.InUse, h.Value, name)
		}
	}
	return ""
}

// limitWait names a limit with whose end frees it.
func limitWait(r *evaluation.Result, h *timeline.Holding) backfill.Wait {
	word, name := limitNamed(r, h)
	return backfill.Wait{Kind: backfill.WaitLimit, Job: h.By, Until: h.Until, Name: word,
		Limit: fmt.Sprintf("%s (%d of %d)", name, h.InUse, h.Value)}
}

// limitNamed is the scheduler's word for a limit, its name and who it counts for.
func limitNamed(r *evaluation.Result, h *timeline.Holding) (word, name string) {
	if h.Reason != "" {
		return h.Reason, h.Limit.Name + " of " + h.Whose
	}
	return limitName(r, h.Limit), h.Limit.Name + limitWhose(r, h.Per, h.Names)
}

// limitWhose is who a limit counts for: " of user ana"; "" for the whole policy.
func limitWhose(r *evaluation.Result, per, names []string) string {
	whose := ""
	for k, object := range per {
		if object == "partition" {
			object = r.Facts.Partitions.Word()
		}
		whose += ", " + object + " " + names[k]
	}
	return strings.Replace(whose, ", ", " of ", 1)
}

// limitOver names a limit that a job is over, with what is in use, or what the job asks for by itself.
func limitOver(r *evaluation.Result, v *limit.Violation) string {
	l := &r.Program.Limits[v.Limit]
	counts := fmt.Sprintf("%d of %d", v.InUse, v.Value)
	switch {
	case l.AtLeast:
		counts = fmt.Sprintf("it asks for %d, the least is %d", v.Request, v.Value)
	case v.Phase == limit.Job || v.Request > v.Value:
		counts = fmt.Sprintf("it asks for %d, the most is %d", v.Request, v.Value)
	}
	return fmt.Sprintf("%s%s (%s)", l.Name, limitWhose(r, v.Per, v.Names), counts)
}

// limitWord is what a limit is called where it stops a job: its own word, else its name.
func limitWord(r *evaluation.Result, v *limit.Violation) string {
	return limitName(r, &r.Program.Limits[v.Limit])
}

func limitName(r *evaluation.Result, l *program.Limit) string { return cmp.Or(l.Reason, l.Name) }
