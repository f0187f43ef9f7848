package order

import (
	"cmp"
	"slices"

	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/rank"
)

// ties puts all jobs in the order of the rules that tell jobs of equal priority apart.
func ties(r *evaluation.Result, rules []evaluation.OrderRule) []int32 {
	order := make([]int32, r.Jobs.Rows)
	for job := range order {
		order[job] = int32(job)
	}
	for _, rule := range slices.Backward(rules) {
		if rule.Tie {
			order = rank.Falling(order, func(job int) int64 { return rule.ByRow(int(r.JobRow[job])) })
		}
	}
	return order
}

// manyTouched is from how many touched jobs on it is faster to sort all of them.
const manyTouched = 1000

// Ties takes the order of all jobs by the tie rules from an earlier evaluation, and puts the touched jobs in their
// places. These rules go by what snapshots state of a job, which time and policies do not change.
func Ties(r *evaluation.Result, before *evaluation.Earlier) {
	if before == nil || before.Ties == nil || len(before.Touched) > manyTouched ||
		before.Program.Family != r.Program.Family {
		return
	}
	if len(before.Touched) == 0 && before.InPlace() {
		r.Ties = before.Ties
		return
	}
	now := make([]int32, len(before.JobRow))
	for job := range now {
		now[job] = -1
	}
	for job, was := range before.Was() {
		if was >= 0 {
			now[was] = int32(job)
		}
	}
	out := make([]int32, 0, before.Count)
	for _, job := range before.Ties {
		if at := now[job]; at >= 0 {
			out = append(out, at)
		}
	}
	rules := r.OrderRules()
	compare := func(a, b int32) int {
		for _, rule := range rules {
			if rule.Tie {
				if c := cmp.Compare(rule.ByRow(int(r.JobRow[b])), rule.ByRow(int(r.JobRow[a]))); c != 0 {
					return c
				}
			}
		}
		return cmp.Compare(a, b)
	}
	for _, job := range before.Touched {
		at, _ := slices.BinarySearchFunc(out, int32(job), compare)
		out = slices.Insert(out, at, int32(job))
	}
	r.Ties = out
}
