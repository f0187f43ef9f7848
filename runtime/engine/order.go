package engine

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
)

// states fills State and Reason of every job.
func (r *Result) states(holds []column.Bitmap) {
	n := r.Jobs.Rows
	r.State, r.Reason = make([]State, n), make([]string, n)
	for i := range n {
		r.State[i], r.Reason[i] = r.state(i, holds)
	}
}

func (r *Result) state(i int, holds []column.Bitmap) (State, string) {
	recorded := r.Jobs.Value("job.state_reason", i).Str
	switch r.Jobs.Value("job.state", i).Str {
	case "running", "suspended", "completing":
		return Running, recorded
	case "done":
		return Done, recorded
	}
	if r.Jobs.Value("job.held", i).Int != 0 {
		return Held, recorded
	}
	for k, hold := range holds {
		if hold.Get(int(r.JobRow[i])) {
			return Held, r.Program.Holds[k].Reason
		}
	}
	if begin := r.Jobs.Value("job.begin_time", i); begin.Known() && begin.Int > r.Now {
		return Blocked, word(recorded, "BeginTime")
	}
	if r.Jobs.Value("job.dependency", i).Str != "" {
		return Blocked, word(recorded, "Dependency")
	}
	return Eligible, recorded
}

func word(recorded, fallback string) string {
	if recorded == "" || recorded == "None" {
		return fallback
	}
	return recorded
}

// rank orders the waiting jobs that are not held. Slurm sorts its queue by
// reservation, partition tier, priority, submit time and job id (job_queue_rec sort,
// sort_job_queue2); Maui by priority, ties in the resource manager's order.
func (r *Result) rank() {
	r.Rank = make([]int32, r.Jobs.Rows)
	for i := range r.Jobs.Rows {
		if (r.State[i] == Eligible || r.State[i] == Blocked) && !r.Failed.Get(int(r.JobRow[i])) {
			r.Order = append(r.Order, int32(i))
		}
	}
	if r.Program.Family == "slurm" {
		r.sortAsSlurm()
	} else {
		slices.SortStableFunc(r.Order, r.byPriority)
	}
	for pos, i := range r.Order {
		r.Rank[i] = int32(pos + 1)
	}
}

func (r *Result) byPriority(a, b int32) int {
	return cmp.Compare(r.Priority[r.JobRow[b]], r.Priority[r.JobRow[a]])
}

func (r *Result) sortAsSlurm() {
	n := r.Jobs.Rows
	tier, reserved, submit := make([]int64, n), make([]bool, n), make([]int64, n)
	ids := make([]jobID, n)
	for _, i := range r.Order {
		tier[i] = 1
		if v := r.Value("partition.priority_tier", int(r.JobRow[i])); v.Known() {
			tier[i] = v.Int
		}
		reserved[i] = r.Jobs.Value("job.reservation", int(i)).Str != ""
		submit[i] = r.Jobs.Value("job.submit_time", int(i)).Int
		ids[i] = parseJobID(r.Jobs.Value("job.id", int(i)).Str)
	}
	slices.SortStableFunc(r.Order, func(a, b int32) int {
		if reserved[a] != reserved[b] {
			if reserved[a] {
				return -1
			}
			return 1
		}
		return cmp.Or(
			cmp.Compare(tier[b], tier[a]),
			r.byPriority(a, b),
			cmp.Compare(submit[a], submit[b]),
			cmp.Compare(ids[a].job, ids[b].job),
			cmp.Compare(ids[a].task, ids[b].task))
	})
}

// jobID orders "12_3" after "12_2"; an id that is not a number sorts by 0 and
// keeps the snapshot's order.
type jobID struct{ job, task int64 }

func parseJobID(id string) jobID {
	job, task, _ := strings.Cut(id, "_")
	j, _ := strconv.ParseInt(job, 10, 64)
	t, _ := strconv.ParseInt(task, 10, 64)
	return jobID{j, t}
}

// extraInputs are columns that ordering needs although no formula reads them.
var extraInputs = map[string][]schema.ColumnID{
	"slurm": {"partition.priority_tier"},
}
