package order

import (
	"cmp"
	"slices"

	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/rank"
)

// Rank orders the waiting jobs that are not held. Each has the place of its best entry:
// Slurm's queue has an entry for each partition of a job (build_job_queue), and the first
// that comes up starts the job. Entries that failed or are held do not count, nor those that
// limits stop where another is free. Sorted is what ByPriority has made of the priorities; nil if it was not asked.
func Rank(r *evaluation.Result, holds []column.Bitmap, sorted []int32) {
	rules := r.OrderRules()
	paired := slices.IndexFunc(rules, func(o evaluation.OrderRule) bool { return o.Before != nil })
	r.Rank, r.RankRow = make([]int32, r.Jobs.Rows), r.JobRow
	if !single(r) || paired >= 0 {
		r.RankRow = slices.Clone(r.JobRow)
	}
	if r.Ties == nil {
		r.Ties = ties(r, rules)
	}
	in := waiting(r, rules, holds)
	switch {
	case paired >= 0:
		rankByPairs(r, rowsInQueue(r, in, holds), rules, paired)
	case r.Rules == nil && single(r) && sorted != nil:
		r.Order = marked(sorted, in)
	default:
		r.Order = marked(r.Ties, in)
		for _, rule := range slices.Backward(rules) { // stable, so the first rule decides
			switch {
			case rule.Tie || rule.Alike:
			case single(r):
				r.Order = rank.Falling(r.Order, rule.ByRow)
			default:
				r.Order = rank.Falling(r.Order, func(job int) int64 { return rule.ByRow(int(r.RankRow[job])) })
			}
		}
	}
	for pos, i := range r.Order {
		r.Rank[i] = int32(pos + 1)
	}
}

// waiting marks the jobs that have a place in the queue, and notes by which of their rows.
func waiting(r *evaluation.Result, rules []evaluation.OrderRule, holds []column.Bitmap) []bool {
	in := make([]bool, r.Jobs.Rows)
	plain := single(r) && len(holds) == 0 && len(r.Failed) == 0 && len(r.Refused) == 0
	r.Queued = make(column.Bitmap, (len(r.RowJob)+63)/64)
	for job, state := range r.State {
		switch {
		case state != evaluation.Eligible && state != evaluation.Blocked:
		case plain:
			in[job] = true
			r.Queued[job/64] |= 1 << (job % 64)
		default:
			if row, ok := bestEntry(r, job, rules, holds); ok {
				in[job] = true
				if r.RankRow[job] != int32(row) {
					r.RankRow[job] = int32(row)
				}
			}
		}
	}
	return in
}

// rowsInQueue are the rows of the waiting jobs by which they may start, in the order of the jobs.
func rowsInQueue(r *evaluation.Result, in []bool, holds []column.Bitmap) (rows []int32) {
	for job := range in {
		if !in[job] {
			continue
		}
		for row, end := r.Entries(job); row < end; row++ {
			if inQueue(r, row, holds) {
				rows = append(rows, int32(row))
			}
		}
	}
	return rows
}

// marked are the jobs of a list that have a mark.
func marked(list []int32, marks []bool) []int32 {
	out := make([]int32, 0, len(list))
	for _, job := range list {
		if marks[job] {
			out = append(out, job)
		}
	}
	return out
}

