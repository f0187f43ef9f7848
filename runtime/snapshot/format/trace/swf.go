// Package trace reads workload traces: the Standard Workload Format and the job lists of the pyss simulator.
package trace

import (
	"bytes"
	"iter"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// The fields of a Standard Workload Format line, from 0 (Chapin et al. 1999,
// version 2.2). What a trace measured and no queue knows (CPU time, memory
// used, think time) has no column.
const (
	swfID = iota
	swfSubmit
	swfWait
	swfRuntime
	swfProcsAllocated
	swfCPU
	swfMemUsed
	swfProcs
	swfWalltime
	swfMem // kB per processor
	swfStatus
	swfUser
	swfGroup
	swfExecutable
	swfQueue
	swfPartition
	swfPreceding
	swfThink
	swfFields
)

// ReadSWF reads a trace as a queue in which every job waits. Times are those
// of the trace: relative to its start unless the header's UnixStartTime says when
// that was. A trace has no single "now", so the reader states none; once one is
// chosen, atMoment tells what waits, runs and has ended then.
//
// Traces are the largest files there are, so columns are filled directly and
// lines split by hand. A plain reader with Scanner and Fields is in the tests; both
// give the same table.
func ReadSWF(in *format.Input) error {
	t := newTrace(bytes.Count(in.Text, []byte("\n")) + 1)
	epoch := int64(0)
	for start, line := range traceLines(in.Text, &epoch) {
		fields, n := splitTraceLine(line)
		if n > swfFields {
			in.InfoOnce("snapshot-trace-fields", "", start, start+len(line),
				"fields after the %dth are not part of the trace format and are left out", swfFields).
				Note("the first %d are read as the format has them", swfFields)
		}
		if n >= swfFields && isPart(fields[swfStatus]) {
			in.Record()
			continue
		}
		if fault := t.add(&fields, n, epoch); fault != "" {
			in.Bad("snapshot-bad-record", start, start+len(line), "%s", fault).
				Note("the whole record is left out; no value is guessed")
			continue
		}
		in.Record()
	}
	in.Snapshot.Jobs, in.Snapshot.Accounting = t.table(), true
	return nil
}

// traceLines are the lines that are jobs, without blanks around them, and where each begins. A header's start time goes
// into epoch.
func traceLines(text []byte, epoch *int64) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		start := 0
		for whole := range bytes.Lines(text) {
			line := trimBlanks(bytes.TrimSuffix(whole, []byte("\n")))
			switch {
			case len(line) == 0 || line[0] == '#':
			case line[0] == ';':
				if unix, ok := unixStart(line); ok {
					*epoch = unix
				}
			case !yield(start, line):
				return
			}
			start += len(whole)
		}
	}
}

// unixStart reads "; UnixStartTime: 1027839845"; -1 and 0 stand for unknown.
func unixStart(line []byte) (epochSeconds int64, ok bool) {
	text := strings.TrimLeft(string(line), "; \t")
	value, ok := strings.CutPrefix(text, "UnixStartTime:")
	if !ok {
		return 0, false
	}
	epochSeconds, ok = swfNumber([]byte(strings.TrimSpace(value)))
	return max(epochSeconds, 0), ok
}

// splitTraceLine splits at blanks, or at semicolons where a line has any: some
// simulators write that, and it lets fields be empty. n counts all fields.
func splitTraceLine(line []byte) (fields [swfFields][]byte, n int) {
	if bytes.IndexByte(line, ';') >= 0 {
		for rest, more := bytes.TrimSuffix(line, []byte(";")), true; more; n++ {
			var field []byte
			field, rest, more = bytes.Cut(rest, []byte(";"))
			if n < swfFields {
				fields[n] = trimBlanks(field)
			}
		}
		return fields, n
	}
	for i := 0; i < len(line); n++ {
		start := i
		for i < len(line) && line[i] > ' ' {
			i++
		}
		if n < swfFields {
			fields[n] = line[start:i]
		}
		for i < len(line) && line[i] <= ' ' {
			i++
		}
	}
	return fields, n
}

func trimBlanks(b []byte) []byte {
	for len(b) > 0 && b[0] <= ' ' {
		b = b[1:]
	}
	for len(b) > 0 && b[len(b)-1] <= ' ' {
		b = b[:len(b)-1]
	}
	return b
}

// swfNumber reads a whole number of at most 18 digits; an empty field is -1,
// the format's unknown. A fraction of zeros ("18.00") is let pass.
func swfNumber(field []byte) (int64, bool) {
	if len(field) == 0 {
		return -1, true
	}
	digits, negative := field, field[0] == '-'
	if negative {
		digits = field[1:]
	}
	if i := bytes.IndexByte(digits, '.'); i >= 0 {
		if len(bytes.Trim(digits[i+1:], "0")) > 0 {
			return 0, false
		}
		digits = digits[:i]
	}
	if len(digits) == 0 || len(digits) > 18 {
		return 0, false
	}
	n := int64(0)
	for _, d := range digits {
		if d < '0' || d > '9' {
			return 0, false
		}
		n = n*10 + int64(d-'0')
	}
	if negative {
		n = -n
	}
	return n, true
}

// RecognizeSWF knows a trace by its first job: eighteen fields that begin with
// numbers.
func RecognizeSWF(h *format.Head) int {
	fields, n := splitTraceLine([]byte(firstJob(h)))
	if n < swfFields {
		return format.Foreign
	}
	for _, f := range fields[:swfWalltime] {
		if number, ok := swfNumber(f); !ok && strings.Trim(string(f), "0123456789.") != "" || number < -1 {
			return format.Foreign
		}
	}
	return format.Likely
}

// firstJob is the first line of a trace that is no comment.
func firstJob(h *format.Head) string {
	for line := range bytes.Lines(h.Text) {
		line = trimBlanks(line)
		if len(line) > 0 && line[0] != ';' && line[0] != '#' {
			return string(line)
		}
	}
	return ""
}

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
