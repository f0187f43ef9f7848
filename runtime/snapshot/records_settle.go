package snapshot

import "github.com/fairway-sched/fairway/lang/schema"

// keepRun settles a job record before it becomes a row: a run, or only the end
// of one. It returns false for a job that has not run and is no row at all.
func (in *input) keepRun(r *record) bool {
	start, end := r.get("job.start_time"), r.get("job.end_time")
	switch r.get("job.state").Str {
	case "pending": // its times are an estimate
		start, end = schema.Value{}, schema.Value{}
	case "running", "suspended", "completing": // its end is an expectation
		end = schema.Value{}
	}
	r.set("job.start_time", start)
	r.set("job.end_time", end)
	if r.fault != "" {
		return true
	}
	if !start.Known() {
		if end.Known() {
			in.tellEnd(end.Int)
		}
		return end.Known()
	}
	procs, state := r.get("job.procs"), r.get("job.state").Str
	switch {
	case end.Known() && end.Int < start.Int:
		r.fail(r.start, r.end, "the job ends before it starts")
	case procs.Int == 0 && (!end.Known() || end.Int > start.Int): // 0 or unknown
		r.fail(r.start, r.end, "the record does not say how many processors the job had")
	case state == "done" && !end.Known():
		r.fail(r.start, r.end, "the job is done, but the record does not say since when")
	case end.Known():
		in.tellMoment(start.Int)
		in.tellEnd(end.Int)
	default:
		in.tellMoment(start.Int)
	}
	return true
}

// tellMoment notes a time that the records have.
func (in *input) tellMoment(epochSeconds int64) {
	if epochSeconds >= 0 && epochSeconds <= LastSecond {
		in.moments.Include(epochSeconds)
	}
}

// tellEnd notes a time from which on the records tell of all ends.
func (in *input) tellEnd(epochSeconds int64) {
	if epochSeconds >= 0 && epochSeconds <= LastSecond {
		in.moments.Include(epochSeconds)
		in.ends.Include(epochSeconds)
	}
}

// tellInto widens the span of which all records together tell. Accounting is asked
// for what ended after some time, and shows starts that lie long before it: only
// ends say from when on all of them are there.
func (in *input) tellInto(told *Span) {
	if in.moments.Known {
		told.Include(in.moments.Last)
	}
	if in.ends.Known {
		told.Include(in.ends.First)
	}
}

// Span is a time from First to Last, both epoch seconds, if it is Known.
type Span struct {
	First, Last int64
	Known       bool
}

// Include widens the span to a moment.
func (s *Span) Include(epochSeconds int64) {
	if !s.Known {
		*s = Span{epochSeconds, epochSeconds, true}
	}
	s.First, s.Last = min(s.First, epochSeconds), max(s.Last, epochSeconds)
}
