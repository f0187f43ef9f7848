package replay

import (
	"cmp"
	"math"
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// overtaking is how often a job was overtaken, and when first.
type overtaking struct {
	times int64
	first int64 // epoch seconds: the first start of a job that overtook it
}

// overtaken counts, for each job that started, the jobs of its partition that were submitted later and started earlier.
func (r *Result) overtaken() []overtaking {
	out := make([]overtaking, len(r.Outcomes))
	partitions := map[string][]int{}
	for i := range r.Outcomes {
		if o := &r.Outcomes[i]; o.By != "" && o.By != backfill.ByRunning {
			partitions[o.Partition] = append(partitions[o.Partition], i)
		}
	}
	for _, jobs := range partitions {
		r.overtakenIn(jobs, out)
	}
	return out
}

// overtakenIn counts among the jobs of a partition: from the last that was submitted to the first, with a tree of sums
// over their starts (Fenwick's).
func (r *Result) overtakenIn(jobs []int, out []overtaking) {
	starts := make([]int64, len(jobs))
	for k, i := range jobs {
		starts[k] = r.Outcomes[i].Start
	}
	slices.Sort(starts)
	starts = slices.Compact(starts)
	slices.SortFunc(jobs, func(a, b int) int { return cmp.Compare(r.Outcomes[b].Submit, r.Outcomes[a].Submit) })
	sums := make([]int64, len(starts)+1)
	first := int64(math.MaxInt64)
	for k := 0; k < len(jobs); {
		same := k
		for same < len(jobs) && r.Outcomes[jobs[same]].Submit == r.Outcomes[jobs[k]].Submit {
			same++
		}
		for _, i := range jobs[k:same] {
			at, _ := slices.BinarySearch(starts, r.Outcomes[i].Start)
			for ; at > 0; at &= at - 1 {
				out[i].times += sums[at]
			}
			out[i].first = first
		}
		for _, i := range jobs[k:same] {
			start := r.Outcomes[i].Start
			first = min(first, start)
			at, _ := slices.BinarySearch(starts, start)
			for at++; at < len(sums); at += at & -at {
				sums[at]++
			}
		}
		k = same
	}
}
