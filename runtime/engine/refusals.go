package engine

import (
	"slices"

	"github.com/fairway-sched/fairway/runtime/limit"
)

// refusals remember, for each of the two walks, for which limit it did not take a job: the counts
// that a limit was asked with are gone when the reasons are written.
type refusals struct {
	of   [2][]int32 // by bound and job: 1 + its place among those kept; 0 for a job not refused for a limit
	kept []limit.Refusal
}

func (r *refusals) begin(b limit.Bound, jobs int) {
	r.of[b] = make([]int32, jobs)
	r.kept = slices.Grow(r.kept, jobs)
}

func (r *refusals) add(b limit.Bound, job int32, v *limit.Violation) {
	r.kept = append(r.kept, v.Refusal())
	r.of[b][job] = int32(len(r.kept))
}

// limit is the limit that a walk did not take a job for; nil if there is none.
func (r *refusals) limit(g *limit.Gate, b limit.Bound, job int32) *limit.Violation {
	at := r.of[b][job]
	if at == 0 {
		return nil
	}
	v := g.Violation(int(job), r.kept[at-1])
	return &v
}
