package verify

import (
	"math"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// sprioFactors are sprio's columns of factors with the component of each.
var sprioFactors = []struct{ column, component string }{
	{"age", "age"}, {"assoc", "assoc"}, {"fairshare", "fairshare"}, {"job_size", "jobsize"}, {"partition", "partition"},
	{"qos", "qos"},
}

// sprio reads the rows of sprio: weighted numbers without decimals, factors with seven, those of
// trackable resources with two (sprio's opts; recorded).
func sprio(r *evaluation.Result, t *column.Table) *check {
	k := &check{Check: Check{Name: "sprio", Of: "priorities and factors of sprio"}}
	ids := t.Column(snapshot.SprioColumn("id"))
	if ids == nil {
		return k
	}
	jobs := jobIndex(r)
	basic, unit := takesRecorded(r), usageUnit(r.Snapshot.Credentials["association"])
	order := make([]int, t.Rows) // rows of a job are together
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(ids.Codes[a]) - int(ids.Codes[b]) })
	for _, at := range order {
		job, ok := jobs[ids.Dict[ids.Codes[at]]]
		if !ok {
			k.skip("no output of the queue has the job")
			continue
		}
		row, ok := sprioRow(r, t, at, job)
		if !ok {
			k.skip("no output of the queue has the job in that partition")
			continue
		}
		why := keptRow(r, row)
		switch {
		case why != "" && why != kept["incr_only"]: // sprio prints the factors of now
			k.skip(why)
		case basic:
			k.skip(takenOver)
		default:
			k.readings = append(k.readings, printedBySprio(r, t, at, job, row, unit)...)
		}
	}
	return k
}

func jobIndex(r *evaluation.Result) map[string]int {
	index := map[string]int{}
	for i := range r.Jobs.Rows {
		index[jobText(r, "job.id", i)] = i
	}
	return index
}

// sprioRow is the row of ours that a row of sprio is about.
func sprioRow(r *evaluation.Result, t *column.Table, at, job int) (row int, ok bool) {
	name := t.Value(snapshot.SprioColumn("partition_name"), at)
	row, end := r.Entries(job)
	if !name.Known() {
		return row, end == row+1
	}
	for ; row < end; row++ {
		if rowText(r, "job.partition", row) == name.Str {
			return row, true
		}
	}
	return 0, false
}

func printedBySprio(r *evaluation.Result, t *column.Table, at, job, row int, unit float64) []*reading {
	var list []*reading
	factorSlack, weighedSlack := shareSlack(r, row, unit)
	add := func(field string, decimals int, value func(*evaluation.Result, int) float64) *reading {
		printed := t.Value(snapshot.SprioColumn(field), at)
		if !printed.Known() {
			return &reading{}
		}
		x := &reading{field: field, job: job, row: row, printed: printed.Double, value: value}
		x.low, x.high = rounded(x.printed, decimals)
		list = append(list, x)
		return x
	}
	p := add("priority", 0, score)
	p.low, p.high = truncated(p.printed, 1, math.Inf(1)) // sprio does not stop at 32 bits
	p.slack = weighedSlack
	for _, f := range sprioFactors {
		weighted, plain := add(f.column, 0, contribution(f.component)), add(f.column+"_norm", 7, factor(f.component))
		if f.component == "fairshare" {
			weighted.slack, plain.slack = weighedSlack, factorSlack
		}
	}
	add("site", 0, contribution("site"))
	add("nice", 0, func(r *evaluation.Result, row int) float64 { return -contribution("nice")(r, row) })
	for _, id := range resourceColumns(t) {
		field := strings.TrimPrefix(string(id), "sprio.")
		if id.Name() == "tres" {
			add(field, 0, weighedResource(id.Key()))
		} else {
			add(field, 2, plainResource(id.Key()))
		}
	}
	return list
}

// resourceColumns are the columns sprio.tres(…) and sprio.tres_norm(…).
func resourceColumns(t *column.Table) []schema.ColumnID {
	var ids []schema.ColumnID
	for _, c := range t.Columns() {
		if (c.ID.Name() == "tres" || c.ID.Name() == "tres_norm") && c.Type == schema.Double {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

func weighedResource(name string) func(*evaluation.Result, int) float64 {
	return func(r *evaluation.Result, row int) float64 {
		if t := resourceTerm(r, name); t != nil {
			return r.Contribution(t, row)
		}
		return 0
	}
}

func plainResource(name string) func(*evaluation.Result, int) float64 {
	return func(r *evaluation.Result, row int) float64 {
		if t := resourceTerm(r, name); t != nil {
			return cappedFactor(t, row)
		}
		return 0
	}
}
