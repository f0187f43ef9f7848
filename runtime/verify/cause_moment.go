package verify

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/fairway-sched/fairway/lang/schema"
)

// computedLater computes the priorities of jobs that were submitted or released after the last pass as of
// then. Fairshare stays that of the pass, as slurmctld takes it from the association.
func computedLater(q *inquiry, c *Cause, k *check) (func(*subject) []assumption, error) {
	pass, jobs, at := k.Pass.Time, map[int64][]int{}, map[int][]int64{}
	for _, s := range q.open {
		if s.check != k || s.job < 0 {
			continue
		}
		for _, id := range []schema.ColumnID{"job.submit_time", "job.eligible_time"} {
			t := k.result.Jobs.Value(id, s.job)
			for _, moment := range []int64{t.Int, t.Int + 1} { // a command takes up to a second
				if t.Known() && t.Int > pass && moment <= q.window.to && !slices.Contains(at[s.job], moment) {
					at[s.job], jobs[moment] = append(at[s.job], moment), append(jobs[moment], s.job)
				}
			}
		}
	}
	if len(jobs) == 0 {
		return nil, nil
	}
	parts := map[int64]*part{}
	for _, moment := range slices.Sorted(maps.Keys(jobs)) {
		p, err := q.part(q.whole, jobs[moment], moment)
		if err != nil {
			return nil, err
		}
		parts[moment] = p
	}
	return func(s *subject) (list []assumption) {
		for _, moment := range at[s.job] {
			p := parts[moment]
			list = append(list, assumption{c,
				fmt.Sprintf("computed at %s, %s after the last pass", clockText(moment), secondsText(moment-pass)),
				func(x *reading, value float64) float64 {
					switch x.field {
					case "fairshare", "fairshare_norm":
						return value
					case "priority":
						share := contribution("fairshare")
						return value + p.value(x) - share(p.result, p.row(x)) - x.ours + share(k.result, x.row)
					}
					return value + p.value(x) - x.ours
				}})
		}
		return list
	}, nil
}

// otherMoment settles the subjects whose numbers are right as of another moment, the nearest to the last pass. A
// number or two may fit some second by chance.
func otherMoment(q *inquiry, c *Cause) error {
	if err := q.sampleOpen(); err != nil {
		return err
	}
	wanted := map[int64][]*subject{}
	for _, s := range q.open {
		for _, at := range q.candidates(s) {
			wanted[at] = append(wanted[at], s)
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
		return fmt.Sprintf("right as of %s, %s from the last pass", clockText(at), secondsText(abs(at-s.check.Pass.Time))),
			found
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

// ageNotCounted: with ACCRUE_ALWAYS all jobs, else one that began to age so late that the last pass need not have
// seen it.
func ageNotCounted(q *inquiry, c *Cause, k *check) (func(*subject) []assumption, error) {
	r := k.result
	value := func(x *reading, value float64) float64 {
		switch {
		case x.job < 0:
		case x.field == "priority":
			return value - contribution("age")(r, x.row)
		case x.field == "age", x.field == "age_norm":
			return 0
		}
		return value
	}
	if hasFlag(r, "ACCRUE_ALWAYS") {
		if q.contradicted(k, func(x *reading) float64 { return value(x, x.ours) }) {
			return nil, nil
		}
		return func(*subject) []assumption {
			return []assumption{{c, "slurmctld had just started: with ACCRUE_ALWAYS ages are lost then, until the pass after " +
				"the next", value}}
		}, nil
	}
	return func(s *subject) []assumption {
		if s.job < 0 {
			return nil
		}
		if accrued := r.Jobs.Value("job.accrue_time", s.job); !accrued.Known() || accrued.Int < k.Pass.Time-schedInterval {
			return nil
		}
		return []assumption{{c, "AccrueTime was set by a scheduling pass after the last pass of priorities", value}}
	}, nil
}

// schedInterval is SchedulerParameters' sched_interval where nothing else is set, in seconds.
const schedInterval = 60

func clockText(epochSeconds int64) string {
	return time.Unix(epochSeconds, 0).UTC().Format("2006-01-02T15:04:05Z")
}

func secondsText(n int64) string {
	if n == 1 {
		return "1 second"
	}
	return strconv.FormatInt(n, 10) + " seconds"
}
