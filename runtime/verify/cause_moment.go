package verify

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/fairway-sched/fairway/runtime/engine"
)

// computedLater finds jobs whose numbers are right as of a moment after the last pass. A number or
// two may fit some second by chance, so either the job has to have been submitted, become
// eligible or begun to age since, or sprio's age has to tell the same second.
func computedLater(q *inquiry, c *Cause) error {
	return q.moment(c, func(s *subject, at int64) bool {
		pass := s.check.Pass.Time
		if at <= pass {
			return false
		}
		if slices.ContainsFunc(events(s.check.result, s.job), func(t int64) bool { return t > pass && t <= at }) {
			return true
		}
		return slices.ContainsFunc(s.readings, func(x *reading) bool { return x.field == "age_norm" && !x.almost(x.ours) })
	}, "computed at %s, %s after the last pass")
}

// otherMoment is the same without evidence.
func otherMoment(q *inquiry, c *Cause) error {
	return q.moment(c, func(*subject, int64) bool { return true }, "right as of %s, %s from the last pass")
}

// moment settles the subjects whose numbers are right as of a moment that is allowed, the nearest to
// the last pass.
func (q *inquiry) moment(c *Cause, allowed func(*subject, int64) bool, text string) error {
	if err := q.sampleOpen(); err != nil {
		return err
	}
	wanted := map[int64][]*subject{}
	for _, s := range q.open {
		for _, at := range q.candidates(s) {
			if allowed(s, at) {
				wanted[at] = append(wanted[at], s)
			}
		}
	}
	right := map[*subject]int64{}
	for _, at := range slices.Sorted(maps.Keys(wanted)) {
		open := slices.DeleteFunc(wanted[at], func(s *subject) bool {
			before, found := right[s]
			return found && abs(before-s.check.Pass.Time) <= abs(at-s.check.Pass.Time)
		})
		if err := q.rightAt(open, at, right); err != nil {
			return err
		}
	}
	q.settle(c, func(s *subject) (string, bool) {
		at, found := right[s]
		return fmt.Sprintf(text, clockText(at), secondsText(abs(at-s.check.Pass.Time))), found
	})
	return nil
}

// rightAt notes the subjects that are right as of a moment.
func (q *inquiry) rightAt(list []*subject, at int64, right map[*subject]int64) error {
	if len(list) == 0 {
		return nil
	}
	var jobs []int
	for _, s := range list {
		if s.job >= 0 {
			jobs = append(jobs, s.job)
		}
	}
	p, err := q.part(q.whole, jobs, at)
	if err != nil {
		return err
	}
	for _, s := range list {
		if s.fit(p.value) {
			right[s] = at
		}
	}
	return nil
}

// candidates are moments at which all numbers of a subject may be right: the first and last of each
// range in which the samples say so, and what happened to the job.
func (q *inquiry) candidates(s *subject) []int64 {
	all := []span{{q.window.from, q.window.to}}
	for _, x := range s.readings {
		all = common(all, q.fitting(x, false))
	}
	var out []int64
	for _, m := range all {
		out = append(out, m.from, m.to)
	}
	for _, t := range events(s.check.result, s.job) {
		if t >= q.window.from && t <= q.window.to {
			out = append(out, t)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// ageNotCounted: with ACCRUE_ALWAYS any job, else one that began to age so late that no pass need have
// seen it.
func ageNotCounted(q *inquiry, c *Cause) error {
	q.settle(c, func(s *subject) (string, bool) {
		if s.job < 0 {
			return "", false
		}
		r := s.check.result
		why := "slurmctld had just started: with ACCRUE_ALWAYS ages are lost then, until the pass after the next"
		if !hasFlag(r, "ACCRUE_ALWAYS") {
			accrued := r.Jobs.Value("job.accrue_time", s.job)
			if !accrued.Known() || accrued.Int < q.window.from-schedInterval {
				return "", false
			}
			why = "AccrueTime was set by a scheduling pass after the last pass of priorities"
		}
		return why, s.fit(func(x *reading) float64 { return without(r, "age", x) })
	})
	return nil
}

// schedInterval is SchedulerParameters' sched_interval where nothing else is set, in seconds.
const schedInterval = 60

// without is a number of ours as it would be if a component gave nothing.
func without(r *engine.Result, name string, x *reading) float64 {
	switch x.field {
	case "priority":
		return x.ours - contribution(name)(r, x.row)
	case name, name + "_norm":
		return 0
	}
	return x.ours
}

func clockText(epochSeconds int64) string {
	return time.Unix(epochSeconds, 0).UTC().Format("2006-01-02T15:04:05Z")
}

func secondsText(n int64) string {
	if n == 1 {
		return "1 second"
	}
	return strconv.FormatInt(n, 10) + " seconds"
}
