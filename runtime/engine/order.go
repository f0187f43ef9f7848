package engine

import (
	"cmp"
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/rank"
)

// rank orders the waiting jobs that are not held. Each stands where its best entry does:
// Slurm's queue has an entry for each partition of a job (build_job_queue), and the first
// that comes up starts the job. Entries that failed or are held do not count, nor those that
// limits stop where another is free.
func (r *Result) rank(holds []column.Bitmap) {
	r.Rank, r.RankRow = make([]int32, r.Jobs.Rows), slices.Clone(r.JobRow)
	var queue []int32
	for i := range r.Jobs.Rows {
		if r.State[i] != Eligible && r.State[i] != Blocked {
			continue
		}
		if row, ok := r.bestEntry(i, holds); ok {
			r.RankRow[i] = int32(row)
			r.Order = append(r.Order, int32(i))
		}
		if r.preempts != nil {
			for row, end := r.Entries(i); row < end; row++ {
				if r.inQueue(row, holds) {
					queue = append(queue, int32(row))
				}
			}
		}
	}
	if r.preempts != nil {
		r.rankByPreemption(queue, r.Queued.Get)
	} else {
		for _, rule := range slices.Backward(r.OrderRules()) { // stable, so the first rule decides
			r.Order = descending(r.Order, func(job int) int64 { return rule.ByRow(int(r.RankRow[job])) })
		}
	}
	for pos, i := range r.Order {
		r.Rank[i] = int32(pos + 1)
	}
}

// bestEntry marks the live rows of a job and returns the one that stands first. One that a limit stops
// does not start the job while another may. Reservation, submit time and id are the job's and the
// same for all.
func (r *Result) bestEntry(job int, holds []column.Bitmap) (best int, ok bool) {
	first, end := r.Entries(job)
	free := false
	for row := first; row < end && !free; row++ {
		free = r.Barred[int32(row)] == nil && r.inQueue(row, holds)
	}
	for row := first; row < end; row++ {
		if free && r.Barred[int32(row)] != nil || !r.inQueue(row, holds) {
			continue
		}
		r.Queued.Set(row)
		if !ok || r.betterEntry(row, best) {
			best, ok = row, true
		}
	}
	return best, ok
}

// inQueue reports a row of a waiting job that has a priority and is not held, in a partition that takes
// the job if any does.
func (r *Result) inQueue(row int, holds []column.Bitmap) bool {
	if r.Failed.Get(row) || r.refused.Get(row) && !r.refusedAll(int(r.RowJob[row])) {
		return false
	}
	return !slices.ContainsFunc(holds, func(hold column.Bitmap) bool { return hold.Get(row) })
}

// refusedAll reports a job that none of its partitions takes.
func (r *Result) refusedAll(job int) bool {
	first, end := r.Entries(job)
	for row := first; row < end; row++ {
		if !r.refused.Get(row) {
			return false
		}
	}
	return true
}

func (r *Result) betterEntry(a, b int) bool {
	byPriority := cmp.Compare(r.Priority[a], r.Priority[b])
	if r.Program.Family != "slurm" {
		return byPriority > 0
	}
	return cmp.Or(cmp.Compare(r.Tier(a), r.Tier(b)), byPriority) > 0
}

// Entries is the range of a job's rows: one for each partition it was submitted to.
func (r *Result) Entries(job int) (first, end int) {
	first = int(r.JobRow[job])
	end = first + 1
	for end < len(r.RowJob) && int(r.RowJob[end]) == job {
		end++
	}
	return first, end
}

// JobFailed reports a job that has a priority in none of its partitions.
func (r *Result) JobFailed(job int) bool {
	first, end := r.Entries(job)
	for row := first; row < end; row++ {
		if !r.Failed.Get(row) {
			return false
		}
	}
	return true
}

// readTiers looks the tiers up once: the queue's order compares those of many pairs of rows.
func (r *Result) readTiers() {
	if r.Program.Family != "slurm" {
		return
	}
	tiers := make([]int64, r.Rows.Rows)
	for row := range tiers {
		tiers[row] = r.Tier(row)
	}
	r.tiers = tiers
}

// Tier is the PriorityTier of a row's partition; Slurm's default is 1.
func (r *Result) Tier(row int) int64 {
	if r.tiers != nil {
		return r.tiers[row]
	}
	if v := r.Value("partition.priority_tier", row); v.Known() {
		return v.Int
	}
	return 1
}

// descending sorts by falling key; equal keys keep their order.
func descending(order []int32, key func(job int) int64) []int32 {
	keys := make([]int64, len(order))
	same := true
	for k, i := range order {
		keys[k] = key(int(i))
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

// extraInputs are columns that ordering needs although no formula reads them.
var extraInputs = map[string][]schema.ColumnID{
	"slurm": {"partition.priority_tier"},
}
