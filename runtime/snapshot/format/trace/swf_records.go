package trace

import (
	"strconv"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// ReadSWFRecords reads a trace as records of what ran: what a job was given,
// and from when to when. Users and queues are named as readSWF names them.
func ReadSWFRecords(in *format.Input) error {
	in.Records = true
	t, epoch := newTrace(0), int64(0)
	for start, line := range traceLines(in.Text, &epoch) {
		fields, n := splitTraceLine(line)
		r := in.Begin(start, start+len(line))
		if n >= swfFields && isPart(fields[swfStatus]) {
			in.Record()
			continue
		}
		traceRun(in, r, t, &fields, n, epoch)
		in.Write(in.Jobs(), r, "job.id")
	}
	return nil
}

// isPart: a job that was checkpointed or swapped out has a line for each of its
// parts (status 2, 3, 4) and one for the whole, which is enough.
func isPart(status []byte) bool {
	n, _ := swfNumber(status)
	return n >= 2 && n <= 4
}

// traceRun fills a record with a line. A job without a run time never started
// (the format's status 5, cancelled); one that started has a wait.
func traceRun(in *format.Input, r *format.Record, t *trace, fields *[swfFields][]byte, n int, epoch int64) {
	if n < swfFields {
		r.Fail(r.Start, r.End,
			"the line has "+strconv.Itoa(n)+" fields of the "+strconv.Itoa(swfFields)+" that a job has")
		return
	}
	number := func(field int) int64 {
		v, ok := swfNumber(fields[field])
		if !ok || v < -1 {
			r.Fail(r.Start, r.End,
				"field "+strconv.Itoa(field+1)+" should be a whole number or -1, not "+
					""+strconv.Quote(format.Excerpt(fields[field])))
		}
		return v
	}
	if id := string(fields[swfID]); id != "-1" {
		r.Set("job.id", schema.StringValue(id))
	}
	for _, c := range []struct {
		id    schema.ColumnID
		n     *names
		field int
	}{{"job.user", &t.user, swfUser}, {"job.group", &t.group, swfGroup}, {"job.partition", &t.queue, swfQueue}} {
		r.Set(c.id, schema.StringValue(c.n.name(fields[c.field])))
	}
	submit, wait, runtime, procs := number(swfSubmit), number(swfWait), number(swfRuntime), number(swfProcsAllocated)
	if procs <= 0 {
		procs = number(swfProcs)
	}
	r.Set("job.state", schema.StringValue("done"))
	if procs > 0 {
		r.Set("job.procs", schema.IntValue(procs))
	}
	if submit >= 0 && r.Fault == "" {
		r.Set("job.submit_time", schema.TimestampValue(submit+epoch))
		in.TellEnd(submit + epoch)
	}
	if limit := number(swfWalltime); limit >= 0 {
		r.Set("job.walltime_seconds", schema.IntValue(limit))
	}
	if runtime <= 0 {
		return
	}
	if submit < 0 || wait < 0 {
		r.Fail(r.Start, r.End, "the job ran, but its submit or wait time is unknown, so its time is unknown")
		return
	}
	start := submit + epoch + wait
	r.Set("job.start_time", schema.TimestampValue(start))
	r.Set("job.end_time", schema.TimestampValue(start+runtime))
	r.Set("job.runtime_seconds", schema.IntValue(runtime))
	if each, ok := format.RealNumber(string(fields[swfCPU])); ok && each >= 0 && procs > 0 {
		// the format has the average of the processors
		r.Set("job.cpu_seconds", schema.DoubleValue(each*float64(procs)))
	}
	if kb := number(swfMem); kb >= 0 && procs > 0 {
		if total, ok := format.Product(kb, procs); ok {
			r.Set("job.mem_mb", schema.IntValue(total/1024+min(total%1024, 1)))
		}
	}
}
