package verify

import (
	"fmt"
	"math"
	"strings"

	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// weight is a weight of ours and the one with which sprio's numbers come out.
type weight struct {
	field, name  string // sprio's column, and the weight's name in slurm.conf
	ours, theirs float64
}

// slurmWeights are the parameters that set the weights of sprio's columns.
var slurmWeights = map[string]string{
	"age": "PriorityWeightAge", "assoc": "PriorityWeightAssoc", "fairshare": "PriorityWeightFairshare",
	"job_size": "PriorityWeightJobSize", "partition": "PriorityWeightPartition", "qos": "PriorityWeightQOS",
}

// otherWeight finds weights that put all rows of sprio right.
func otherWeight(q *inquiry, c *Cause) error {
	var weights []weight
	for _, k := range q.checks {
		if k.Name == "sprio" {
			weights = shownWeights(k)
		}
	}
	if len(weights) == 0 {
		return nil
	}
	var list []string
	for _, w := range weights {
		list = append(list, fmt.Sprintf("%s is %v to the controller and %v here", w.name, w.theirs, w.ours))
	}
	why := strings.Join(list, "; ")
	q.settle(c, func(s *subject) (string, bool) {
		return why, s.job >= 0 && s.fit(func(x *reading) float64 {
			value := x.ours
			for _, w := range weights {
				f := fieldFactor(s.check.result, w.field, x.row)
				switch x.field {
				case "priority":
					value += (w.theirs - w.ours) * f
				case w.field:
					value = w.theirs * f
				}
			}
			return value
		})
	})
	return nil
}

// fieldFactor is our factor for one of sprio's weighted columns.
func fieldFactor(r *evaluation.Result, field string, row int) float64 {
	if name, ok := strings.CutPrefix(field, "tres("); ok {
		return plainResource(strings.TrimSuffix(name, ")"))(r, row)
	}
	for _, f := range sprioFactors {
		if f.column == field {
			return factor(f.component)(r, row)
		}
	}
	return 0
}

func fieldWeight(r *evaluation.Result, field string, row int) float64 {
	if name, ok := strings.CutPrefix(field, "tres("); ok {
		return resourceWeight(r, strings.TrimSuffix(name, ")"), row)
	}
	for _, f := range sprioFactors {
		if f.column == field {
			return weightOf(r, f.component, row)
		}
	}
	return 0
}

// leastFactor: what is printed of a smaller factor says nothing of its weight.
const leastFactor = 1e-6

// shownWeights are the weights that differ from ours and with which a whole column comes out, as far
// as factors are ours. A column may allow several; the roundest is taken.
func shownWeights(k *check) []weight {
	var fields []string
	low, high, ours := map[string]float64{}, map[string]float64{}, map[string]float64{}
	other := map[[2]any]bool{} // rows and columns in which sprio has another factor
	for _, x := range k.readings {
		if column, ok := strings.CutSuffix(x.field, "_norm"); ok && !x.almost(x.ours) {
			other[[2]any{x.row, column}] = true
		}
	}
	for _, x := range k.readings {
		if other[[2]any{x.row, x.field}] {
			continue
		}
		f := fieldFactor(k.result, x.field, x.row)
		if f < leastFactor {
			continue
		}
		slack := 0.0
		if x.field == "fairshare" {
			slack = halfOfSixth
		}
		from, to := x.low/(f+slack), x.high/(f-slack)
		if _, seen := low[x.field]; !seen {
			fields = append(fields, x.field)
			low[x.field], high[x.field], ours[x.field] = from, to, fieldWeight(k.result, x.field, x.row)
		}
		low[x.field], high[x.field] = math.Max(low[x.field], from), math.Min(high[x.field], to)
	}
	var out []weight
	for _, field := range fields {
		if ours[field] >= low[field] && ours[field] <= high[field] || low[field] > high[field] {
			continue
		}
		if theirs, ok := roundest(low[field], high[field]); ok {
			name := slurmWeights[field]
			if name == "" {
				name = "PriorityWeightTRES of " + strings.TrimSuffix(strings.TrimPrefix(field, "tres("), ")")
			}
			out = append(out, weight{field, name, ours[field], theirs})
		}
	}
	return out
}

// roundest is the number in a range that ends with most zeros.
func roundest(low, high float64) (float64, bool) {
	for unit := math.Pow10(9); unit >= 1; unit /= 10 {
		if n := math.Ceil(low/unit) * unit; n <= high {
			return n, true
		}
	}
	return 0, false
}
