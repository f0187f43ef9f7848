package trace

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// A table of submissions has a line for each sbatch: what it asked for by sbatch's options, when it was, and for how
// long the job ran. An array has as many run times in its cell as tasks.

// submissionFields are the columns that become one cell as they are, with what a value is multiplied by.
var submissionFields = []struct {
	name string
	id   schema.ColumnID
	by   int64
}{
	{"submit", "job.submit_time", 1}, {"submit", "job.arrival_time", 1}, {"user", "job.user", 1},
	{"account", "job.account", 1}, {"partition", "job.partition", 1}, {"qos", "job.qos", 1},
	{"nodes", "job.nodes", 1}, {"ntasks", "job.tasks", 1}, {"cpus_per_task", "job.procs_per_task", 1},
	{"mem_per_cpu_mb", "job.mem_per_proc_mb", 1}, {"limit_min", "job.walltime_seconds", 60},
	{"dependency", "job.dependency", 1}, {"begin", "job.begin_time", 1}, {"nice", "job.nice", 1}, {"name", "job.name", 1},
}

// submissionNeeds are the columns by which such a table is known.
var submissionNeeds = []string{"job_id", "submit", "limit_min", "runtime_s"}

// RecognizeSubmissions knows such a table by its header.
func RecognizeSubmissions(h *format.Head) int {
	fields := strings.Split(h.FirstLine("#"), ",")
	for _, name := range submissionNeeds {
		if !slices.Contains(fields, name) {
			return format.Foreign
		}
	}
	return format.Likely
}

// ReadSubmissions reads one.
func ReadSubmissions(in *format.Input) error {
	return eachRow(in, func(r *format.Record, cells map[string]string) {
		if cells == nil {
			in.Write(in.Jobs(), r, "job.id")
			return
		}
		submission(in, r, cells)
	})
}

// eachRow calls visit with the cells of each row by the columns of the header; nil, and a fault of the record, where
// these are of another number.
func eachRow(in *format.Input, visit func(r *format.Record, cells map[string]string)) error {
	var columns []string
	return eachLine(in, func(r *format.Record, fields []string) {
		switch {
		case columns == nil:
			columns = slices.Clone(fields)
			return
		case len(fields) != len(columns):
			r.Fail(r.Start, r.End, "the number of cells is not that of the header's columns")
			visit(r, nil)
			return
		}
		cells := map[string]string{}
		for i, name := range columns {
			cells[name] = strings.TrimSpace(fields[i])
		}
		visit(r, cells)
	})
}

// eachLine calls visit with each line of a table with commas. A line that cannot be read is reported.
func eachLine(in *format.Input, visit func(r *format.Record, fields []string)) error {
	r := csv.NewReader(bytes.NewReader(in.Text))
	r.Comment, r.FieldsPerRecord, r.TrimLeadingSpace, r.ReuseRecord = '#', -1, true, true
	for {
		start := int(r.InputOffset())
		fields, err := r.Read()
		end := int(r.InputOffset())
		var syntax *csv.ParseError
		switch {
		case err == io.EOF:
			return nil
		case errors.As(err, &syntax):
			in.Bad("snapshot-bad-record", start, max(start+1, end), "the quotes of the line do not match").
				Note("a cell with quotes, commas or line ends must be in double quotes")
			if end == start {
				return nil
			}
		case err != nil:
			return err
		default:
			visit(in.Begin(start, end), fields)
		}
	}
}

// submission writes the jobs of a line.
func submission(in *format.Input, r *format.Record, cells map[string]string) {
	values, fault := submissionCells(cells)
	runtimes := strings.Fields(cells["runtime_s"])
	tasks, most := []string{""}, ""
	if text := cells["array"]; text != "" && fault == "" {
		var ok bool
		if tasks, most, ok = arrayTasks(text); !ok || len(runtimes) != len(tasks) && len(runtimes) != 1 {
			fault = "array names " + strconv.Itoa(len(tasks)) + " tasks, and there are " + strconv.Itoa(len(runtimes)) +
				" run times"
		}
	} else if len(runtimes) > 1 && fault == "" {
		fault = "there are " + strconv.Itoa(len(runtimes)) + " run times of a job that is no array"
	}
	start, end := r.Start, r.End
	for i, task := range tasks {
		if i > 0 {
			r = in.Begin(start, end)
		}
		for _, f := range submissionFields {
			r.Set(f.id, values[f.id])
		}
		r.Set("job.procs", values["job.procs"])
		r.Set("job.state", schema.StringValue("pending"))
		id := cells["job_id"]
		if task != "" {
			r.Set("job.array_job_id", number(id, &fault))
			r.Set("job.array_task_id", number(task, &fault))
			if most != "" {
				r.Set("job.array_running_max", number(most, &fault))
			}
			id += "_" + task
		}
		r.Set("job.id", schema.StringValue(id))
		var ran schema.Value
		if len(runtimes) > 0 {
			ran = number(runtimes[min(i, len(runtimes)-1)], &fault)
		}
		r.Set("job.runtime_seconds", ran)
		if fault != "" {
			r.Fail(r.Start, r.End, fault)
		}
		in.Write(in.Jobs(), r, "job.id")
		if fault != "" {
			return
		}
	}
}

