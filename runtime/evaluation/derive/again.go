package derive

import (
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// Again is the derived table of an earlier evaluation with the steps since done to it. What is derived of a job
// depends on no other job, so that it is derived anew for the touched ones alone, with the snapshot's columns picked
// for them. It is nil where the table has come to another form.
func Again(before *evaluation.Earlier, jobs *column.Table,
	fresh func(picked *column.Table) *column.Table) *column.Table {
	given := before.Snapshot.Jobs
	if jobs == given {
		return before.Derived
	}
	picked := jobs.Pick(before.Touched)
	few, out := fresh(picked), column.NewTable(jobs.Name, jobs.Rows)
	for _, c := range few.Columns() {
		now, then, old := jobs.Column(c.ID), given.Column(c.ID), before.Derived.Column(c.ID)
		switch through := sameCells(picked.Column(c.ID), c); {
		case old == nil && !through:
			return nil
		case old == nil:
			out.Put(column.KnownZeros(now))
		case !through || !sameCells(then, old):
			out.Put(patched(before, old, c, jobs.Rows))
		case now == then:
			out.Put(old)
		default:
			out.Put(column.KnownZeros(now))
		}
	}
	if slices.ContainsFunc(before.Derived.Columns(), func(c *column.Column) bool { return few.Column(c.ID) == nil }) {
		return nil
	}
	return out
}

// sameCells reports a derived column that is the given one.
func sameCells(given, derived *column.Column) bool {
	switch {
	case given == nil:
		return false
	case given == derived:
		return true
	case len(given.Ints) > 0 && len(derived.Ints) > 0:
		return &given.Ints[0] == &derived.Ints[0]
	case len(given.Doubles) > 0 && len(derived.Doubles) > 0:
		return &given.Doubles[0] == &derived.Doubles[0]
	case len(given.Codes) > 0 && len(derived.Codes) > 0:
		return &given.Codes[0] == &derived.Codes[0]
	}
	return false
}

// patched is a column with the cells of the touched jobs as they are now.
func patched(before *evaluation.Earlier, old, fresh *column.Column, rows int) *column.Column {
	out := old
	if !before.InPlace() {
		out = old.Rearranged(before.Spans, rows)
	}
	for i, job := range before.Touched {
		v := fresh.Value(i)
		if out == old {
			if sameValue(old.Value(job), v) {
				continue
			}
			out = old.Copy()
		}
		out.Set(job, v)
	}
	return out
}

// sameValue compares cells of one column. A NaN is no other's.
func sameValue(a, b schema.Value) bool {
	return a.Type == b.Type && a.Int == b.Int && a.Double == b.Double && a.Str == b.Str && slices.Equal(a.List, b.List) &&
		1/a.Double == 1/b.Double
}
