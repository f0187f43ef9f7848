package trace

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// The fields of a line of the job lists that the pyss simulator's backfilling
// cases are written in; the two QOS fields are always 0 and the id's integer part
// is the time at which the job should end.
const (
	pyssSubmit = iota
	pyssID
	pyssWalltime
	pyssProcs
	pyssRuntime
	pyssAdminQOS
	pyssUserQOS
	pyssUser
	pyssFields
)

// ReadPyss reads such a list as a queue in which every job waits, like a trace.
func ReadPyss(in *format.Input) error {
	offset := 0
	for line := range bytes.Lines(in.Text) {
		start := offset
		offset += len(line)
		text := strings.TrimSpace(string(line))
		if text == "" || text[0] == '#' {
			continue
		}
		r := in.Begin(start, start+len(text))
		fields := strings.Fields(text)
		if len(fields) != pyssFields {
			r.Fail(r.Start, r.End, "the line does not have the 8 fields of a job")
		} else {
			pyssJob(r, fields)
		}
		in.Write(in.Jobs(), r, "job.id")
	}
	return nil
}

func pyssJob(r *format.Record, fields []string) {
	r.Set("job.id", schema.StringValue(fields[pyssID]))
	r.Set("job.user", schema.StringValue(fields[pyssUser]))
	r.Set("job.state", schema.StringValue("pending"))
	for _, f := range []struct {
		index int
		id    schema.ColumnID
	}{
		{pyssSubmit, "job.submit_time"}, {pyssSubmit, "job.arrival_time"}, {pyssWalltime,
			"job.walltime_seconds"}, {pyssRuntime, "job.runtime_seconds"},
		{pyssProcs, "job.procs"}, {pyssProcs, "job.tasks"},
	} {
		v, ok := format.TextValue(format.ColumnType(f.id), fields[f.index])
		if !ok || v.Int < 0 {
			r.Fail(r.Start, r.End,
				f.id.Name()+" should be a whole number, not "+strconv.Quote(format.Excerpt([]byte(fields[f.index]))))
		}
		r.Set(f.id, v)
	}
	r.Set("job.procs_per_task", schema.IntValue(1))
}

func RecognizePyss(h *format.Head) int {
	fields := strings.Fields(h.FirstLine("#"))
	if len(fields) != pyssFields {
		return format.Foreign
	}
	for _, f := range fields[:pyssUser] {
		if _, ok := format.RealNumber(f); !ok {
			return format.Foreign
		}
	}
	return format.Plausible
}
