package explain

import (
	"cmp"
	"math"
	"slices"

	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/limit"
	"github.com/fairway-sched/fairway/runtime/report/eval"
)

// release finds when running jobs use no more than room, if no other starts: at the end of one of them,
// by its limit, or, where what they have left counts, as it runs down.
func release(r *evaluation.Result, counts string, uses []limit.Use, room int64) explainedRelease {
	never := explainedRelease{after: -1}
	type ending struct {
		limit.Use
		end int64
	}
	var list []ending
	sum := int64(0)
	for _, use := range uses {
		sum += use.Amount
		left := eval.Remaining(r, use.Job)
		if !left.Known() {
			left.Int = math.MaxInt64 - r.Now // unknown; not before the others
		}
		list = append(list, ending{use, r.Now + max(1, left.Int)}) // an overdue job still runs now
	}
	slices.SortStableFunc(list, func(a, b ending) int { return cmp.Compare(a.end, b.end) })
	runsDown := counts == "walltime" || counts == "proc_seconds"
	for i, e := range list {
		if e.end >= math.MaxInt64-1 {
			return never
		}
		if runsDown {
			if at, ok := firstWithin(r.Now, e.end, room, func(t int64) float64 {
				use := 0.0
				for _, other := range list[i:] {
					use += float64(other.Amount) * float64(other.end-t) / float64(max(1, other.end-r.Now))
				}
				return use
			}); ok {
				if at == e.end {
					return explainedRelease{true, at, e.Job}
				}
				return explainedRelease{true, at, -1}
			}
			continue
		}
		if sum -= e.Amount; sum <= room {
			return explainedRelease{true, e.end, e.Job}
		}
	}
	return never
}

// firstWithin is the first second up to end in which a use that only falls is within room.
func firstWithin(from, end, room int64, use func(int64) float64) (int64, bool) {
	if use(end) > float64(room) {
		return 0, false
	}
	for from < end {
		if middle := from + (end-from)/2; use(middle) <= float64(room) {
			end = middle
		} else {
			from = middle + 1
		}
	}
	return end, true
}
