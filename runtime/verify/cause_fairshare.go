package verify

import (
	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// firstPassWhy is the same for all.
const firstPassWhy = "slurmctld had just started: the depth-oblivious formula takes the usage of those it has not " +
	"yet come by for a huge number"

// afterStart computes the factors of the first pass, and with them the priorities. They are those of all
// associations at once.
func afterStart(q *inquiry, c *Cause, k *check) (func(*subject) []assumption, error) {
	first := firstPass(k.result)
	if first == nil {
		return nil, nil
	}
	value := func(x *reading, value float64) float64 {
		if x.association != "" {
			if x.field == "fairshare" {
				return shownFactor(k.result, first, x.row)
			}
			return value
		}
		node, ok := k.result.Tree.Node(jobText(k.result, "job.association", x.job))
		if !ok {
			return value
		}
		return withFactor(k.result, x, value, first.Factor[node])
	}
	if q.contradicted(k, func(x *reading) float64 { return value(x, x.ours) }) {
		return nil, nil
	}
	return func(*subject) []assumption { return []assumption{{c, firstPassWhy, value}} }, nil
}

// withFactor is a number of a job as it would be with another fairshare factor.
func withFactor(r *evaluation.Result, x *reading, value, theirs float64) float64 {
	weighed := weightOf(r, "fairshare", x.row) * theirs
	switch x.field {
	case "priority":
		return value - contribution("fairshare")(r, x.row) + weighed
	case "fairshare":
		return weighed
	case "fairshare_norm":
		return theirs
	}
	return value
}

func weightOf(r *evaluation.Result, name string, row int) float64 {
	if i := component(r, name); i >= 0 {
		return r.Sums[i].Weight[row]
	}
	return 0
}
