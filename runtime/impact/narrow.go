package impact

import (
	"slices"

	"github.com/fairway-sched/fairway/runtime/report/eval"
)

// Narrow is a comparison whose lists of jobs have only those that keep wants, in the given order where there is one,
// and at most so many each; all for 0. What is about the whole queue stays.
func (c *Comparison) Narrow(keep func(job int) bool, order func(a, b int) int, limit int,
	filter *eval.Filter) *Comparison {
	out := *c
	out.Filter, out.whole = filter, c
	out.Moves = narrow(c.Moves, func(m *Move) int { return m.index }, keep, order, limit)
	out.Blocks = narrow(c.Blocks, func(b *Block) int { return b.index }, keep, order, limit)
	out.Starts = narrow(c.Starts, func(s *Start) int { return s.index }, keep, order, limit)
	return &out
}

func narrow[T any](list []T, job func(*T) int, keep func(job int) bool, order func(a, b int) int, limit int) []T {
	out := make([]T, 0, len(list))
	for i := range list {
		if keep(job(&list[i])) {
			out = append(out, list[i])
		}
	}
	if order != nil {
		slices.SortStableFunc(out, func(a, b T) int { return order(job(&a), job(&b)) })
	}
	if limit > 0 {
		out = out[:min(limit, len(out))]
	}
	return out
}
