package verify

import "github.com/fairway-sched/fairway/runtime/engine"

// firstPassWhy is the same for all.
const firstPassWhy = "slurmctld had just started: the depth-oblivious formula takes the usage of those it has not yet come by for a huge number"

// afterStart computes the factors of the first pass, and with them the priorities.
func afterStart(q *inquiry, c *Cause) error {
	for _, k := range q.checks {
		first := firstPass(k.result)
		if first == nil {
			continue
		}
		q.settle(c, func(s *subject) (string, bool) {
			if s.check != k {
				return "", false
			}
			return firstPassWhy, s.fit(func(x *reading) float64 {
				if x.association != "" {
					if x.field == "fairshare" {
						return shownFactor(k.result, first, x.row)
					}
					return x.ours
				}
				node, ok := k.result.Tree.Node(jobText(k.result, "job.association", s.job))
				if !ok {
					return x.ours
				}
				return withFactor(k.result, x, first.Factor[node])
			})
		})
	}
	return nil
}

// withFactor is a number of ours as it would be with another fairshare factor.
func withFactor(r *engine.Result, x *reading, theirs float64) float64 {
	weighed := weightOf(r, "fairshare", x.row) * theirs
	switch x.field {
	case "priority":
		return x.ours - contribution("fairshare")(r, x.row) + weighed
	case "fairshare":
		return weighed
	case "fairshare_norm":
		return theirs
	}
	return x.ours
}

func weightOf(r *engine.Result, name string, row int) float64 {
	if i := component(r, name); i >= 0 {
		return r.Sums[i].Weight[row]
	}
	return 0
}
