// Package pbs reads what TORQUE, PBS Professional and OpenPBS print: qstat -f as text, JSON and XML, pbsnodes -a and
// accounting logs. What a user wrote into a job must not pass for what the server says.
package pbs

import (
	"strconv"
	"strings"
	"time"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// pbsStates are the letters of job_state (qstat manuals of TORQUE and PBS
// Professional).
var pbsStates = map[string]string{
	"Q": "pending", "H": "pending", "W": "pending", "T": "pending",
	"R": "running", "B": "running", "E": "completing", "S": "suspended", "U": "suspended",
	"C": "done", "F": "done", "M": "done", "X": "done",
}

// pbsJob makes a row of a job's attributes, which TORQUE and PBS Professional
// name mostly alike. Processors are tasks of one processor each, as Maui and
// its successors count them.
type pbsJob struct {
	*stanza
	row      *format.Record
	location *time.Location
}

func (j *pbsJob) cells() {
	if j.fault != "" {
		j.row.Fail(j.row.Start, j.row.End, j.fault)
	}
	j.text("job.name", "Job_Name")
	if owner, _, _ := strings.Cut(j.first("euser", "Job_Owner"), "@"); owner != "" {
		j.row.Set("job.user", schema.StringValue(owner))
	}
	j.text("job.group", "egroup", "group_list")
	j.text("job.account", "Account_Name")
	j.text("job.partition", "queue")
	j.text("job.dependency", "depend")
	j.text("job.comment", "comment")
	j.text("job.qos_requested", "Resource_List.qos")
	j.text("job.qos", "Resource_List.qos")
	// Queue time counts from the entry into the queue, not from qsub.
	j.time("job.submit_time", "qtime", "ctime")
	j.time("job.eligible_time", "etime")
	j.time("job.begin_time", "Execution_Time")
	j.time("job.start_time", "stime", "start_time")
	if limit := j.first("Resource_List.walltime"); limit != "" {
		seconds, ok := pbsSeconds(limit)
		j.number("job.walltime_seconds", "Resource_List.walltime", limit, seconds, ok)
	}
	j.state()
	j.size()
	if hosts := j.first("exec_host"); hosts != "" {
		list, ok := execHosts(hosts)
		if !ok {
			j.wrong("exec_host", hosts)
		}
		j.row.Set("job.allocated_hosts", schema.ListValue(list))
	}
}

func (j *pbsJob) wrong(name, value string) {
	j.row.Fail(j.row.Start, j.row.End, name+" cannot be read: "+strconv.Quote(format.Excerpt([]byte(value))))
}

func (j *pbsJob) text(id schema.ColumnID, names ...string) {
	if v := j.first(names...); v != "" {
		j.row.Set(id, schema.StringValue(v))
	}
}

func (j *pbsJob) number(id schema.ColumnID, name, text string, n int64, ok bool) {
	if !ok {
		j.wrong(name, text)
		return
	}
	j.row.Set(id, schema.IntValue(n))
}

// time reads the C library's form, or epoch seconds as some versions print.
func (j *pbsJob) time(id schema.ColumnID, names ...string) {
	text := j.first(names...)
	if text == "" {
		return
	}
	if epoch, ok := format.WholeNumber(text); ok {
		j.row.Set(id, schema.TimestampValue(epoch))
		return
	}
	at, err := time.ParseInLocation(time.ANSIC, text, j.location)
	if err != nil {
		j.wrong(names[0], text)
		return
	}
	j.row.Set(id, schema.TimestampValue(at.Unix()))
}

func (j *pbsJob) state() {
	word := j.first("job_state")
	state, ok := pbsStates[word]
	if !ok {
		j.wrong("job_state", word)
		return
	}
	hold := j.first("Hold_Types")
	j.row.Set("job.state_word", schema.StringValue(word))
	j.row.Set("job.state", schema.StringValue(state))
	j.row.Set("job.held", schema.BoolValue(state == "pending" && (word == "H" || (hold != "" && hold != "n"))))
}

// size reads the request: a node specification (TORQUE), a selection of chunks
// (PBS Professional), or plain counts.
func (j *pbsJob) size() {
	var want request
	var ok bool
	spec := j.first("Resource_List.nodes", "Resource_List.select")
	switch {
	case j.attributes["Resource_List.nodes"] != "":
		want, ok = nodeSpec(spec)
	case spec != "":
		want, ok = selection(spec)
		if strings.Contains(j.first("Resource_List.place"), "scatter") {
			want.nodes = want.chunks // only then is each chunk a node of its own
		}
	default:
		want, ok = request{}, true
	}
	if !ok {
		j.wrong("the request", spec)
		return
	}
	for _, name := range []string{"Resource_List.procs", "Resource_List.ncpus"} {
		if text := j.first(name); text != "" && want.procs == 0 {
			n, err := strconv.ParseInt(text, 10, 40)
			if err != nil || n < 0 {
				j.wrong(name, text)
				return
			}
			want.procs = n
		}
	}
	if want.procs == 0 {
		want.procs = 1 // a job that asks for nothing gets one processor
	}
	if text := j.first("Resource_List.ngpus"); text != "" && want.gpus == 0 {
		n, err := strconv.ParseInt(text, 10, 40)
		if err != nil || n < 0 {
			j.wrong("Resource_List.ngpus", text)
			return
		}
		want.gpus = n
	}
	j.row.Set("job.procs", schema.IntValue(want.procs))
	j.row.Set("job.tasks", schema.IntValue(want.procs))
	j.row.Set("job.procs_per_task", schema.IntValue(1))
	j.row.Set("job.nodes", schema.IntValue(want.nodes))
	if want.perNode > 0 {
		j.row.Set("job.tasks_per_node", schema.IntValue(want.perNode))
	}
	if want.gpus > 0 {
		j.row.Set("job.gpus", schema.IntValue(want.gpus))
		j.row.Set("job.tres(gres/gpu)", schema.DoubleValue(float64(want.gpus)))
	}
	if len(want.features) > 0 {
		j.row.Set("job.features", schema.ListValue(want.features))
		j.row.Set("job.feature_expression", schema.StringValue(spec))
	}
	if len(want.hosts) > 0 {
		j.row.Set("job.hosts", schema.ListValue(want.hosts))
	}
	if strings.Contains(j.first("Resource_List.place"), "excl") {
		j.row.Set("job.exclusive", schema.BoolValue(true))
	}
	j.memory(want)
}

// memory: mem is of the whole job, pmem of each process, and a chunk's own
// mem is in the selection.
func (j *pbsJob) memory(want request) {
	bytes, ok := want.memBytes, true
	name, text := "Resource_List.mem", j.first("Resource_List.mem")
	each := j.first("Resource_List.pmem")
	switch {
	case text != "":
		bytes, ok = pbsBytes(text)
	case each != "" && bytes == 0:
		name, text = "Resource_List.pmem", each
		if bytes, ok = pbsBytes(each); ok {
			bytes, ok = format.Product(bytes, want.procs)
		}
	}
	if bytes > 0 || !ok {
		j.number("job.mem_mb", name, text, mbUp(bytes), ok)
	}
}
