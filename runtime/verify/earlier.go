package verify

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// earlierMoments are how often the time before the snapshot is looked at for what was so then, and
// ownMoments how often just before something happened to a job: each is an evaluation of all jobs.
const (
	earlierMoments = 6
	ownMoments     = 16
)

// earlierReasons looks for the moments at which reasons were right: counters of time run down, begin
// times pass, jobs start and end, and a job keeps its reason until it is tried again.
func (c *comparison) earlierReasons(w window, off []*reason) error {
	if len(off) == 0 {
		return nil
	}
	from := min(w.from, w.captured)
	var moments, own []int64
	for i := range int64(earlierMoments) {
		moments = append(moments, w.captured-(w.captured-from)*i/(earlierMoments-1))
	}
	earliest := w.captured
	for _, x := range off {
		earliest = min(earliest, max(x.since, from))
		for _, t := range append(events(c.report.Result, x.job), x.since+1) {
			if t > from && t <= w.captured {
				own = append(own, t-1)
			}
		}
	}
	if err := c.rightReasons(off, append(moments, spread(own, ownMoments)...), nil); err != nil {
		return err
	}
	open := slices.DeleteFunc(slices.Clone(off), func(x *reason) bool { return x.rightAt != 0 })
	moved := movedSince(c.snapshot.Jobs, earliest, w.captured)
	if len(open) == 0 || len(moved) == 0 {
		return nil
	}
	moments = slices.Collect(maps.Values(moved))
	for _, x := range open {
		moments = append(moments, max(x.since, from))
	}
	return c.rightReasons(open, spread(moments, ownMoments), moved)
}

// rightReasons notes the latest of some moments at which reasons were right and the scheduler may have come to
// their jobs. The evaluation is of what ran then, as far as jobs are listed that have started or ended since.
func (c *comparison) rightReasons(list []*reason, moments []int64, moved map[int]int64) error {
	slices.Sort(moments)
	sets := 0
	for _, at := range slices.Compact(moments) {
		r, err := c.before(at, moved)
		if err != nil {
			return err
		}
		c.inFront = nil
		turns := c.turnsOf(at, moved, &sets)
		var others []int
		for _, job := range slices.Sorted(maps.Keys(moved)) {
			if moved[job] >= at {
				others = append(others, job)
			}
		}
		for _, x := range list {
			if at < x.since || c.computed(x, r) != x.theirs || slices.Contains(neverTried, x.theirs) {
				continue
			}
			right, err := turns.right(x)
			if err != nil {
				return err
			}
			if right {
				x.rightAt, x.others = at, others
			}
		}
	}
	return nil
}

// before evaluates what ran before a second.
func (c *comparison) before(at int64, moved map[int]int64) (*evaluation.Result, error) {
	s := *c.snapshot
	s.Now, s.Jobs = at, ranAt(s.Jobs, at, moved)
	return c.evaluate(&s, evaluation.Options{})
}

// turns is the second in which jobs started, the one of the highest priority first. A job that was tried in it
// was tried after those of a higher priority; jobs with the same ones before them share an evaluation.
type turns struct {
	*comparison
	at      int64
	moved   map[int]int64
	started []int                      // the jobs that started in it, by falling priority
	results map[int]*evaluation.Result // by how many of them had started
	sets    *int                       // the evaluations for this so far, of all moments
}

func (c *comparison) turnsOf(at int64, moved map[int]int64, sets *int) *turns {
	t := &turns{c, at, moved, nil, map[int]*evaluation.Result{}, sets}
	all := c.report.Result
	for job, second := range moved {
		if second == at && all.State[job] == evaluation.Running {
			t.started = append(t.started, job)
		}
	}
	slices.SortFunc(t.started, func(a, b int) int { return cmp.Compare(all.JobPriority(b), all.JobPriority(a)) })
	return t
}

// right reports a reason that is right when the jobs before it have started, too. One that would need
// an evaluation more than ownMoments is not.
func (t *turns) right(x *reason) (bool, error) {
	if t.at != x.since || !x.tried {
		return true, nil
	}
	all := t.report.Result
	first, _ := slices.BinarySearchFunc(t.started, all.JobPriority(x.job), func(job int, priority int64) int {
		return cmp.Compare(priority, all.JobPriority(job))
	})
	if first == 0 {
		return true, nil
	}
	// The more jobs have started, the more limits are reached: what was right before any of them and is wrong
	// after some remains so.
	for _, n := range slices.Sorted(maps.Keys(t.results)) {
		if right := t.computed(x, t.results[n]) == x.theirs; right && n >= first || !right && n <= first {
			return right, nil
		}
	}
	if *t.sets == ownMoments {
		return false, nil
	}
	*t.sets++
	later := maps.Clone(t.moved)
	for _, job := range t.started[:first] {
		delete(later, job)
	}
	r, err := t.before(t.at, later)
	if err != nil {
		return false, err
	}
	t.results[first] = r
	return t.computed(x, r) == x.theirs, nil
}

// movedSince lists the jobs that started, or ended, in a span of seconds, with the second.
func movedSince(jobs *column.Table, from, to int64) map[int]int64 {
	moved := map[int]int64{}
	for job := range jobs.Rows {
		id := schema.ColumnID("job.start_time")
		switch jobs.Text("job.state", job) {
		case "running":
		case "done":
			if !jobs.Value(id, job).Known() {
				continue
			}
			id = "job.end_time"
		default:
			continue
		}
		if t := jobs.Value(id, job); t.Known() && t.Int >= from && t.Int <= to {
			moved[job] = t.Int
		}
	}
	return moved
}

// ranAt is the table with jobs that moved at a second, or after it, as they were before: those that run
// now waited, and those that are done ran if they had started.
func ranAt(jobs *column.Table, at int64, moved map[int]int64) *column.Table {
	if len(moved) == 0 {
		return jobs
	}
	was := *jobs.Column("job.state")
	n := uint32(len(was.Dict))
	was.Dict, was.Codes = append(slices.Clip(was.Dict), "pending", "running"), slices.Clone(was.Codes)
	for job, t := range moved {
		switch {
		case t < at:
		case jobs.Text("job.state", job) == "running" || jobs.Int("job.start_time", job) >= at:
			was.Codes[job] = n
		default:
			was.Codes[job] = n + 1
		}
	}
	out := column.NewTable(jobs.Name, jobs.Rows)
	for _, c := range jobs.Columns() {
		out.Put(c)
	}
	out.Put(&was)
	return out
}

// othersText says which jobs have started or ended.
func othersText(r *evaluation.Result, jobs []int) string {
	word := " started"
	for _, job := range jobs {
		switch {
		case r.State[job] != evaluation.Done:
		case len(jobs) == 1:
			word = " ended"
		default:
			word = " started or ended"
		}
	}
	return jobsText(r, jobs) + word
}

// jobsText names some jobs, and counts the rest.
func jobsText(r *evaluation.Result, jobs []int) string {
	const some = 3
	var ids []string
	for _, job := range jobs {
		ids = append(ids, jobText(r, "job.id", job))
	}
	if len(ids) == 1 {
		return "job " + ids[0]
	}
	if more := len(ids) - some; more > 0 {
		ids = append(ids[:some], fmt.Sprintf("%d more", more))
	}
	last := len(ids) - 1
	return "jobs " + strings.Join(ids[:last], ", ") + " and " + ids[last]
}
