package derive

import (
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/program"
)

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
