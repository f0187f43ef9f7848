package slurm

import (
	"fmt"
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/family/slurm/shares"
	"github.com/fairway-sched/fairway/runtime/rank"
)

// accrue works out from when the ages of waiting jobs grow, where the snapshot does not have it
// (AccrueTime): from eligible time; not while a job is held or waits for a time or another job;
// and only as many at a time as limits on accrual allow (acct_policy_handle_accrue_time), which count
// those whose ages grow by the snapshot, where it has that. An array with room for only some tasks
// is ranked with the age of these: they come first, and slurmctld splits them off.
// When a job got its place among these is not recorded: it is taken to have had it from the start.
func (g *guard) accrue() {
	r := g.result
	if g.version < 1808 || g.rules.AccrueAlways {
		return
	}
	if knowsAccrual(r) {
		g.countAccruing()
		return
	}
	if !readsAccrual(r) {
		return
	}
	out := &column.Column{ID: "job.accrue_time", Type: schema.Timestamp, Ints: make([]int64, r.Jobs.Rows)}
	limited := 0
	var cut []string
	for _, job := range rank.Falling(allJobs(r.Jobs.Rows),
		func(job int) int64 { return -r.Jobs.Int("job.submit_rank", job) }) {
		since := r.Jobs.Value("job.eligible_time", int(job))
		if !since.Known() {
			since = r.Jobs.Value("job.submit_time", int(job))
		}
		if !since.Known() || !g.independent(int(job)) {
			out.Missing.Set(int(job))
			continue
		}
		if g.limits != nil && waiting(r, int(job)) {
			room := g.limits.AccrueRoom(int(r.JobRow[job]))
			if room == 0 {
				out.Missing.Set(int(job))
				limited++
				continue
			}
			if tasks := g.limits.Tasks(int(job)); room < tasks {
				cut = append(cut, fmt.Sprintf("%d of the %d tasks of %s", room, tasks, r.JobID(int(job))))
			}
			g.limits.AddAccruingTasks(int(job), room)
		}
		out.Ints[job] = since.Int
	}
	seconds := &column.Column{ID: "job.accrue_seconds", Type: schema.Int, Ints: make([]int64, r.Jobs.Rows),
		Missing: out.Missing}
	for job, since := range out.Ints {
		seconds.Ints[job] = r.Now - since
	}
	same := r.Rows == r.Jobs
	for _, c := range []*column.Column{out, seconds} {
		r.Jobs.Put(c)
		if !same {
			r.Rows.Put(column.Take(c, r.RowJob))
		}
	}
	d := r.Findings.Infof("slurm-accrue-estimated", source.Span{},
		"the snapshot does not state from when ages grow, so they are taken to grow from eligible time")
	if limited > 0 {
		d.Note("limits on accrual leave %d jobs without age", limited)
	}
	if len(cut) > 0 {
		d.Note("of arrays they let only some tasks have age, which slurmctld splits off, and the array is ranked by "+
			"these: %s", evaluation.FirstFew(cut))
	}
	d.Note("`squeue --json` and `scontrol show job` have it as AccrueTime")
}

// knowsAccrual reports an input that says from when ages grow.
func knowsAccrual(r *evaluation.Result) bool {
	return r.Jobs.Column("job.accrue_time") != nil || r.Snapshot.Jobs.Column("job.accrue_seconds") != nil ||
		shares.AnyKnown(r.Jobs.Column("job.accrue_seconds"))
}

// countAccruing counts the waiting jobs whose ages grow by the snapshot.
func (g *guard) countAccruing() {
	if g.limits == nil || !g.limits.LimitsAccrual() {
		return
	}
	seconds := g.result.Jobs.Column("job.accrue_seconds")
	for job := range g.result.Jobs.Rows {
		if column.Known(seconds, job) && waiting(g.result, job) {
			g.limits.AddAccruing(job)
		}
	}
}

// waiting reports a job that neither runs nor has ended.
func waiting(r *evaluation.Result, job int) bool {
	state := r.Jobs.Text("job.state", job)
	return !evaluation.Active[state] && state != "done"
}

// readsAccrual reports a policy whose priorities depend on it.
func readsAccrual(r *evaluation.Result) bool {
	return slices.ContainsFunc(r.Program.Inputs(), func(id schema.ColumnID) bool {
		return id == "job.accrue_time" || id == "job.accrue_seconds"
	})
}

// independent reports a job whose age may grow: with enforced limits neither a hold nor a
// dependency nor a begin time to come; without them only what keeps the begin time open.
func (g *guard) independent(job int) bool {
	jobs := g.result.Jobs
	if begin := jobs.Value("job.begin_time", job); begin.Known() && begin.Int > g.result.Now {
		return false
	}
	return jobs.Text("job.dependency", job) == "" && (!g.rules.Limits || jobs.Int("job.held", job) == 0)
}

func allJobs(n int) []int32 {
	list := make([]int32, n)
	for i := range list {
		list[i] = int32(i)
	}
	return list
}
