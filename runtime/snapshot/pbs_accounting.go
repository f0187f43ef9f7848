package snapshot

import (
	"bytes"
	"cmp"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fairway-sched/fairway/lang/schema"
)

// A line of a PBS accounting log (server_priv/accounting/YYYYMMDD) has a time, the
// type of the event, a job and what the event tells of it:
// 11/20/2026 08:00:00;S;42.server;user=ana group=phys queue=batch start=1795161600 exec_host=n1/0-3
// (TORQUE Administrator Guide, accounting records; PBS Professional Reference
// Guide, the accounting log).

var pbsAccountingLine = regexp.MustCompile(`(?m)^\d\d/\d\d/\d{4} \d\d:\d\d:\d\d(\.\d+)?;[A-Za-z];[^;\n]*;`)

func recognizePBSAccounting(h *head) int {
	if pbsAccountingLine.Match(h.text[:min(len(h.text), 4096)]) {
		return certain
	}
	return foreign
}

// readPBSAccounting takes starts and ends of jobs. Every line says that the log
// was kept at its time.
func readPBSAccounting(in *input) error {
	in.records = true
	for offset := 0; offset < len(in.text); {
		line := in.text[offset:]
		start, whole := offset, false
		if i := bytes.IndexByte(line, '\n'); i >= 0 {
			line, whole = line[:i], true
		}
		offset += len(line) + 1
		r := &in.scratch
		*r = record{cells: r.cells[:0], start: start, end: start + len(line)}
		text := strings.TrimSpace(string(line))
		switch {
		case text == "":
		case !whole:
			in.cutLine(r)
		case in.pbsRun(r, text):
			in.write(in.jobs(), r, "job.id")
		case r.fault != "":
			in.badRecord(r)
		default:
			in.record()
		}
	}
	in.zone.check(in)
	return nil
}

// logClock compares the two clocks of a log: its lines have local time, the start
// and end in them epoch seconds.
type logClock struct {
	lines, off int
	first      place
	seconds    int64 // of the first that is off, how much local time is ahead
}

// see notes a start or end and the time of its line, which follows within
// seconds. Zones differ by quarters of an hour at least.
func (c *logClock) see(r *record, line int64, event schema.Value) {
	if !event.Known() {
		return
	}
	c.lines++
	if ahead := line - event.Int; ahead >= 870 || ahead <= -870 {
		if c.off++; c.off == 1 {
			c.first, c.seconds = place{r.start, r.end}, ahead
		}
	}
}

