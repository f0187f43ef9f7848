package evaluation

import (
	"github.com/fairway-sched/fairway/runtime/limit"
)

// RefusedFor is the limit for which a walk through the queue did not take a job, with the use that the
// walk had counted by then: Maui's walk with those bounds, or the only one of a policy from scratch. nil
// if it took the job, or passed it over for something else.
func (r *Result) RefusedFor(job int, b limit.Bound) *limit.Violation {
	switch {
	case r.Refusals != nil:
		return r.Refusals.Limit(r.Limits, b, int32(job))
	case r.Why[job] != nil:
		return r.Why[job].Limit
	}
	return nil
}
