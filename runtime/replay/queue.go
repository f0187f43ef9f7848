package replay

import (
	"cmp"
	"container/heap"
	"maps"
	"slices"
	"strconv"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/habits"
	"github.com/fairway-sched/fairway/runtime/planning"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// queue is what a snapshot shows that a replay begins with.
type queue struct {
	table *column.Table // its jobs; tasks of arrays have rows of their own
	jobs  []Job         // those that wait or run, in the order of the table

	before  []string // jobs of the workload that were submitted before the snapshot and have left its queue
	limited []string // jobs that run for as long as they may, as no record has their run time
	unknown []string // jobs with neither a run time nor a limit, which are taken out
	cut     int      // tasks of arrays beyond those that are played
}

const noTimes = "neither a recorded run time nor a limit"

// joined is a workload after the queue of a snapshot: the jobs of the queue first, and then those that are submitted
// later. A record of a job in the queue says how long that runs.
func (w *Workload) joined(s *snapshot.Snapshot) *Workload {
	q := &queue{}
	q.read(s.Jobs)
	records := map[string]*Job{}
	for i := range w.Jobs {
		records[w.Jobs[i].ID] = &w.Jobs[i]
	}
	for i := range w.outside {
		records[w.outside[i].ID] = &w.outside[i]
	}
	out := *w
	out.queue, out.Jobs = q, nil
	present := map[string]bool{}
	for _, j := range q.jobs {
		present[j.ID] = true
		if j.Seconds = w.lasts(&j, records[j.ID], s.Now, q); j.Seconds > 0 {
			out.Jobs = append(out.Jobs, j)
		} else {
			q.unknown = append(q.unknown, j.ID)
		}
	}
	if len(q.unknown) > 0 {
		out.Left = append(slices.Clone(w.Left), Left{noTimes, q.unknown})
	}
	q.jobs = out.Jobs[:len(out.Jobs):len(out.Jobs)]
	for _, j := range w.Jobs {
		switch {
		case present[j.ID]:
		case j.Submit <= s.Now:
			q.before = append(q.before, j.ID)
		default:
			out.Jobs = append(out.Jobs, j)
		}
	}
	for i := range w.outside {
		if j := &w.outside[i]; j.Submit <= s.Now && !present[j.ID] {
			q.before = append(q.before, j.ID)
		}
	}
	return &out
}

// lasts is for how long a job of the queue runs, from its start; 0 if that is unknown.
func (w *Workload) lasts(j *Job, record *Job, now int64, q *queue) int64 {
	ran := int64(0)
	if j.started > 0 {
		ran = max(0, now-j.started)
	}
	switch {
	case w.runtime == Habits:
		j.ran = ran
		return w.draw(j)
	case w.runtime == Recorded && record != nil:
		return record.Seconds
	case j.Limit > 0:
		q.limited = append(q.limited, j.ID)
		return j.Limit
	}
	return 0
}

// read takes the jobs of a snapshot. A record of an array becomes its tasks.
func (q *queue) read(jobs *column.Table) {
	var rows []int
	tasks := map[int]int64{} // by row of the new table
	for row := range jobs.Rows {
		list := []int64{-1}
		if jobs.Value("job.state", row).Str == "pending" {
			list = planning.ArrayTasks(jobs, row)
		}
		if len(list) > planning.MaxPlannedTasks {
			q.cut += len(list) - planning.MaxPlannedTasks
			list = list[:planning.MaxPlannedTasks]
		}
		for _, task := range list {
			if task >= 0 {
				tasks[len(rows)] = task
			}
			rows = append(rows, row)
		}
	}
	q.table = jobs.Pick(rows)
	if len(tasks) > 0 {
		q.split(tasks)
	}
	for row := range q.table.Rows {
		state := q.table.Value("job.state", row).Str
		start := q.table.Value("job.start_time", row)
		j := Job{ID: q.table.Value("job.id", row).Str, Row: row, Procs: max(1, q.table.Value("job.procs", row).Int),
			Submit: q.table.Value("job.submit_time", row).Int, Limit: max(0, q.table.Value("job.walltime_seconds", row).Int)}
		j.takeNames(q.table, row)
		switch {
		case state == "running" && start.Known() && start.Int > 0:
			j.started = start.Int
		case state != "pending":
			continue
		}
		q.jobs = append(q.jobs, j)
	}
}

// split makes single tasks of rows that stand for an array.
func (q *queue) split(tasks map[int]int64) {
	set := func(id schema.ColumnID, value func(row int, task int64) schema.Value) {
		c := q.table.Column(id)
		if c == nil {
			return
		}
		c = c.Copy()
		for row, task := range tasks {
			c.Set(row, value(row, task))
		}
		q.table.Put(c)
	}
	ids := q.table.Column("job.array_job_id")
	set("job.id", func(row int, task int64) schema.Value {
		return schema.StringValue(strconv.FormatInt(ids.Ints[row], 10) + "_" + strconv.FormatInt(task, 10))
	})
	set("job.array_task_id", func(_ int, task int64) schema.Value { return schema.IntValue(task) })
	set("job.array_tasks", func(int, int64) schema.Value { return schema.IntValue(1) })
	set("job.array_task_list", func(int, int64) schema.Value { return schema.StringValue("") })
}

// take puts the queue in place: its jobs wait or run when the replay begins.
func (r *run) take() error {
	q := r.workload.queue
	if q == nil {
		return nil
	}
	for i := range q.jobs {
		j, o := &q.jobs[i], &r.out.Outcomes[i]
		r.next++
		if j.started == 0 {
			r.waiting[j.ID] = i
			continue
		}
		o.Start, o.By = j.started, backfill.ByRunning
		heap.Push(&r.running, ending{max(r.out.Begin+1, j.started+j.Seconds), i})
	}
	for _, id := range q.unknown {
		if err := r.state.End(id); err != nil {
			return err
		}
	}
	return nil
}

// placeRunning notes where the jobs ran that ran already when the replay began.
func (r *run) placeRunning() {
	if r.workload.queue == nil {
		return
	}
	at := map[string]int32{}
	for i, name := range r.out.Nodes {
		at[name] = int32(i)
	}
	for i := range r.workload.queue.jobs {
		o, tasks := &r.out.Outcomes[i], map[int32]int64{}
		for _, host := range r.workload.queue.table.Value("job.allocated_hosts", o.Row).List {
			if node, ok := at[host]; ok && o.By == backfill.ByRunning {
				tasks[node]++
			}
		}
		for _, node := range slices.Sorted(maps.Keys(tasks)) {
			o.Nodes = append(o.Nodes, backfill.Share{Node: node, Tasks: tasks[node]})
		}
	}
}

// report says what became of the jobs of a snapshot that is begun with.
func (q *queue) report(list *diag.List) {
	if q == nil {
		return
	}
	if n := len(q.unknown); n > 0 {
		list.Warnf("replay-record-left-out", source.Span{},
			"jobs of the snapshot taken out, as they have %s: %d", noTimes, n).Note("%s", named(q.unknown))
	}
	if n := len(q.limited); n > 0 {
		list.Infof("replay-no-record", source.Span{},
			"%s of the snapshot %s until the time limit, as the workload has no record of %s", diag.Count(n, "job"),
			diag.Agree(n, "runs", "run"), diag.Agree(n, "it", "them")).
			Note("%s; --runtime habits draws their run times from those of the workload", named(q.limited))
	}
	if n := len(q.before); n > 0 {
		list.Infof("replay-before-snapshot", source.Span{},
			"%s of the workload %s not played: submitted before the snapshot, and no longer in its queue",
			diag.Count(n, "job"), diag.Agree(n, "is", "are")).
			Note("%s", named(q.before))
	}
	if q.cut > 0 {
		list.Warnf("replay-array-cut", source.Span{}, "%s of arrays %s not played: of each array the first %d are",
			diag.Count(q.cut, "task"), diag.Agree(q.cut, "is", "are"), planning.MaxPlannedTasks)
	}
}

// Learned is a workload without jobs that has the habits of users from a history, as far as it had ended by a time:
// with it, a queue is played to its end.
func Learned(history *column.Table, until int64) *Workload {
	return &Workload{table: column.NewTable("job", 0), runtime: Habits, habits: learn(history, until), alike: true}
}

// learn remembers what the records of a trace show of their users: of the jobs that had ended by a time, or of all.
func learn(jobs *column.Table, until int64) *habits.Habits {
	var list []habits.Job
	for row := range jobs.Rows {
		j := Job{ID: jobs.Value("job.id", row).Str, Row: row}
		if j.read(jobs, Recorded) != "" {
			continue
		}
		end := cmp.Or(jobs.Value("job.end_time", row).Int, cmp.Or(jobs.Value("job.start_time", row).Int, j.Submit)+j.Seconds)
		if until == 0 || end <= until {
			list = append(list, habits.Job{User: j.User, Account: j.Account, Procs: j.Procs, Limit: j.Limit, Ran: j.Seconds,
				End: end})
		}
	}
	return habits.Learn(list)
}

// columns are the jobs that a replay begins with, with the columns that those of the workload have.
func (q *queue) columns(t *column.Table) *column.Table {
	out := column.NewTable("job", 0)
	if q != nil {
		out = q.table.Copy()
	}
	for _, c := range t.Columns() {
		if out.Column(c.ID) == nil && !recordedOnly[c.ID] {
			empty := &column.Column{ID: c.ID, Type: c.Type}
			out.Put(empty.Rearranged(nil, out.Rows))
		}
	}
	return out
}

// begins is when a replay begins: with the snapshot, or with the first submission.
func (w *Workload) begins(s *snapshot.Snapshot) int64 {
	if w.queue != nil {
		return s.Now
	}
	return w.Jobs[0].Submit
}
