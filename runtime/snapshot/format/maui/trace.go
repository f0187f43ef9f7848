package maui

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// Maui writes two traces, and its simulation reads them: of the workload a line for each job, of the resources one for
// each node. Fields are divided by blanks, [NONE] is none, and a line VERSION may come first (Maui Administrator's
// Guide 16.2 and 16.3).

// traceField is a field, counted from 1 as the guide does, and the column that it fills.
type traceField struct {
	at   int
	id   schema.ColumnID
	read func(text string) (v schema.Value, ok bool)
}

const (
	jobFields  = 44 // of a line of the workload
	nodeFields = 18 // of a line of the resources, before those that are reserved
)

// Fields of a job that decide what another one means.
const (
	fieldTasks, fieldState                        = 3, 7
	fieldSubmit, fieldStart, fieldEnd             = 9, 11, 12
	fieldMemCompare, fieldMem                     = 16, 17
	fieldDiskCompare, fieldDisk                   = 18, 19
	fieldAdapter, fieldArchitecture, fieldRunning = 13, 14, 15
)

var jobTrace = []traceField{
	{1, "job.id", word}, {2, "job.nodes", whole}, {fieldTasks, "job.tasks", whole}, {4, "job.user", word},
	{5, "job.group", word}, {6, "job.walltime_seconds", whole}, {8, "job.partition", class},
	{fieldSubmit, "job.submit_time", moment}, {fieldSubmit, "job.arrival_time", moment},
	{fieldStart, "job.start_time", moment}, {fieldEnd, "job.end_time", moment},
	{20, "job.features", list}, {23, "job.tasks_per_node", positive}, {24, "job.qos_requested", qos},
	{26, "job.account", optional}, {27, "job.name", word}, {32, "job.procs_per_task", whole},
	{33, "job.mem_per_task_mb", megabytes}, {34, "job.disk_per_task_mb", megabytes},
	{35, "job.swap_per_task_mb", megabytes}, {36, "job.begin_time", moment}, {37, "job.deadline", moment},
	{38, "job.allocated_hosts", list}, {40, "job.hosts", list}, {41, "job.reservation", optional},
}

var nodeTrace = []traceField{
	{4, "node.id", word}, {6, "node.swap_mb", megabytes}, {7, "node.mem_mb", megabytes},
	{8, "node.disk_mb", megabytes}, {9, "node.procs", whole}, {15, "node.features", list},
	{18, "node.speed", number},
}

// events are the states of a node in a trace.
var events = map[string]struct {
	word string
	up   bool
}{"AVAILABLE": {"Idle", true}, "DEFINED": {"Down", false}, "DRAINED": {"Drained", false}}

// RecognizeTrace knows a workload by the state and the comparisons of its first job.
func RecognizeTrace(h *format.Head) int {
	f := firstFields(h.Text)
	if len(f) < jobFields || !states[f[fieldState-1]] || !comparisons[f[fieldMemCompare-1]] {
		return format.Foreign
	}
	return format.Certain
}

var (
	states      = map[string]bool{"Completed": true, "Removed": true, "NotRun": true}
	comparisons = map[string]bool{">": true, ">=": true, "=": true, "<=": true, "<": true}
)

// RecognizeResources knows resources by the first word.
func RecognizeResources(h *format.Head) int {
	if f := firstFields(h.Text); len(f) >= nodeFields && f[0] == "COMPUTENODE" {
		return format.Certain
	}
	return format.Foreign
}

// firstFields are those of the first line that is neither a comment nor the version.
func firstFields(text []byte) []string {
	for line := range bytes.Lines(text) {
		if f := strings.Fields(string(line)); len(f) > 0 && !preamble(f) {
			return f
		}
	}
	return nil
}

func preamble(fields []string) bool { return fields[0] == "VERSION" || fields[0][0] == '#' }