// submissionCells are the cells of a line, and what is wrong with them. Tasks have a processor each unless they ask for
// more, and a job that names only nodes has a task on each.
func submissionCells(cells map[string]string) (values map[schema.ColumnID]schema.Value, fault string) {
	values = map[schema.ColumnID]schema.Value{}
	for _, f := range submissionFields {
		t, text := format.ColumnType(f.id), cells[f.name]
		var v schema.Value
		if text != "" {
			var ok bool
			if v, ok = format.TextValue(t, text); !ok || v.Int < 0 && f.name != "nice" || v.Int > format.LastSecond {
				return nil, f.name + " should be " + format.Wanted(t) + ", not " + strconv.Quote(format.Excerpt([]byte(text)))
			}
			v.Int *= f.by
		}
		values[f.id] = v
	}
	nodes, tasks, each := values["job.nodes"], values["job.tasks"], max(1, values["job.procs_per_task"].Int)
	if !tasks.Known() {
		tasks = schema.IntValue(max(1, nodes.Int))
		values["job.tasks"] = tasks
	}
	if !nodes.Known() {
		values["job.nodes"] = schema.IntValue(0)
	}
	procs, ok := format.Product(tasks.Int, each)
	if !ok || procs > format.MostCount {
		return nil, "the job cannot have more than " + strconv.Itoa(format.MostCount) + " processors"
	}
	values["job.procs"], values["job.procs_per_task"] = schema.IntValue(procs), schema.IntValue(each)
	return values, ""
}

// number reads a whole number that is not negative.
func number(text string, fault *string) schema.Value {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 || n > format.LastSecond {
		if *fault == "" {
			*fault = "a whole number should be here, not " + strconv.Quote(format.Excerpt([]byte(text)))
		}
		return schema.Value{}
	}
	return schema.IntValue(n)
}

// mostTasks bounds the tasks of an array (MaxArraySize is at most 4,000,001).
const mostTasks = 1 << 22

// arrayTasks reads sbatch's --array: 0-7%2, 1,3,5 or 0-9:3.
func arrayTasks(text string) (tasks []string, most string, ok bool) {
	list, most, _ := strings.Cut(text, "%")
	for part := range strings.SplitSeq(list, ",") {
		span, step, stepped := strings.Cut(part, ":")
		from, to, ranged := strings.Cut(span, "-")
		first, err := strconv.ParseInt(from, 10, 32)
		last, by := first, int64(1)
		if err == nil && ranged {
			last, err = strconv.ParseInt(to, 10, 32)
		}
		if err == nil && stepped {
			by, err = strconv.ParseInt(step, 10, 32)
		}
		if err != nil || first < 0 || last < first || by < 1 || (last-first)/by >= int64(mostTasks-len(tasks)) {
			return tasks, most, false
		}
		for id := first; id <= last; id += by {
			tasks = append(tasks, strconv.FormatInt(id, 10))
		}
	}
	return tasks, most, true
}

// machineFields are the columns of a table of nodes.
var machineFields = []struct {
	name string
	id   schema.ColumnID
}{{"name", "node.id"}, {"cpus", "node.procs"}, {"memory_mb", "node.mem_mb"}}

// RecognizeMachine knows a table of nodes by its header.
func RecognizeMachine(h *format.Head) int {
	fields := strings.Split(h.FirstLine("#"), ",")
	if slices.Contains(fields, "name") && slices.Contains(fields, "cpus") && slices.Contains(fields, "memory_mb") {
		return format.Likely
	}
	return format.Foreign
}

// ReadMachine reads a table of nodes.
func ReadMachine(in *format.Input) error {
	return eachRow(in, func(r *format.Record, cells map[string]string) {
		for _, f := range machineFields {
			if cells == nil {
				break
			}
			text, t := cells[f.name], format.ColumnType(f.id)
			v, ok := format.TextValue(t, text)
			if !ok || v.Int < 0 || v.Int > format.MostCount {
				r.Fail(r.Start, r.End, f.name+" should be "+format.Wanted(t)+", not "+
					strconv.Quote(format.Excerpt([]byte(text))))
			}
			r.Set(f.id, v)
		}
		if cells != nil {
			r.Set("node.state", schema.StringValue("IDLE"))
		}
		in.Write(in.Nodes(), r, "node.id")
	})
}
