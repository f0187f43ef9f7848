package snapshot

import (
	"slices"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// hideArrivals takes away the jobs the resource manager does not show yet: a
// Maui case and a trace hold the jobs of a span of time, a queue those of one
// moment. When the time is not known, nothing is known to lie after it.
func (r *reading) hideArrivals(s *format.Snapshot) {
	arrivals := s.Jobs.Column("job.arrival_time")
	if arrivals == nil || !s.KnowsNow() {
		return
	}
	shown := make([]int, 0, s.Jobs.Rows)
	for row := range s.Jobs.Rows {
		if arrivals.Missing.Get(row) || arrivals.Ints[row] <= s.Now {
			shown = append(shown, row)
		}
	}
	hidden := s.Jobs.Rows - len(shown)
	if hidden == 0 {
		return
	}
	if s.Moment != nil {
		s.Moment.Later = hidden
	}
	span := rangeOf(arrivals)
	note := func(d *diag.Diagnostic) {
		d.Note("the jobs arrive from %s to %s; choose a later time to see more of them", format.TimeText(span[0]),
			format.TimeText(span[1]))
	}
	if len(shown) == 0 {
		note(r.diags.Warnf("snapshot-nothing-arrived", format.Nowhere,
			"at the snapshot's time, %s, none of %s has arrived", format.TimeText(s.Now), format.HowMany(hidden,
				"job")))
	} else {
		note(r.diags.Infof("snapshot-not-yet-arrived", format.Nowhere,
			"%s left out that arrive after the snapshot's time, %s", format.HowMany(hidden,
				"job"), format.TimeText(s.Now)))
	}
	s.Jobs = s.Jobs.Pick(shown)
}

// rangeOf is the least and the largest known number of a column, zeros if
// there is none.
func rangeOf(c *column.Column) (span [2]int64) {
	if c == nil {
		return span
	}
	found := false
	for row, n := range c.Ints {
		switch {
		case c.Missing.Get(row):
		case !found:
			span, found = [2]int64{n, n}, true
		default:
			span = [2]int64{min(span[0], n), max(span[1], n)}
		}
	}
	return span
}

// mentionNoUser: nearly all that ranks or limits a job asks whose it is. Only
// traces may leave that out.
func (r *reading) mentionNoUser(s *format.Snapshot) {
	if s.Jobs == nil || s.Jobs.Rows == 0 || slices.ContainsFunc(s.Sources,
		func(f format.Source) bool { return f.Format == "swf" }) {
		return
	}
	users, without, first := s.Jobs.Column("job.user"), 0, 0
	for row := range s.Jobs.Rows {
		if users == nil || users.Dict[users.Codes[row]] == "" {
			if without++; without == 1 {
				first = row
			}
		}
	}
	if without == 0 {
		return
	}
	have := "have"
	if without == 1 {
		have = "has"
	}
	r.diags.Infof("snapshot-job-without-user", format.Nowhere, "%s of %d %s no user, for instance %q",
		format.HowMany(without, "job"), s.Jobs.Rows, have, s.Jobs.Text("job.id", first)).
		Note("fairshare, limits and priorities by user do not see them; add an input that names the users")
}
