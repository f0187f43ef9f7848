package verify

import (
	"fmt"
	"strings"

	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/family/slurm"
)

// twiceWeighed is what sprio itself gets wrong: in the row of a partition without the resource,
// a factor that is the weighted value of another row of the job (recorded: prio-mix).
func twiceWeighed(_ *inquiry, c *Cause, k *check) (func(*subject) []assumption, error) {
	if k.Name != "sprio" {
		return nil, nil
	}
	return func(s *subject) []assumption {
		taken := takenFactors(s)
		if len(taken) == 0 {
			return nil
		}
		r := k.result
		return []assumption{{c, "sprio weighs the value of another partition of the job again; slurmctld has the right one",
			func(x *reading, value float64) float64 {
				for name, factor := range taken[x.row] {
					weighed := resourceWeight(r, name, x.row) * factor
					switch x.field {
					case "priority":
						value += weighed - weighedResource(name)(r, x.row)
					case "tres(" + name + ")":
						value = weighed
					case "tres_norm(" + name + ")":
						value = factor
					}
				}
				return value
			}}}
	}, nil
}

// takenFactors are, by row and resource, the factors that sprio took from other rows of the job.
func takenFactors(s *subject) map[int]map[string]float64 {
	r := s.check.result
	first, end := r.Entries(s.job)
	taken := map[int]map[string]float64{}
	for _, x := range s.readings {
		name, ok := strings.CutPrefix(x.field, "tres(")
		name = strings.TrimSuffix(name, ")")
		if !ok || x.almost(x.ours) || plainResource(name)(r, x.row) != 0 {
			continue
		}
		for other := first; other < end; other++ {
			factor := weighedResource(name)(r, other)
			if other != x.row && x.almost(resourceWeight(r, name, x.row)*factor) {
				if taken[x.row] == nil {
					taken[x.row] = map[string]float64{}
				}
				taken[x.row][name] = factor
			}
		}
	}
	return taken
}

func resourceWeight(r *evaluation.Result, name string, row int) float64 {
	if t := resourceTerm(r, name); t != nil {
		return t.Weight[row]
	}
	return 0
}

// plainFairshare is the factor that the check of UsageThreshold computes. The column is rounded to a whole
// number, so it shows 0 or 1.
func plainFairshare(_ *inquiry, c *Cause, k *check) (func(*subject) []assumption, error) {
	if k.Name != "sprio" || k.result.Program.Slurm == nil {
		return nil, nil
	}
	checked := slurm.CheckedFairshare(k.result)
	return func(*subject) []assumption {
		return []assumption{{c, "the weight of fairshare is 0, and the check of UsageThreshold left the plain factor there",
			func(x *reading, value float64) float64 {
				if x.field == "fairshare" && weightOf(k.result, "fairshare", x.row) == 0 {
					if factor, ok := checked(x.row); ok {
						return value + factor
					}
				}
				return value
			}}}
	}, nil
}

// triedPartition is the priority in another partition of the job (_job_queue's entries), once it was tried.
func triedPartition(_ *inquiry, c *Cause, k *check) (func(*subject) []assumption, error) {
	if k.Name != "priority" {
		return nil, nil
	}
	r := k.result
	return func(s *subject) (list []assumption) {
		first, end := r.Entries(s.job)
		if end-first < 2 || neverLookedAt(r, s.job) {
			return nil
		}
		for row := first; row < end; row++ {
			list = append(list, assumption{c,
				fmt.Sprintf("it is the job's priority in partition %s, which was tried last", rowText(r, "job.partition", row)),
				func(x *reading, value float64) float64 { return value + x.value(r, row) - x.ours }})
		}
		return list
	}, nil
}

// neverLookedAt reports a job without LastSchedEval where the snapshot has it of others.
func neverLookedAt(r *evaluation.Result, job int) bool {
	return r.Jobs.Column("job.last_evaluation_time") != nil && lastTried(r, job) == 0
}

// maybeSetByHand is what remains possible where sprio was not asked.
func maybeSetByHand(q *inquiry, c *Cause) error {
	q.settle(c, func(s *subject) (string, bool) {
		return "add the output of sprio -l: it tells priorities that were set by hand, and which factor differs",
			s.check.Name == "priority" && q.snapshot.Sprio == nil && s.check.result.Facts.Passes
	})
	return nil
}