// ReadTrace reads a workload as jobs with the times at which they were submitted, started and ended.
func ReadTrace(in *format.Input) error {
	in.Snapshot.Family, in.Snapshot.Accounting = "maui", true
	eachLine(in, jobFields, jobTrace, func(r *format.Record, f []string) {
		required(in, r, f)
		r.Set("job.state_word", schema.StringValue("Completed"))
		switch state := f[fieldState-1]; {
		case state == "NotRun":
			r.Set("job.start_time", schema.Value{})
		case !states[state]:
			r.Fail(r.Start, r.End, "the state "+strconv.Quote(format.Excerpt([]byte(state)))+
				" is none of Completed, Removed and NotRun")
		}
		for _, c := range []struct {
			compare, amount int
			id              schema.ColumnID
		}{{fieldMemCompare, fieldMem, "job.node_mem_min_mb"}, {fieldDiskCompare, fieldDisk, "job.node_disk_min_mb"}} {
			atLeast(r, c.id, f[c.compare-1], f[c.amount-1])
		}
		finishMauiJob(r)
		in.Write(in.Jobs(), r, "job.id")
	})
	return nil
}

// ReadResources reads the nodes of a simulation.
func ReadResources(in *format.Input) error {
	in.Snapshot.Family = "maui"
	eachLine(in, nodeFields, nodeTrace, func(r *format.Record, f []string) {
		event, known := events[f[1]]
		if !known {
			r.Fail(r.Start, r.End, "the event "+strconv.Quote(format.Excerpt([]byte(f[1])))+
				" is none of AVAILABLE, DEFINED and DRAINED")
		}
		r.Set("node.state", schema.StringValue(event.word))
		r.Set("node.up", schema.BoolValue(event.up))
		classes(r, f[15])
		in.Write(in.Nodes(), r, "node.id")
	})
	return nil
}

// eachLine fills a record with the fields of each line, and lets finish do the rest.
func eachLine(in *format.Input, most int, fields []traceField, finish func(r *format.Record, f []string)) {
	start := 0
	for line := range bytes.Lines(in.Text) {
		f, at := strings.Fields(string(line)), start
		start += len(line)
		if len(f) == 0 || preamble(f) {
			continue
		}
		r := in.Begin(at, at+len(bytes.TrimRight(line, "\r\n")))
		if len(f) < most {
			r.Fail(r.Start, r.End, "the line has "+strconv.Itoa(len(f))+" fields of the "+strconv.Itoa(most)+" of a trace")
			in.BadRecord(r)
			continue
		}
		for _, field := range fields {
			v, ok := field.read(f[field.at-1])
			if !ok {
				r.Fail(r.Start, r.End, "field "+strconv.Itoa(field.at)+" should be "+
					format.Wanted(format.ColumnType(field.id))+", not "+strconv.Quote(format.Excerpt([]byte(f[field.at-1]))))
			}
			r.Set(field.id, v)
		}
		finish(r, f)
	}
}

// required reports what a job asks of a node that no policy here knows.
func required(in *format.Input, r *format.Record, f []string) {
	for at, what := range [...]string{fieldAdapter: "network adapters", fieldArchitecture: "architectures",
		fieldRunning: "operating systems"} {
		if what == "" {
			continue
		}
		if v, _ := optional(f[at-1]); v.Known() {
			if d := in.InfoOnce("snapshot-trace-fields", what, r.Start, r.End,
				"%s that jobs ask for are left out, the first here", what); d != nil {
				d.Note("nodes are not told apart by them")
			}
		}
	}
}

// atLeast is what a node of a job must have.
func atLeast(r *format.Record, id schema.ColumnID, comparison, text string) {
	v, ok := megabytes(text)
	switch {
	case !ok:
		r.Fail(r.Start, r.End, "what a node must have should be megabytes, not "+strconv.Quote(format.Excerpt([]byte(text))))
	case v.Int == 0:
	case comparison == ">":
		r.Set(id, schema.IntValue(v.Int+1))
	case comparison == ">=":
		r.Set(id, v)
	default:
		r.Fail(r.Start, r.End, "a job that asks for nodes with "+format.Excerpt([]byte(comparison))+" "+
			strconv.FormatInt(v.Int, 10)+" MB is not known; >= and > are")
	}
}

