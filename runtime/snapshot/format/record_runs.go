package format

import "github.com/fairway-sched/fairway/lang/schema"

// keepRun settles a job record before it becomes a row: a run, or only the end
// of one. It returns false for a job that has not run and is no row at all.
func (in *Input) keepRun(r *Record) bool {
	start, end := r.Get("job.start_time"), r.Get("job.end_time")
	switch r.Get("job.state").Str {
	case "pending": // its times are an estimate
		start, end = schema.Value{}, schema.Value{}
	case "running", "suspended", "completing": // its end is an expectation
		end = schema.Value{}
	}
	r.Set("job.start_time", start)
	r.Set("job.end_time", end)
	if r.Fault != "" {
		return true
	}
	if !start.Known() {
		if end.Known() {
			in.TellEnd(end.Int)
		}
		return end.Known()
	}
	procs, state := r.Get("job.procs"), r.Get("job.state").Str
	switch {
	case end.Known() && end.Int < start.Int:
		r.Fail(r.Start, r.End, "the job ends before it starts")
	case procs.Int == 0 && (!end.Known() || end.Int > start.Int): // 0 or unknown
		r.Fail(r.Start, r.End, "the record does not say how many processors the job had")
	case state == "done" && !end.Known():
		r.Fail(r.Start, r.End, "the job is done, but the record does not say since when")
	case end.Known():
		in.tellMoment(start.Int)
		in.TellEnd(end.Int)
	default:
		in.tellMoment(start.Int)
	}
	return true
}

// tellMoment notes a time that the records have.
func (in *Input) tellMoment(epochSeconds int64) {
	if epochSeconds >= 0 && epochSeconds <= LastSecond {
		in.moments.Include(epochSeconds)
	}
}

// TellEnd notes a time from which on the records tell of all ends.
func (in *Input) TellEnd(epochSeconds int64) {
	if epochSeconds >= 0 && epochSeconds <= LastSecond {
		in.moments.Include(epochSeconds)
		in.ends.Include(epochSeconds)
	}
}

// TellInto widens the span that all records together cover. Accounting is asked
// for what ended after some time, and shows starts that lie long before it: only
// ends say from when on all of them are there.
func (in *Input) TellInto(told *Span) {
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