func (c *logClock) check(in *input) {
	if c.off*2 > c.lines {
		in.warn("snapshot-log-timezone", c.first.start, c.first.end, "the times of the lines are not those of the events in them, here by %s", time.Duration(c.seconds)*time.Second).
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
func (in *input) pbsLine(r *record, line string) (pbsEvent, bool) {
	fields := strings.SplitN(line, ";", 4)
	if len(fields) < 4 || len(fields[1]) != 1 {
		r.fail(r.start, r.end, "the line is no event: a time, a letter, a job and a message should stand between semicolons")
		return pbsEvent{}, false
	}
	at, err := time.ParseInLocation("01/02/2006 15:04:05", fields[0], in.options.Location)
	if err != nil || !validTime(at.Unix()) {
		r.fail(r.start, r.start+len(fields[0]), strconv.Quote(excerpt([]byte(fields[0])))+" is no time such as 11/20/2026 08:00:00")
		return pbsEvent{}, false
	}
	return pbsEvent{at.Unix(), fields[1], fields[2], in.told(fields[1], fields[2], at.Unix(), fields[3])}, true
}

func (in *input) cutLine(r *record) {
	in.bad("snapshot-cut-line", r.start, r.end, "the last line has no end, so it may be half written").
		Note("it is left out and will count once the server has written it")
}

// pbsRun fills a record with an event; false if it is none of a run.
func (in *input) pbsRun(r *record, line string) bool {
	e, ok := in.pbsLine(r, line)
	if !ok {
		return false
	}
	in.tellEnd(e.at)
	r.set("job.id", schema.StringValue(e.job))
	j := &pbsJob{stanza: &stanza{attributes: e.attributes}, row: r, location: in.options.Location}
	switch e.kind {
	case "S", "T": // started; started again from a checkpoint
		r.set("job.state", schema.StringValue("running"))
		j.times("job.start_time", "start", e.at)
		in.zone.see(r, e.at, r.get("job.start_time"))
	case "E": // ended
		r.set("job.state", schema.StringValue("done"))
		j.times("job.start_time", "start", 0)
		j.times("job.end_time", "end", e.at)
		in.zone.see(r, e.at, r.get("job.end_time"))
	case "R", "D", "A", "C": // rerun, deleted, aborted, checkpointed and held: it runs no more
		r.set("job.state", schema.StringValue("done"))
		if j.attributes["start"] != "" && j.attributes["end"] != "" { // PBS Professional, of a rerun
			j.times("job.start_time", "start", 0)
		}
		j.times("job.end_time", "end", e.at)
	default: // queued, licences, reservations
		return false
	}
	if r.get("job.start_time").Known() {
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
		j.row.set(id, schema.TimestampValue(otherwise))
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
		j.row.set("job.cpu_seconds", schema.DoubleValue(float64(seconds)))
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

// pbsBegun is what the record of a start told, which that of the end repeats.
type pbsBegun struct{ start, hosts string }

// told is what the server says in a message, also where a text of a user has words in it that look like the server's.
// TORQUE writes account and jobname as they are, PBS Professional the account in quotation marks, both strings of -l as
// they are (source of both, accounting.c). User and group are before all of these, so their first value counts. The account
// is before the name of the job and nowhere else. What is of the end is after them, so its last value counts. Start and
// hosts are between: of several starts that of the line's own time counts, of several lists of hosts the longest, and at
// the end those of the start.
func (in *input) told(event, id string, at int64, text string) map[string]string {
	message, told := messageOf(text), map[string]string{}
	for key, values := range message {
		if told[key] = values[len(values)-1]; key == "user" || key == "group" {
			told[key] = values[0]
		}
	}
	if values := message["account"]; len(values) > 0 {
		head, _, named := strings.Cut(text, " jobname=")
		if first := messageOf(head)["account"]; named && len(first) > 0 {
			told["account"] = first[0]
		} else if named {
			delete(told, "account") // only a text of the user has one
		}
	}
	switch event {
	case "S", "T":
		distance := func(text string) float64 {
			n, ok := wholeNumber(text)
			if !ok {
				return math.Inf(1)
			}
			return math.Abs(float64(n - at))
		}
		if starts := message["start"]; len(starts) > 1 {
			told["start"] = slices.MinFunc(starts, func(a, b string) int { return cmp.Compare(distance(a), distance(b)) })
		}
		if lists := message["exec_host"]; len(lists) > 1 {
			told["exec_host"] = slices.MaxFunc(lists, func(a, b string) int { return cmp.Compare(slotsOf(a), slotsOf(b)) })
		}
		if in.begun == nil {
			in.begun = map[string]pbsBegun{}
		}
		in.begun[id] = pbsBegun{told["start"], told["exec_host"]}
	case "E", "R":
		begun := in.begun[id]
		if slices.Contains(message["start"], begun.start) {
			told["start"] = begun.start
		}
		if slices.Contains(message["exec_host"], begun.hosts) {
			told["exec_host"] = begun.hosts
		}
		delete(in.begun, id)
	}
	return told
}

// slotsOf counts the slots of a list of hosts, 0 if it is none.
func slotsOf(hosts string) int {
	list, ok := execHosts(hosts)
	if !ok {
		return 0
	}
	return len(list)
}

// messageOf splits key=value pairs at blanks; a key may have several values. A word without a key belongs to the value
// before it. Quotation marks hold nothing together: a user could open some.
func messageOf(text string) map[string][]string {
	pairs, last := map[string][]string{}, ""
	for word := range strings.FieldsSeq(text) {
		key, value, ok := strings.Cut(word, "=")
		switch {
		case ok:
			pairs[key], last = append(pairs[key], value), key
		case last != "":
			pairs[last][len(pairs[last])-1] += " " + word
		}
	}
	for _, values := range pairs {
		for i, value := range values {
			values[i] = strings.Trim(value, `"`)
		}
	}
	return pairs
}
