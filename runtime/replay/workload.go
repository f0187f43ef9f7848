package replay

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/habits"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// Workload is the jobs to play, in the order in which they are submitted; those of one time in that of the records.
type Workload struct {
	table *column.Table
	Jobs  []Job
	Left  []Left // records that no job was made of

	outside []Job // jobs that were submitted at other times than those played
	runtime Runtime
	seed    uint64 // of what is drawn
	habits  *habits.Habits
	alike   bool   // see the constant alike
	queue   *queue // of a snapshot that is begun with; nil for an empty machine
}

// Job is one job of a workload, as far as only a replay knows it. What its owner asked for is in its row.
type Job struct {
	ID      string
	Submit  int64 // epoch seconds
	Seconds int64 // for how long it runs
	Limit   int64 // seconds that it may run; 0 is without a limit
	Procs   int64
	Row     int

	started, ran int64 // of a job that runs when the replay begins: since when, and for how long it has

	User, Group, Account, QOS, Partition string // of an account or QOS that the policy gives it, once it has started
}

// Left are the records that were left out for one reason.
type Left struct {
	Why string
	IDs []string
}

// Runtime says for how long jobs run.
type Runtime string

// The values of Runtime.
const (
	Recorded Runtime = "recorded" // as they did
	AtLimit  Runtime = "limit"    // for as long as they may
	Habits   Runtime = "habits"   // drawn from what jobs of their user used of their limits; see the package habits
)

// Runtimes lists them.
var Runtimes = []string{string(Recorded), string(AtLimit), string(Habits)}

// Selection is what of a trace is played.
type Selection struct {
	From, To int64 // jobs that were submitted from From until before To, in epoch seconds; 0 is without a bound
	Runtime  Runtime
}

// reasons why a record makes no job, in the order in which they are asked.
const (
	noID       = "no id"
	twice      = "an id that an earlier record has"
	noSubmit   = "no submit time"
	noProcs    = "no number of processors"
	noRuntime  = "no run time: it never ran, or its start and end are unknown"
	endsBefore = "an end before the start"
	noLimit    = "no limit, which --runtime limit goes by"
	tooLong    = "a run time of more than ten years"
	tooLate    = "a submit time more than ten years after the first"
)

// NewWorkload reads the jobs of a trace that was read as a whole (snapshot.Options.WholeTrace).
func NewWorkload(jobs *column.Table, s Selection) *Workload {
	w := &Workload{table: jobs, runtime: s.Runtime}
	if jobs == nil {
		w.table = column.NewTable("job", 0)
		return w
	}
	if s.Runtime == Habits {
		w.habits = learn(jobs, 0)
	}
	seen, left := map[string]bool{}, map[string][]string{}
	for row := range jobs.Rows {
		j := Job{ID: jobs.Text("job.id", row), Row: row}
		why := j.read(jobs, s.Runtime)
		switch {
		case why != "":
		case seen[j.ID]:
			why = twice
		case j.Seconds > mostSeconds:
			why = tooLong
		}
		if seen[j.ID] = true; why != "" {
			left[why] = append(left[why], j.ID)
			continue
		}
		if j.Submit >= s.From && (s.To == 0 || j.Submit < s.To) {
			w.Jobs = append(w.Jobs, j)
		} else {
			w.outside = append(w.outside, j)
		}
	}
	slices.SortStableFunc(w.Jobs, func(a, b Job) int { return cmp.Compare(a.Submit, b.Submit) })
	for n := len(w.Jobs); n > 0 && w.Jobs[n-1].Submit-w.Jobs[0].Submit > mostSeconds; n-- {
		left[tooLate] = append(left[tooLate], w.Jobs[n-1].ID)
		w.Jobs = w.Jobs[:n-1]
	}
	for _, why := range [...]string{noID, twice, noSubmit, noProcs, noRuntime, endsBefore, noLimit, tooLong, tooLate} {
		if len(left[why]) > 0 {
			w.Left = append(w.Left, Left{why, left[why]})
		}
	}
	return w
}

