package derive

import (
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/rank"
)

// Columns returns the job table with the columns that follow, job by job, from the clock
// and from other columns. A cell that the snapshot states itself is kept.
func Columns(jobs *column.Table, now int64, clock *evaluation.Clock) *column.Table {
	t := column.NewTable(jobs.Name, jobs.Rows)
	for _, c := range jobs.Columns() {
		t.Put(column.KnownZeros(c))
	}
	start := coalesceTime(t, "job.queue_start_time", "job.submit_time")
	if clock.Queue != nil {
		for _, c := range clock.Columns() {
			t.Put(c)
		}
		start = t.Column("job.queue_start_time")
	}
	fillSince(t, "job.queue_seconds", start, now)
	fillSince(t, "job.accrue_seconds", t.Column("job.accrue_time"), now)
	fillSince(t, "job.eligible_seconds", t.Column("job.eligible_time"), now)
	fillSince(t, "job.submit_seconds", t.Column("job.submit_time"), now)
	t.Put(queueMinutes(t))
	return t
}

func coalesceTime(t *column.Table, id, fallback schema.ColumnID) *column.Column {
	c, f := t.Column(id), t.Column(fallback)
	if c == nil && f == nil {
		return nil
	}
	out := &column.Column{ID: id, Type: schema.Timestamp, Ints: make([]int64, t.Rows)}
	for i := range t.Rows {
		switch {
		case c != nil && !c.Missing.Get(i):
			out.Ints[i] = c.Ints[i]
		case f != nil && !f.Missing.Get(i):
			out.Ints[i] = f.Ints[i]
		default:
			out.Missing.Set(i)
		}
	}
	t.Put(out)
	return out
}

// fillSince sets id to now − since where the snapshot does not state it.
func fillSince(t *column.Table, id schema.ColumnID, since *column.Column, now int64) {
	given := t.Column(id)
	out := &column.Column{ID: id, Type: schema.Int, Ints: make([]int64, t.Rows)}
	for i := range t.Rows {
		switch {
		case given != nil && !given.Missing.Get(i):
			out.Ints[i] = given.Ints[i]
		case since != nil && !since.Missing.Get(i):
			out.Ints[i] = now - since.Ints[i]
		default:
			out.Missing.Set(i)
		}
	}
	t.Put(out)
}

// queueMinutes is max(0, queue_seconds)/60 (Maui's QUEUETIME factor).
func queueMinutes(t *column.Table) *column.Column {
	const id = "job.queue_minutes"
	given, q := t.Column(id), t.Column("job.queue_seconds")
	out := &column.Column{ID: id, Type: schema.Double, Doubles: make([]float64, t.Rows)}
	for i := range t.Rows {
		switch {
		case given != nil && !given.Missing.Get(i):
			out.Doubles[i] = given.Doubles[i]
		case q.Missing.Get(i):
			out.Missing.Set(i)
		default:
			out.Doubles[i] = Minutes(q.Ints[i])
		}
	}
	return out
}

func Minutes(seconds int64) float64 { return float64(max(0, seconds)) / 60 }

// Rows gives each job one row per partition it was submitted to, in the order of its list; a job without a list keeps
// the partition it names. Returned are the rows, each row's job and each job's first row.
func Rows(jobs *column.Table, before *evaluation.Earlier) (rows *column.Table, rowJob, jobRow []int32) {
	lists := jobs.Column("job.partitions")
	if before != nil && before.InPlace() && before.Rows == before.Jobs &&
		sameColumns(jobs, before.Jobs, "job.partitions", "job.partition") {
		return jobs, before.RowJob, before.JobRow
	}
	jobRow, rowJob = make([]int32, jobs.Rows), make([]int32, 0, jobs.Rows)
	for i := range jobRow {
		jobRow[i] = int32(len(rowJob))
		n := 1
		if lists != nil {
			n = max(1, len(lists.Lists[lists.Codes[i]]))
		}
		for range n {
			rowJob = append(rowJob, int32(i))
		}
	}
	if len(rowJob) == jobs.Rows && asListed(jobs) {
		return jobs, rowJob, jobRow
	}
	rows = column.NewTable(jobs.Name, len(rowJob))
	for _, c := range jobs.Columns() {
		if c.ID != "job.partition" {
			rows.Put(column.Take(c, rowJob))
		}
	}
	b := column.NewBuilder(jobs.Name)
	own := jobs.Column("job.partition")
	for row, job := range rowJob {
		b.Row()
		list := lists.Lists[lists.Codes[job]]
		switch k := row - int(jobRow[job]); {
		case k < len(list):
			b.String("job.partition", list[k])
		case own != nil:
			b.String("job.partition", own.Dict[own.Codes[job]])
		default:
			b.String("job.partition", "")
		}
	}
	rows.Put(b.Table().Column("job.partition"))
	return rows, rowJob, jobRow
}