func none(text string) bool { return text == "[NONE]" || text == "[DEFAULT]" }

// optional is a word that older traces have as 0 where there is none.
func optional(text string) (schema.Value, bool) {
	if text == "0" || text == "-" {
		return schema.Value{}, true
	}
	return word(text)
}

func word(text string) (schema.Value, bool) {
	if none(text) {
		return schema.Value{}, true
	}
	return schema.StringValue(text), true
}

func qos(text string) (schema.Value, bool) {
	asked, _, _ := strings.Cut(text, ":")
	return optional(asked)
}

// class is the first of [batch:1].
func class(text string) (schema.Value, bool) {
	if classes, _ := list(text); len(classes.List) > 0 {
		if name, _, _ := strings.Cut(classes.List[0], ":"); name != "" && name != "DEFAULT" {
			return schema.StringValue(name), true
		}
	}
	return schema.Value{}, true
}

// list reads [fast][ethernet]; hosts may also be divided by colons, without brackets.
func list(text string) (schema.Value, bool) {
	if none(text) || text == "0" {
		return schema.ListValue(nil), true
	}
	divides := func(c rune) bool { return c == '[' || c == ']' }
	if text[0] != '[' {
		divides = func(c rune) bool { return c == ':' }
	}
	return schema.ListValue(strings.FieldsFunc(text, divides)), true
}

func whole(text string) (schema.Value, bool) {
	n, ok := format.WholeNumber(text)
	return schema.IntValue(n), ok
}

// positive is unknown for 0 and -1.
func positive(text string) (schema.Value, bool) {
	if n, ok := whole(text); ok && n.Int > 0 {
		return n, true
	}
	return schema.Value{}, text == "0" || text == "-1" || none(text)
}

func moment(text string) (schema.Value, bool) {
	n, ok := format.WholeNumber(text)
	switch {
	case text == "0" || text == "-1":
		return schema.Value{}, true
	case !ok || !format.ValidTime(n):
		return schema.Value{}, false
	}
	return schema.TimestampValue(n), true
}

func number(text string) (schema.Value, bool) {
	if none(text) {
		return schema.Value{}, true
	}
	return format.TextValue(schema.Double, text)
}

// megabytes reads a number of them, or one with a unit.
func megabytes(text string) (schema.Value, bool) {
	by, over := int64(1), int64(1)
	switch digits := strings.TrimRight(text, "KMGTkmgt"); strings.ToUpper(text[len(digits):]) {
	case "", "M":
		text = digits
	case "K":
		text, over = digits, 1024
	case "G":
		text, by = digits, 1024
	case "T":
		text, by = digits, 1024*1024
	}
	n, ok := format.WholeNumber(text)
	if ok {
		n, ok = format.Product(n, by)
	}
	return schema.IntValue(n / over), ok
}

// classes reads [batch:4][long:2]: the classes that a node serves and the tasks of each that it takes.
func classes(r *format.Record, text string) {
	served, _ := list(text)
	names := []string{}
	for _, one := range served.List {
		name, count, counted := strings.Cut(one, ":")
		n, ok := format.WholeNumber(count)
		switch {
		case counted && !ok, !format.ValidKey(name):
			r.Fail(r.Start, r.End, strconv.Quote(format.Excerpt([]byte(one)))+" is no class with a number of tasks")
		case counted:
			r.Set(schema.ColumnID("node.class_slots("+name+")"), schema.DoubleValue(float64(n)))
		}
		names = append(names, name)
	}
	r.Set("node.classes", schema.ListValue(names))
}