// mostSeconds bounds the time that is played: a longer one is a mistake of the records.
const mostSeconds = 10 * 366 * 24 * 3600

// read takes the times of a record, or says why it is no job.
func (j *Job) read(jobs *column.Table, how Runtime) (why string) {
	submit, limit := jobs.Value("job.submit_time", j.Row), jobs.Value("job.walltime_seconds", j.Row)
	ran, start, end := jobs.Value("job.runtime_seconds", j.Row), jobs.Value("job.start_time", j.Row),
		jobs.Value("job.end_time", j.Row)
	j.Submit, j.Limit, j.Procs = submit.Int, max(0, limit.Int), jobs.Int("job.procs", j.Row)
	j.takeNames(jobs, j.Row)
	switch {
	case j.ID == "":
		return noID
	case !submit.Known():
		return noSubmit
	case j.Procs < 1:
		return noProcs
	case how == AtLimit && j.Limit == 0:
		return noLimit
	case how == AtLimit:
		j.Seconds = j.Limit
		return ""
	case start.Known() && end.Known() && end.Int < start.Int || ran.Known() && ran.Int < 0:
		return endsBefore
	case ran.Known():
		j.Seconds = max(1, ran.Int)
	case start.Known() && end.Known():
		j.Seconds = max(1, end.Int-start.Int)
	default:
		return noRuntime
	}
	return ""
}

// takeNames takes a job's credentials from a table of jobs.
func (j *Job) takeNames(jobs *column.Table, row int) {
	j.User, j.Group = jobs.Text("job.user", row), jobs.Text("job.group", row)
	j.Account = jobs.Text("job.account", row)
	j.QOS, j.Partition = jobs.Text("job.qos", row), jobs.Text("job.partition", row)
}

// Report says what was left out of a workload, and why.
func (w *Workload) Report() diag.List {
	var list diag.List
	for _, l := range w.Left {
		list.Warnf("replay-record-left-out", source.Span{}, "records left out, as they have %s: %d", l.Why, len(l.IDs)).
			Note("%s", named(l.IDs))
	}
	return list
}

// named are the first of some jobs.
func named(ids []string) string { return namedOf("jobs", ids) }

func namedOf(what string, ids []string) string {
	shown := ids[:min(len(ids), mostNamed)]
	text := what + " " + strings.Join(shown, ", ")
	if more := len(ids) - len(shown); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// mostNamed is how many jobs a message names.
const mostNamed = 10

// recordedOnly are columns of a record that its job does not have when it is submitted.
var recordedOnly = map[schema.ColumnID]bool{
	"job.state": true, "job.state_word": true, "job.state_reason": true, "job.arrival_time": true,
	"job.eligible_time": true, "job.accrue_time": true, "job.last_evaluation_time": true, "job.start_time": true,
	"job.end_time": true, "job.preempt_time": true, "job.runtime_seconds": true, "job.cpu_seconds": true,
	"job.allocated_cpu_ids": true, "job.allocated_hosts": true, "job.allocated_procs": true,
	"job.allocated_cores": true, "job.allocated_mem_mb": true, "job.recorded_priority": true,
	"job.recorded_partition_priorities": true, "job.restarts": true, "job.record_id": true,
}

// ofNodes are columns of what a job asks of nodes, which one pool of processors does not have.
var ofNodes = map[schema.ColumnID]bool{"job.nodes": true, "job.nodes_max": true, "job.tasks_per_node": true,
	"job.hosts": true, "job.excluded_hosts": true, "job.features": true, "job.feature_expression": true}

// cells are a job as it is submitted, to nodes or to one pool.
func (w *Workload) cells(j *Job, pool bool) snapshot.Cells {
	c := snapshot.Cells{}
	for _, col := range w.table.Columns() {
		if v := col.Value(j.Row); v.Known() && !recordedOnly[col.ID] && !(pool && ofNodes[col.ID]) {
			c[col.ID] = v
		}
	}
	return c
}
