package snapshot

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
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

// readPyss reads such a list as a queue in which every job waits, like a trace.
func readPyss(in *input) error {
	offset := 0
	for line := range bytes.Lines(in.text) {
		start := offset
		offset += len(line)
		text := strings.TrimSpace(string(line))
		if text == "" || text[0] == '#' {
			continue
		}
		r := &record{start: start, end: start + len(text)}
		fields := strings.Fields(text)
		if len(fields) != pyssFields {
			r.fail(r.start, r.end, "the line does not have the 8 fields of a job")
		} else {
			pyssJob(r, fields)
		}
		in.write(in.jobs(), r, "job.id")
	}
	return nil
}

func pyssJob(r *record, fields []string) {
	r.set("job.id", schema.StringValue(fields[pyssID]))
	r.set("job.user", schema.StringValue(fields[pyssUser]))
	r.set("job.state", schema.StringValue("pending"))
	for _, f := range []struct {
		index int
		id    schema.ColumnID
	}{
		{pyssSubmit, "job.submit_time"}, {pyssSubmit, "job.arrival_time"}, {pyssWalltime, "job.walltime_seconds"}, {pyssRuntime, "job.runtime_seconds"},
		{pyssProcs, "job.procs"}, {pyssProcs, "job.tasks"},
	} {
		v, ok := textValue(columnType(f.id), fields[f.index])
		if !ok || v.Int < 0 {
			r.fail(r.start, r.end, f.id.Name()+" should be a whole number, not "+strconv.Quote(excerpt([]byte(fields[f.index]))))
		}
		r.set(f.id, v)
	}
	r.set("job.procs_per_task", schema.IntValue(1))
}

func recognizePyss(h *head) int {
	fields := strings.Fields(h.firstLine("#"))
	if len(fields) != pyssFields {
		return foreign
	}
	for _, f := range fields[:pyssUser] {
		if _, ok := realNumber(f); !ok {
			return foreign
		}
	}
	return plausible
}
