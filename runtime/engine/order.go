package engine

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/rank"
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
	keys := []func(int32) int64{r.storedPriority}
	if r.Program.Family == "slurm" {
		keys = r.slurmKeys()
	}
	for _, key := range slices.Backward(keys) { // stable, so the first key decides
		r.Order = descending(r.Order, key)
	}
	for pos, i := range r.Order {
		r.Rank[i] = int32(pos + 1)
	}
}

func (r *Result) storedPriority(i int32) int64 { return r.Priority[r.JobRow[i]] }

// slurmKeys are what Slurm sorts by, the most significant first; what it sorts
// upwards is negated.
func (r *Result) slurmKeys() []func(int32) int64 {
	submit, ids := r.Jobs.Column("job.submit_time"), r.Jobs.Column("job.id")
	id := func(i int32) jobID { return parseJobID(ids.Dict[ids.Codes[i]]) }
	return []func(int32) int64{
		func(i int32) int64 {
			return schema.BoolValue(r.Jobs.Value("job.reservation", int(i)).Str != "").Int
		},
		func(i int32) int64 {
			if v := r.Value("partition.priority_tier", int(r.JobRow[i])); v.Known() {
				return v.Int
			}
			return 1
		},
		r.storedPriority,
		func(i int32) int64 {
			if submit == nil {
				return 0
			}
			return -submit.Ints[i]
		},
		func(i int32) int64 { return -id(i).job },
		func(i int32) int64 { return -id(i).task },
	}
}

// descending sorts by falling key; equal keys keep their order.
func descending(order []int32, key func(int32) int64) []int32 {
	keys := make([]int64, len(order))
	same := true
	for k, i := range order {
		keys[k] = key(i)
		same = same && keys[k] == keys[0]
	}
	if same {
		return order
	}
	out := make([]int32, len(order))
	for k, at := range rank.Descending(keys) {
		out[k] = order[at]
	}
	return out
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
