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
// limits stop where another is free.
func Rank(r *evaluation.Result, holds []column.Bitmap) {
	r.Rank, r.RankRow = make([]int32, r.Jobs.Rows), slices.Clone(r.JobRow)
	rules := r.OrderRules()
	if r.Ties == nil {
		r.Ties = ties(r, rules)
	}
	in := make([]bool, r.Jobs.Rows)
	paired := slices.IndexFunc(rules, func(o evaluation.OrderRule) bool { return o.Before != nil })
	var queue []int32
	for i := range r.Jobs.Rows {
		if r.State[i] != evaluation.Eligible && r.State[i] != evaluation.Blocked {
			continue
		}
		if row, ok := bestEntry(r, i, rules, holds); ok {
			r.RankRow[i], in[i] = int32(row), true
		}
		if paired >= 0 {
			for row, end := r.Entries(i); row < end; row++ {
				if inQueue(r, row, holds) {
					queue = append(queue, int32(row))
				}
			}
		}
	}
	if paired >= 0 {
		rankByPairs(r, queue, rules, paired)
	} else {
		r.Order = make([]int32, 0, len(r.Ties))
		for _, job := range r.Ties {
			if in[job] {
				r.Order = append(r.Order, job)
			}
		}
		for _, rule := range slices.Backward(rules) { // stable, so the first rule decides
			if !rule.Tie && !rule.Alike {
				r.Order = rank.Falling(r.Order, func(job int) int64 { return rule.ByRow(int(r.RankRow[job])) })
			}
		}
	}
	for pos, i := range r.Order {
		r.Rank[i] = int32(pos + 1)
	}
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
