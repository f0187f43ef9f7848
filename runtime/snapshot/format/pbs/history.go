package pbs

import (
	"maps"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// pbsHistory is what an accounting log tells of one job, up to the time of the snapshot and after it.
type pbsHistory struct {
	at         format.Place
	attributes map[string]string // of all events, the last of each name: who it is and what it asks for does not change
	queued     int64             // epoch seconds of the first event that says so; 0: none does
	start, end int64             // epoch seconds of the run at the time, or of the next; 0: unknown
}

// ReadHistory reads an accounting log as a queue: of what it tells up to the snapshot's time, or to its last line
// where no time is chosen, follows who waits and who runs. Later lines tell what jobs ask
// for that wait at the time.
func ReadHistory(file *format.Input) error {
	in := &pbsLog{Input: file}
	until, chosen := in.Options.At()
	jobs, order, last := map[string]*pbsHistory{}, []string{}, int64(0)
	for r, text := range in.lines() {
		e, ok := in.pbsLine(r, text)
		if !ok {
			in.BadRecord(r)
			continue
		}
		last = max(last, e.at)
		if !strings.Contains("QSTEDARC", e.kind) {
			continue
		}
		h := jobs[e.job]
		if h == nil {
			h = &pbsHistory{attributes: map[string]string{}}
			jobs[e.job], order = h, append(order, e.job)
		}
		h.at = format.Place{Start: r.Start, End: r.End}
		h.add(file, e, !chosen || e.at <= until)
	}
	if !chosen {
		in.Now(last, format.NowRecorded)
	}
	in.Snapshot.Family, in.Snapshot.Accounting = "pbs", true
	var ends []string
	for _, id := range order {
		if h := jobs[id]; h.queued == 0 && h.start == 0 {
			ends = append(ends, id)
			continue
		}
		r := in.Begin(jobs[id].at.Start, jobs[id].at.End)
		jobs[id].row(file, r, id)
		in.Write(in.Jobs(), r, "job.id")
	}
	if len(ends) > 0 {
		at := jobs[ends[0]].at
		in.Warn("snapshot-end-alone", at.Start, at.End, "%s left out, as the log has their end and neither when they "+
			"were queued nor when they started", format.HowMany(len(ends), "job")).
			Note("the first: %s", strings.Join(ends[:min(len(ends), mostNamed)], ", ")).
			Note("give the logs of the days before, too")
	}
	return nil
}

// mostNamed is how many jobs a message names.
const mostNamed = 10

// add takes an event. One after the snapshot's time tells when the run that it shows starts and ends, and no more.
func (h *pbsHistory) add(in *format.Input, e pbsEvent, happened bool) {
	maps.Copy(h.attributes, e.attributes)
	stated := func(name string, otherwise int64) int64 {
		if n, ok := format.WholeNumber(e.attributes[name]); ok && format.ValidTime(n) {
			return n
		}
		return otherwise
	}
	if h.queued == 0 {
		if h.queued = stated("qtime", stated("ctime", 0)); h.queued == 0 && e.kind == "Q" {
			h.queued = e.at
		}
	}
	switch e.kind {
	case "Q":
	case "S", "T":
		if happened || h.start == 0 {
			h.start, h.end = stated("start", e.at), 0
		}
	case "R", "C": // it runs no more, and waits
		if happened {
			h.start, h.end = 0, 0
		} else if h.end == 0 {
			h.start, h.end = max(h.start, stated("start", 0)), stated("end", e.at)
		}
	default: // ended, deleted, aborted
		if happened || h.end == 0 {
			h.start, h.end = max(h.start, stated("start", 0)), stated("end", e.at)
		}
	}
}

// row fills a record with the job.
func (h *pbsHistory) row(in *format.Input, r *format.Record, id string) {
	r.Set("job.id", schema.StringValue(id))
	j := &pbsJob{stanza: &stanza{attributes: h.attributes}, row: r, location: in.Options.Location}
	j.text("job.name", "jobname")
	j.text("job.user", "user")
	j.text("job.group", "group")
	j.text("job.account", "account")
	j.text("job.partition", "queue")
	j.text("job.qos", "Resource_List.qos")
	j.time("job.eligible_time", "etime")
	if text := h.attributes["Resource_List.walltime"]; text != "" {
		seconds, ok := pbsSeconds(text)
		j.number("job.walltime_seconds", "Resource_List.walltime", text, seconds, ok)
	}
	j.size()
	if hosts := h.attributes["exec_host"]; hosts != "" {
		list, ok := execHosts(hosts)
		if !ok {
			j.wrong("exec_host", hosts)
		}
		r.Set("job.allocated_hosts", schema.ListValue(list))
	}
	for _, t := range []struct {
		id schema.ColumnID
		at int64
	}{{"job.submit_time", h.queued}, {"job.start_time", h.start}, {"job.end_time", h.end}} {
		if t.at != 0 {
			r.Set(t.id, schema.TimestampValue(t.at))
		}
	}
	state := "pending" // as the whole log has it; atMoment asks the times
	switch {
	case h.end != 0:
		state = "done"
	case h.start != 0:
		state = "running"
	}
	r.Set("job.state", schema.StringValue(state))
}
