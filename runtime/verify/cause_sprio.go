package verify

import (
	"fmt"
	"strings"

	"github.com/fairway-sched/fairway/runtime/engine"
)

// twiceWeighed finds what sprio itself gets wrong: in the row of a partition without the resource,
// a factor that is the weighted value of another row of the job (recorded: prio-mix).
func twiceWeighed(q *inquiry, c *Cause) error {
	q.settle(c, func(s *subject) (string, bool) {
		if s.check.Name != "sprio" {
			return "", false
		}
		r := s.check.result
		taken := takenFactors(s)
		return "sprio weighs the value of another partition of the job again; slurmctld has the right one",
			len(taken) > 0 && s.fit(func(x *reading) float64 {
				value := x.ours
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
			})
	})
	return nil
}

// takenFactors are, by row and resource, the factors that sprio took from other rows of the job.
func takenFactors(s *subject) map[int]map[string]float64 {
	r := s.check.result
	first, end := r.Entries(s.job)
	taken := map[int]map[string]float64{}
	for _, x := range s.readings {
		name, ok := strings.CutPrefix(x.field, "tres(")
		name = strings.TrimSuffix(name, ")")
		if !ok || x.almost(x.ours) {
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

func resourceWeight(r *engine.Result, name string, row int) float64 {
	if t := resourceTerm(r, name); t != nil {
		return t.Weight[row]
	}
	return 0
}

// plainFairshare: the column is rounded to a whole number, so it shows 0 or 1.
func plainFairshare(q *inquiry, c *Cause) error {
	q.settle(c, func(s *subject) (string, bool) {
		return "the weight of fairshare is 0, and the check of UsageThreshold left the plain factor there", s.check.Name == "sprio" && s.fit(func(x *reading) float64 {
			if x.field == "fairshare" && x.printed == 1 && weightOf(s.check.result, "fairshare", x.row) == 0 {
				return x.printed
			}
			return x.ours
		})
	})
	return nil
}

// triedPartition looks for the priority in the other partitions of the job (_job_queue's entries).
func triedPartition(q *inquiry, c *Cause) error {
	q.settle(c, func(s *subject) (string, bool) {
		if s.check.Name != "priority" {
			return "", false
		}
		r := s.check.result
		first, end := r.Entries(s.job)
		for row := first; row < end; row++ {
			if s.fit(func(x *reading) float64 { return x.value(r, row) }) {
				return fmt.Sprintf("it is the job's priority in partition %s, which was tried last", rowText(r, "job.partition", row)), true
			}
		}
		return "", false
	})
	return nil
}

// maybeSetByHand is what remains possible where sprio was not asked.
func maybeSetByHand(q *inquiry, c *Cause) error {
	q.settle(c, func(s *subject) (string, bool) {
		return "add the output of sprio -l: it tells priorities that were set by hand, and which factor differs", s.check.Name == "priority" && q.snapshot.Sprio == nil && s.check.result.Program.Family == "slurm"
	})
	return nil
}
