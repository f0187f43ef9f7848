package replay

import (
	"cmp"
	"container/heap"
	"slices"
	"strconv"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// The records of slurmctld: one for each job, one for the tasks of an array that wait together, and one for each task
// that has started.

// record is a record that waits.
type record struct {
	id    string
	jobs  []int // of Outcomes; of an array its tasks that wait, in their order
	cells snapshot.Cells
	array bool // it stands for tasks of an array
	since int64
	waits *dependency // nil once it may start

	begin instant // before which it does not start; 0 is none
}

// submissions are the records of a workload by the job that is submitted first: those of an array are one.
func (w *Workload) submissions(from int) map[int][]int {
	type array struct{ id, submit int64 }
	of, first := map[int][]int{}, map[array]int{}
	for i := from; i < len(w.Jobs); i++ {
		j := &w.Jobs[i]
		id, task := w.table.Value("job.array_job_id", j.Row), w.table.Value("job.array_task_id", j.Row)
		if !id.Known() || !task.Known() {
			of[i] = []int{i}
			continue
		}
		a := array{id.Int, j.Submit}
		if _, seen := first[a]; !seen {
			first[a] = i
		}
		of[first[a]] = append(of[first[a]], i)
	}
	for _, jobs := range of {
		slices.SortFunc(jobs, func(a, b int) int { return cmp.Compare(w.task(a), w.task(b)) })
	}
	return of
}

// task is the number of a job's task.
func (w *Workload) task(job int) int64 {
	return w.table.Value("job.array_task_id", w.Jobs[job].Row).Int
}

// enter puts a record of a workload into the queue.
func (c *controller) enter(jobs []int) error {
	j := &c.workload.Jobs[jobs[0]]
	r := &record{id: j.ID, jobs: jobs, cells: c.workload.cells(j, false), since: j.Submit}
	if id := r.cells["job.array_job_id"]; id.Known() && len(jobs) > 1 {
		r.array = true
		if number := strconv.FormatInt(id.Int, 10); c.records[number] == nil {
			r.id = number
		}
		delete(r.cells, "job.array_task_id")
		r.cells["job.array_tasks"], r.cells["job.array_task_list"] = c.left(jobs)
	}
	r.cells["job.submit_time"] = schema.TimestampValue(j.Submit)
	if v := r.cells["job.partition"]; v.Str == "" && c.partition != "" {
		r.cells["job.partition"] = schema.StringValue(c.partition)
	}
	r.waits = c.dependency(r)
	for _, job := range jobs {
		c.waiting[c.out.Outcomes[job].ID] = job
	}
	c.waitsFor(r)
	r.cells["job.id"] = schema.StringValue(r.id)
	return c.state.Submit(r.cells)
}

// waitsFor notes from when on a record may start. Its age grows from then on, which is unknown while it depends on
// others.
func (c *controller) waitsFor(r *record) {
	delete(r.cells, "job.eligible_time")
	since := r.cells["job.submit_time"].Int
	if begin := r.cells["job.begin_time"]; begin.Known() {
		since = max(since, begin.Int)
		if r.begin = instant(begin.Int) * second; r.begin > c.now {
			heap.Push(&c.timed, ending{int64(r.begin), 0})
		}
	}
	if r.waits == nil {
		r.cells["job.eligible_time"] = schema.TimestampValue(since)
	}
	c.records[r.id] = r
	for _, job := range r.jobs {
		c.recordOf[job] = r
	}
	if r.waits != nil {
		c.dependent, c.moved = append(c.dependent, r), true
	}
}

// left are how many tasks wait, and which.
func (c *controller) left(jobs []int) (count, list schema.Value) {
	text := []byte{}
	for from := 0; from < len(jobs); {
		end, first := from+1, c.workload.task(jobs[from])
		for end < len(jobs) && c.workload.task(jobs[end]) == first+int64(end-from) {
			end++
		}
		if from > 0 {
			text = append(text, ',')
		}
		if text = strconv.AppendInt(text, first, 10); end > from+1 {
			text = strconv.AppendInt(append(text, '-'), c.workload.task(jobs[end-1]), 10)
		}
		from = end
	}
	return schema.IntValue(int64(len(jobs))), schema.StringValue(string(text))
}

// split takes a task that starts out of the record of its array.
func (c *controller) split(r *record, job int) error {
	one := &record{id: c.out.Outcomes[job].ID, jobs: []int{job}, cells: snapshot.Cells{}, since: r.since, begin: r.begin}
	for id, v := range r.cells {
		one.cells[id] = v
	}
	delete(one.cells, "job.array_task_list")
	one.cells["job.array_tasks"] = schema.IntValue(1)
	one.cells["job.array_task_id"] = schema.IntValue(c.workload.task(job))
	one.cells["job.id"] = schema.StringValue(one.id)
	c.recordOf[job] = one
	if err := c.state.Submit(one.cells); err != nil {
		return err
	}
	r.jobs = slices.DeleteFunc(slices.Clone(r.jobs), func(other int) bool { return other == job })
	if len(r.jobs) == 0 {
		delete(c.records, r.id)
		return c.state.End(r.id)
	}
	r.cells["job.array_tasks"], r.cells["job.array_task_list"] = c.left(r.jobs)
	return c.state.Change(r.id, snapshot.Cells{"job.array_tasks": r.cells["job.array_tasks"],
		"job.array_task_list": r.cells["job.array_task_list"]})
}

// begin lets a job run.
func (c *controller) begin(job int, by backfill.By, nodes []backfill.Share) error {
	o, r := &c.out.Outcomes[job], c.recordOf[job]
	if r.array {
		if err := c.split(r, job); err != nil {
			return err
		}
		r = c.recordOf[job]
	}
	delete(c.records, r.id)
	o.Start, o.By, o.Nodes = c.now.seconds(), by, nodes
	delete(c.waiting, o.ID)
	c.endsAt[job] = c.now + instant(o.Seconds)*second + launch
	heap.Push(&c.ends, ending{int64(c.endsAt[job]), job})
	c.out.Started = append(c.out.Started, job)
	c.changed, c.moved = true, true
	if err := c.state.Start(o.ID, c.names(nodes)...); err != nil {
		return err
	}
	return c.state.Change(o.ID, allocated(nodes, max(1, r.cells["job.procs_per_task"].Int)))
}

// names are the nodes of a job, each once.
func (r *run) names(nodes []backfill.Share) []string {
	list := make([]string, len(nodes))
	for i := range nodes {
		list[i] = r.out.Nodes[nodes[i].Node]
	}
	return list
}

// allocated are the processors that a job has on each of its nodes, and the memory where that is known.
func allocated(nodes []backfill.Share, perTask int64) snapshot.Cells {
	procs, memMB := make([]string, len(nodes)), make([]string, len(nodes))
	for i := range nodes {
		procs[i] = strconv.FormatInt(nodes[i].ProcsOf(perTask), 10)
		if memMB != nil {
			memMB[i] = strconv.FormatInt(nodes[i].MemMB, 10)
		}
		if nodes[i].MemMB == 0 {
			memMB = nil
		}
	}
	cells := snapshot.Cells{"job.allocated_procs": schema.ListValue(procs)}
	if memMB != nil {
		cells["job.allocated_mem_mb"] = schema.ListValue(memMB)
	}
	return cells
}

// leave takes a job that has run out of the queue. Where usage counts, its record is kept until the pass that has
// charged it.
func (c *controller) leave(job int, end int64) error {
	o := &c.out.Outcomes[job]
	c.moved = true
	if c.program.Tree == nil {
		return c.state.End(o.ID)
	}
	if err := c.state.Change(o.ID, snapshot.Cells{"job.state": schema.StringValue("done"),
		"job.end_time": schema.TimestampValue(end)}); err != nil {
		return err
	}
	c.done = append(c.done, done{o.ID, c.now})
	return nil
}

// done is a job that has ended and is still listed.
type done struct {
	id string
	at instant // when the queue came to know of it
}

// purge takes those out that the pass before the last one has charged.
func (c *controller) purge(until instant) error {
	kept := c.done[:0]
	for _, d := range c.done {
		if d.at >= until {
			kept = append(kept, d)
			continue
		}
		if err := c.state.End(d.id); err != nil {
			return err
		}
	}
	c.done = kept
	return nil
}

// Attempt is a run of a job that was requeued.
type Attempt struct {
	Start, End int64 // epoch seconds
	By         backfill.By
	Nodes      []backfill.Share
}

// stop ends a running job for another one. It waits again, unless it is cancelled.
func (c *controller) stop(job int, v *Stop) error {
	o := &c.out.Outcomes[job]
	seconds := c.now.seconds()
	delete(c.endsAt, job)
	c.out.End = max(c.out.End, seconds)
	c.ask()
	if v.Mode != "requeue" {
		o.End, o.Cancelled = seconds, true
		return c.leave(job, seconds)
	}
	start := o.Start
	c.again(o, job, seconds)
	r := c.recordOf[job]
	if c.program.Tree != nil { // what it has used stays, by a record of its own
		c.runs++
		ran := snapshot.Cells{}
		for id, value := range r.cells {
			ran[id] = value
		}
		ran["job.id"] = schema.StringValue(o.ID + "#" + strconv.Itoa(c.runs))
		ran["job.state"], ran["job.start_time"] = schema.StringValue("done"), schema.TimestampValue(start)
		ran["job.end_time"] = schema.TimestampValue(seconds)
		if err := c.state.Submit(ran); err != nil {
			return err
		}
		c.done = append(c.done, done{ran["job.id"].Str, c.now})
	}
	r.cells["job.submit_time"], r.cells["job.begin_time"] = schema.TimestampValue(seconds), schema.TimestampValue(v.Back)
	r.cells["job.restarts"] = schema.IntValue(int64(len(o.Earlier)))
	c.waitsFor(r)
	return c.state.Requeue(o.ID, snapshot.Cells{"job.submit_time": r.cells["job.submit_time"],
		"job.begin_time": r.cells["job.begin_time"], "job.restarts": r.cells["job.restarts"],
		"job.eligible_time": r.cells["job.eligible_time"]})
}

// stops are the jobs that a pass has ended for others.
func stops(s *backfill.Schedule) (list []Stop) {
	for i := range s.Preempted {
		v := &s.Preempted[i]
		at := slices.IndexFunc(s.Requests, func(r backfill.Request) bool { return r.Job == v.Job })
		if at >= 0 {
			list = append(list, Stop{Job: s.Requests[at].ID, Mode: v.Mode, At: v.At, Back: v.Back})
		}
	}
	return list
}

// victims ends the jobs that a pass has ended for others, or warns those that have a time of grace.
func (c *controller) victims(list []Stop) (stopped bool, err error) {
	seconds := c.now.seconds()
	for i := range list {
		v := &list[i]
		job, known := c.jobs[v.Job]
		switch {
		case !known || c.endsAt[job] == 0:
		case v.At <= seconds:
			stopped = true
			err = c.stop(job, v)
		default:
			at := min(c.endsAt[job], instant(v.At)*second)
			c.endsAt[job] = at
			heap.Push(&c.ends, ending{int64(at), job})
			err = c.state.Change(c.out.Outcomes[job].ID, snapshot.Cells{"job.preempt_time": schema.TimestampValue(seconds),
				"job.end_time": schema.TimestampValue(v.At)})
		}
		if err != nil {
			return stopped, err
		}
	}
	return stopped, nil
}