// sameColumns reports columns that two tables share.
func sameColumns(a, b *column.Table, ids ...schema.ColumnID) bool {
	return !slices.ContainsFunc(ids, func(id schema.ColumnID) bool { return a.Column(id) != b.Column(id) })
}

// asListed reports that every job's partition is the first of its list, if it has one.
func asListed(jobs *column.Table) bool {
	lists, own := jobs.Column("job.partitions"), jobs.Column("job.partition")
	if lists == nil {
		return true
	}
	for i, code := range lists.Codes {
		if list := lists.Lists[code]; len(list) > 0 && (own == nil || own.Dict[own.Codes[i]] != list[0]) {
			return false
		}
	}
	return true
}

// SubmitRank numbers the jobs by submit time, then by order in the snapshot.
func SubmitRank(jobs *column.Table, before *evaluation.Earlier) *column.Column {
	const id, by = "job.submit_rank", "job.submit_time"
	submit := jobs.Column(by)
	if before != nil && before.InPlace() && before.Jobs.Column(by) == submit {
		return before.Jobs.Column(id)
	}
	order := make([]int32, jobs.Rows)
	for job := range order {
		order[job] = int32(job)
	}
	if submit != nil {
		// ^ turns the order round without overflow
		order = rank.Falling(order, func(job int) int64 { return ^submit.Ints[job] })
	}
	out := &column.Column{ID: id, Type: schema.Int, Ints: make([]int64, jobs.Rows)}
	for rank, job := range order {
		out.Ints[job] = int64(rank)
	}
	return out
}

// What the job's user has running, which Maui's terms UPROC and UJOB weigh.
const (
	activeJobs  schema.ColumnID = "job.user_active_count"
	activeProcs schema.ColumnID = "job.user_active_procs"
)

// UserActivity counts the running jobs of each user and their processors, if the
// program asks. A cell that the snapshot states itself is kept.
func UserActivity(jobs *column.Table, p *program.Program) {
	inputs := p.Inputs()
	for _, id := range []schema.ColumnID{activeJobs, activeProcs} {
		if slices.Contains(inputs, id) {
			jobs.Put(activity(jobs, id))
		}
	}
}

func activity(jobs *column.Table, id schema.ColumnID) *column.Column {
	out := &column.Column{ID: id, Type: schema.Int, Ints: make([]int64, jobs.Rows)}
	users, given := jobs.Column("job.user"), jobs.Column(id)
	if users != nil {
		sum := make([]int64, users.DictLen())
		for i := range jobs.Rows {
			if state := jobs.Text("job.state", i); state == "running" || state == "completing" {
				sum[users.Codes[i]] += amount(jobs, id, i)
			}
		}
		for i := range out.Ints {
			out.Ints[i] = sum[users.Codes[i]]
		}
	}
	for i := range out.Ints {
		if given != nil && !given.Missing.Get(i) {
			out.Ints[i] = given.Ints[i]
		}
	}
	return out
}

// amount is what one running job adds.
func amount(jobs *column.Table, id schema.ColumnID, job int) int64 {
	if id == activeJobs {
		return 1
	}
	return jobs.Int("job.procs", job)
}
