package verify

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// otherFactor settles the subjects whose numbers are right with the factors that sprio printed.
func otherFactor(q *inquiry, c *Cause) error {
	byJob := q.otherFactors()
	q.settle(c, func(s *subject) (string, bool) {
		f := byJob[s.job]
		if len(f) == 0 {
			return "", false
		}
		for _, x := range s.readings {
			if value, slack := f.value(x, s.check); !x.within(value, x.slack+slack) {
				return "", false
			}
		}
		return f.text(), true
	})
	return nil
}

// otherFactors are what sprio printed and we have not, by row of ours and column of sprio. Of
// resources it is the weighted value, because factors have two decimals only.
type otherFactors map[int]map[string]*reading

// otherFactors finds the columns of sprio that are off, by job.
func (q *inquiry) otherFactors() map[int]otherFactors {
	out := map[int]otherFactors{}
	for _, k := range q.checks {
		if k.Name != "sprio" {
			continue
		}
		for _, x := range k.readings {
			column, isFactor := strings.CutSuffix(x.field, "_norm")
			if !isFactor && !strings.HasPrefix(x.field, "tres(") || x.almost(x.ours) {
				continue
			}
			if out[x.job] == nil {
				out[x.job] = otherFactors{}
			}
			if out[x.job][x.row] == nil {
				out[x.job][x.row] = map[string]*reading{}
			}
			out[x.job][x.row][column] = x
		}
	}
	return out
}

// value is a number of ours as it would be with these factors, and what that may be off by because
// they were printed with few digits.
func (f otherFactors) value(x *reading, k *check) (value, slack float64) {
	columns := f[x.row]
	if len(columns) == 0 && k.Name == "priority" { // of a job that sprio shows in other partitions only
		return x.ours, 0
	}
	own := strings.TrimSuffix(x.field, "_norm")
	if other := columns[own]; other != nil {
		half := (other.high - other.low) / 2
		switch weight := fieldWeight(k.result, own, x.row); {
		case other == x:
			return x.printed, 0
		case other.field == own+"_norm":
			return weight * other.printed, half * math.Abs(weight)
		}
	}
	if strings.HasPrefix(x.field, "tres_norm(") && columns["tres("+strings.TrimPrefix(x.field, "tres_norm(")] != nil {
		return x.printed, 0
	}
	if x.field != "priority" {
		return x.ours, 0
	}
	value = x.ours
	for _, column := range slices.Sorted(maps.Keys(columns)) { // a sum of doubles depends on its order
		other := columns[column]
		half, weight := (other.high-other.low)/2, 1.0
		if other.field != column {
			weight = fieldWeight(k.result, column, x.row)
		}
		value += weight * (other.printed - other.ours)
		slack += half * math.Abs(weight)
	}
	return value, slack
}

// whatSets says where to look when a factor differs.
var whatSets = map[string]string{
	"age":       "PriorityMaxAge, PriorityFlags or when age began to count",
	"assoc":     "the priorities of associations",
	"fairshare": "shares and usage",
	"job_size":  "the nodes and processors of the cluster, PriorityFavorSmall or SMALL_RELATIVE_TO_TIME",
	"partition": "PriorityJobFactor of the partitions",
	"qos":       "the priorities of all QOS",
}

// text names what differs, in sprio's order.
func (f otherFactors) text() string {
	var parts []string
	for _, c := range sprioFactors {
		for _, row := range slices.Sorted(maps.Keys(f)) {
			if x := f[row][c.column]; x != nil {
				parts = append(parts, fmt.Sprintf("%s is %.7g to the controller and %.7g here: see %s", c.column, x.printed, x.ours,
					whatSets[c.column]))
				break
			}
		}
	}
	if len(parts) == 0 {
		return "a trackable resource counts otherwise to the controller: see the TRES of the job and its partitions"
	}
	return strings.Join(parts, "; ")
}

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
