package pbs

import (
	"bytes"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// A line of a PBS accounting log (server_priv/accounting/YYYYMMDD) has a time, the
// type of the event, a job and what the event tells of it:
// 11/20/2026 08:00:00;S;42.server;user=ana group=phys queue=batch start=1795161600 exec_host=n1/0-3
// (TORQUE Administrator Guide, accounting records; PBS Professional Reference
// Guide, the accounting log).

var pbsAccountingLine = source.Pattern(`(?m)^\d\d/\d\d/\d{4} \d\d:\d\d:\d\d(\.\d+)?;[A-Za-z];[^;\n]*;`)

func RecognizeAccounting(h *format.Head) int {
	if pbsAccountingLine().Match(h.Text[:min(len(h.Text), 4096)]) {
		return format.Certain
	}
	return format.Foreign
}

// ReadAccounting takes starts and ends of jobs. Every line says that the log
// was kept at its time.
func ReadAccounting(file *format.Input) error {
	in := &pbsLog{Input: file}
	in.Records = true
	for r, text := range in.lines() {
		switch {
		case in.pbsRun(r, text):
			in.Write(in.Jobs(), r, "job.id")
		case r.Fault != "":
			in.BadRecord(r)
		default:
			in.Record()
		}
	}
	in.zone.check(file)
	return nil
}

// pbsLog is an accounting log being read.
type pbsLog struct {
	*format.Input
	zone  logClock
	begun map[string]string // by job, the start in the log
}

// lines are the lines that are whole and not blank, each with the record that it begins.
func (in *pbsLog) lines() iter.Seq2[*format.Record, string] {
	return func(yield func(*format.Record, string) bool) {
		start := 0
		for line := range bytes.Lines(in.Text) {
			text, whole := bytes.CutSuffix(line, []byte("\n"))
			r := in.Begin(start, start+len(text))
			start += len(line)
			text = bytes.TrimSpace(text)
			if len(text) > 0 && !whole {
				in.Bad("snapshot-cut-line", r.Start, r.End, "the last line has no end, so it may be half written").
					Note("it is left out and will count once the server has written it")
			} else if len(text) > 0 && !yield(r, string(text)) {
				return
			}
		}
	}
}

// logClock compares the two clocks of a log: its lines have local time, the start
// and end in them epoch seconds.
type logClock struct {
	lines, off int
	first      format.Place
	seconds    int64 // of the first that is off, how much local time is ahead
}

// see notes a start or end and the time of its line, which follows within
// seconds. Zones differ by quarters of an hour at least.
func (c *logClock) see(r *format.Record, line int64, event schema.Value) {
	if !event.Known() {
		return
	}
	c.lines++
	if ahead := line - event.Int; ahead >= 870 || ahead <= -870 {
		if c.off++; c.off == 1 {
			c.first, c.seconds = format.Place{Start: r.Start, End: r.End}, ahead
		}
	}
}

func (c *logClock) check(in *format.Input) {
	if c.off*2 > c.lines {
		in.Warn("snapshot-log-timezone", c.first.Start, c.first.End,
			"the times of the lines are not those of the events in them, here by "+
				"%s", time.Duration(c.seconds)*time.Second).
			Note("the lines have the server's local time; --timezone says which zone that is")
	}
}

// pbsEvent is a line of the log.
type pbsEvent struct {
	at         int64  // epoch seconds
	kind       string // a letter
	job        string
	attributes map[string]string
}

// pbsLine takes a line apart, or says in the record what is wrong with it.
func (in *pbsLog) pbsLine(r *format.Record, line string) (pbsEvent, bool) {
	fields := strings.SplitN(line, ";", 4)
	if len(fields) < 4 || len(fields[1]) != 1 {
		r.Fail(r.Start, r.End,
			"the line is no event: it needs a time, a letter, a job and a message, separated by semicolons")
		return pbsEvent{}, false
	}
	at, err := time.ParseInLocation("01/02/2006 15:04:05", fields[0], in.Options.Location)
	if err != nil || !format.ValidTime(at.Unix()) {
		r.Fail(r.Start, r.Start+len(fields[0]),
			strconv.Quote(format.Excerpt([]byte(fields[0])))+" is no time such as 11/20/2026 08:00:00")
		return pbsEvent{}, false
	}
	return pbsEvent{at.Unix(), fields[1], fields[2], in.told(fields[1], fields[2], at.Unix(), fields[3])}, true
}

// pbsRun fills a record with an event; false if it is none of a run.
func (in *pbsLog) pbsRun(r *format.Record, line string) bool {
	e, ok := in.pbsLine(r, line)
	if !ok {
		return false
	}
	in.TellEnd(e.at)
	r.Set("job.id", schema.StringValue(e.job))
	j := &pbsJob{stanza: &stanza{attributes: e.attributes}, row: r, location: in.Options.Location}
	switch e.kind {
	case "S", "T": // started; started again from a checkpoint
		r.Set("job.state", schema.StringValue("running"))
		j.times("job.start_time", "start", e.at)
		in.zone.see(r, e.at, r.Get("job.start_time"))
	case "E": // ended
		r.Set("job.state", schema.StringValue("done"))
		j.times("job.start_time", "start", 0)
		j.times("job.end_time", "end", e.at)
		in.zone.see(r, e.at, r.Get("job.end_time"))
	case "R", "D", "A", "C": // rerun, deleted, aborted, checkpointed and held: it runs no more
		r.Set("job.state", schema.StringValue("done"))
		if j.attributes["start"] != "" && j.attributes["end"] != "" { // PBS Professional, of a rerun
			j.times("job.start_time", "start", 0)
		}
		j.times("job.end_time", "end", e.at)
	default: // queued, licences, reservations
		return false
	}
	if r.Get("job.start_time").Known() {
		j.run()
	}
	return true
}

// times sets a column to a time of the message, or to otherwise; 0 for none.
func (j *pbsJob) times(id schema.ColumnID, name string, otherwise int64) {
	switch text := j.attributes[name]; {
	case text != "":
		j.time(id, name)
	case otherwise != 0:
		j.row.Set(id, schema.TimestampValue(otherwise))
	}
}

// run reads who had what. What the job was given counts, not what it asked for:
// execution slots, else the hosts, else the request.
func (j *pbsJob) run() {
	j.text("job.user", "user")
	j.text("job.group", "group")
	j.text("job.account", "account")
	j.text("job.partition", "queue")
	j.text("job.qos", "Resource_List.qos")
	j.time("job.submit_time", "qtime", "ctime")
	if text := j.attributes["Resource_List.walltime"]; text != "" {
		seconds, ok := pbsSeconds(text)
		j.number("job.walltime_seconds", "Resource_List.walltime", text, seconds, ok)
	}
	if text := j.attributes["resources_used.cput"]; text != "" {
		seconds, ok := pbsSeconds(text)
		if !ok {
			j.wrong("resources_used.cput", text)
		}
		j.row.Set("job.cpu_seconds", schema.DoubleValue(float64(seconds)))
	}
	switch slots, hosts := j.attributes["total_execution_slots"], j.attributes["exec_host"]; {
	case slots != "":
		n, err := strconv.ParseInt(slots, 10, 32)
		j.number("job.procs", "total_execution_slots", slots, n, err == nil)
		j.memory(request{procs: n})
	case hosts != "":
		list, ok := execHosts(hosts)
		j.number("job.procs", "exec_host", hosts, int64(len(list)), ok)
		j.memory(request{procs: int64(len(list))})
	default:
		j.size()
	}
}

// A message of a start, an end or a rerun has these keys in this order (accounting.c of TORQUE; of PBS Professional and
// OpenPBS). What a user writes, and the servers log as it is, may hold words that look like any of them.
//
//	                         TORQUE           PBS Professional, OpenPBS
//	user group               before all texts before all texts
//	account                  user's text      user's text, in quotation marks
//	project                                   user's text, in quotation marks if it has blanks
//	jobname                  one word         one word
//	queue ctime qtime etime  server's         server's
//	start                    server's         server's
//	owner                    server's
//	exec_host                server's         server's
//	Resource_List.*          strings of -l are user's text, in both
//	x                        user's text, in builds that log it
//	session end Exit_status  after all texts  after all texts
//	resources_used.*         after all texts  after all texts
//
// So the first user and group count, the account before project and name, and of what is after all texts the last
// value. Between them the start is a fixed point: no user knows it when a job is submitted. What the server writes
// before it is the last before it, the hosts are the first after it, and what is asked for comes after it.
//
// A message of another kind has no start: TORQUE's has the queue alone, or who asked for the end, and that of a
// job which enters a queue of OpenPBS has texts on both sides of the queue. There a key counts that has one value.
var (
	beforeTexts = map[string]bool{"user": true, "group": true}
	beforeStart = map[string]bool{"jobname": true, "queue": true, "ctime": true, "qtime": true, "etime": true}
	behindStart = map[string]bool{"exec_host": true, "owner": true}
	withStart   = "STER"
)

// asked begins the keys of what a job asks for.
const asked = "Resource_List."

// told is what the server says in a message, also where a text of a user has words in it that look like the server's.
func (in *pbsLog) told(event, id string, at int64, text string) map[string]string {
	message, told := messageOf(text), map[string]string{}
	for key, values := range message {
		if told[key] = values[len(values)-1].text; beforeTexts[key] {
			told[key] = values[0].text
		}
	}
	if values := message["account"]; len(values) > 0 {
		head, _, named := strings.Cut(text, " jobname=")
		first, project := messageOf(head)["account"], message["project"]
		switch {
		case named && len(first) > 0 && (len(project) == 0 || first[0].word < project[0].word):
			told["account"] = first[0].text
		case named:
			delete(told, "account") // only a text of the user has one
		}
	}
	var start *logValue
	if strings.Contains(withStart, event) {
		start = in.startOf(event, id, at, message)
	}
	if start == nil {
		withoutStart(told, message)
		return told
	}
	told["start"] = start.text
	for key := range beforeStart {
		for _, v := range message[key] {
			if v.word < start.word {
				told[key] = v.text
			}
		}
	}
	for key, values := range message {
		i := slices.IndexFunc(values, func(v logValue) bool { return v.word > start.word })
		switch {
		case strings.HasPrefix(key, asked) && i < 0:
			delete(told, key)
		case strings.HasPrefix(key, asked):
			told[key] = mostAsked(key, values[i:])
		case behindStart[key] && i >= 0:
			told[key] = values[i].text
		}
	}
	return told
}

// withoutStart leaves what is known of a message without a start: what the server writes and a user may write too where
// both say the same, and no times that its kind does not have.
func withoutStart(told map[string]string, message map[string][]logValue) {
	delete(told, "start")
	delete(told, "end")
	for key, values := range message {
		switch {
		case strings.HasPrefix(key, asked):
			told[key] = mostAsked(key, values)
		case beforeStart[key] && slices.ContainsFunc(values, func(v logValue) bool { return v.text != values[0].text }):
			delete(told, key)
		}
	}
}

// amounts read how much is asked for.
var amounts = map[string]func(text string) (int64, bool){
	"mem": pbsBytes, "pmem": pbsBytes, "walltime": pbsSeconds,
	"ncpus": format.WholeNumber, "procs": format.WholeNumber, "ngpus": format.WholeNumber,
	"nodes":  func(text string) (int64, bool) { r, ok := nodeSpec(text); return r.procs, ok },
	"select": func(text string) (int64, bool) { r, ok := selection(text); return r.procs, ok },
}

// mostAsked is the server's value among those of a key, as far as that can be known. The resources have no order of
// their own, so that another one's text may hold a value before it or after it. Of amounts the largest counts:
// nothing that a user writes makes a job smaller. Of words that differ none does.
func mostAsked(key string, values []logValue) string {
	amount := amounts[strings.TrimPrefix(key, asked)]
	best, most := values[0].text, int64(-1)
	for _, v := range values {
		if amount == nil {
			if v.text != best {
				return ""
			}
			continue
		}
		if n, ok := amount(strings.TrimRight(v.text, `"'`)); ok && n > most {
			best, most = strings.TrimRight(v.text, `"'`), n
		}
	}
	return best
}

// startOf is the server's own start among those of a message. That of a start has the time of its line, that of an end
// the time of the start before it, or what the time used leaves before the end.
func (in *pbsLog) startOf(event, id string, at int64, message map[string][]logValue) *logValue {
	starts := message["start"]
	if len(starts) == 0 {
		return nil
	}
	near := at
	switch event {
	case "S", "T":
	default:
		if begun, ok := in.begun[id]; ok {
			if i := slices.IndexFunc(starts, func(v logValue) bool { return v.text == begun }); i >= 0 {
				delete(in.begun, id)
				return &starts[i]
			}
		}
		last := func(key string) string {
			if values := message[key]; len(values) > 0 {
				return values[len(values)-1].text
			}
			return ""
		}
		if end, ok := format.WholeNumber(last("end")); ok {
			near = end
		}
		if used, ok := pbsSeconds(last("resources_used.walltime")); ok {
			near -= used
		}
	}
	distance := func(v logValue) float64 {
		n, ok := format.WholeNumber(v.text)
		if !ok {
			return math.Inf(1)
		}
		return math.Abs(float64(n - near))
	}
	best := 0
	for i := range starts {
		if distance(starts[i]) < distance(starts[best]) {
			best = i
		}
	}
	if event == "S" || event == "T" {
		if in.begun == nil {
			in.begun = map[string]string{}
		}
		in.begun[id] = starts[best].text
	}
	return &starts[best]
}

// logValue is a value with the number of its first word.
type logValue struct {
	text string
	word int
}

// messageOf splits key=value pairs at blanks; a key may have several values. A word without a key belongs to the value
// before it. Quotation marks hold nothing together: a user could open some.
func messageOf(text string) map[string][]logValue {
	pairs, last, number := map[string][]logValue{}, "", 0
	for word := range strings.FieldsSeq(text) {
		key, value, ok := strings.Cut(word, "=")
		switch {
		case ok:
			pairs[key], last = append(pairs[key], logValue{value, number}), key
		case last != "":
			pairs[last][len(pairs[last])-1].text += " " + word
		}
		number++
	}
	for _, values := range pairs {
		for i := range values {
			values[i].text = strings.Trim(values[i].text, `"`)
		}
	}
	return pairs
}