// rankByPairs orders the queue's rows where one rule compares pairs, and each job by its first row by which it may
// start. Such a rule (which job may preempt which) can go round in circles with the other rules; what comes out then
// is up to the algorithm, so this is slurmctld's: a merge sort of halves over the rows in the order of the jobs
// (glibc's qsort).
func rankByPairs(r *evaluation.Result, rows []int32, rules []evaluation.OrderRule, paired int) {
	place := make([]int32, len(r.RowJob)) // by the other rules
	others := slices.Clone(rows)
	for _, rule := range slices.Backward(rules) {
		if rule.ByRow != nil {
			others = rank.Falling(others, rule.ByRow)
		}
	}
	for i, row := range others {
		place[row] = int32(i)
	}
	mergeSort(rows, make([]int32, len(rows)), func(a, b int32) int {
		for _, rule := range rules[:paired] {
			if c := cmp.Compare(rule.ByRow(int(b)), rule.ByRow(int(a))); c != 0 {
				return c
			}
		}
		return cmp.Or(rules[paired].Before(int(a), int(b)), cmp.Compare(place[a], place[b]))
	})
	r.Order = r.Order[:0]
	taken := make([]bool, r.Jobs.Rows)
	for _, row := range rows {
		if job := r.RowJob[row]; !taken[job] && r.Queued.Get(int(row)) {
			taken[job] = true
			r.RankRow[job] = row
			r.Order = append(r.Order, job)
		}
	}
}

// mergeSort sorts halves and merges them; of equals the left one goes first.
func mergeSort(list, spare []int32, compare func(a, b int32) int) {
	if len(list) < 2 {
		return
	}
	half := len(list) / 2
	left, right := list[:half], list[half:]
	mergeSort(left, spare[:half], compare)
	mergeSort(right, spare[half:], compare)
	i, k := 0, 0
	for at := range spare {
		if k == len(right) || i < len(left) && compare(left[i], right[k]) <= 0 {
			spare[at] = left[i]
			i++
		} else {
			spare[at] = right[k]
			k++
		}
	}
	copy(list, spare)
}

// bestEntry marks the live rows of a job and returns the one that comes first. One that a limit stops
// does not start the job while another may. Reservation, submit time and id are the job's and the
// same for all.
func bestEntry(r *evaluation.Result, job int, rules []evaluation.OrderRule, holds []column.Bitmap) (best int, ok bool) {
	first, end := r.Entries(job)
	if end-first == 1 {
		if ok = inQueue(r, first, holds); ok {
			r.Queued.Set(first)
		}
		return first, ok
	}
	free := false
	for row := first; row < end && !free; row++ {
		free = r.Barred[int32(row)] == nil && inQueue(r, row, holds)
	}
	for row := first; row < end; row++ {
		if free && r.Barred[int32(row)] != nil || !inQueue(r, row, holds) {
			continue
		}
		r.Queued.Set(row)
		if !ok || better(rules, row, best) {
			best, ok = row, true
		}
	}
	return best, ok
}

// inQueue reports a row of a waiting job that has a priority and is not held, in a partition that takes
// the job if any does.
func inQueue(r *evaluation.Result, row int, holds []column.Bitmap) bool {
	if r.Failed.Get(row) || r.Refused.Get(row) && !r.RefusedAll(int(r.RowJob[row])) {
		return false
	}
	return !slices.ContainsFunc(holds, func(hold column.Bitmap) bool { return hold.Get(row) })
}

// better reports a row that the rules put before another of the same job.
func better(rules []evaluation.OrderRule, a, b int) bool {
	for _, rule := range rules {
		if rule.ByRow == nil {
			continue
		}
		if c := cmp.Compare(rule.ByRow(a), rule.ByRow(b)); c != 0 {
			return c > 0
		}
	}
	return false
}

// ByPriority are all jobs by the falling priorities of their first rows; equal ones are in the order of the snapshot.
// What fails or does not wait is in it too. It is sorted once for all who ask.
func ByPriority(run *evaluation.Run) []int32 {
	if run.Sorted == nil {
		priority := run.Priority
		if !single(run.Result) {
			priority = make([]int64, run.Jobs.Rows)
			for job, row := range run.JobRow {
				priority[job] = run.Priority[row]
			}
		}
		run.Sorted = rank.Descending(priority)
	}
	return run.Sorted
}

// single reports that each job has one row, which is that of its number.
func single(r *evaluation.Result) bool { return len(r.RowJob) == r.Jobs.Rows }
