package limit

import (
	"math"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
)

// amounts are what each job adds to a counter: what it asks for, or what it has left of it if
// it runs.
type amounts struct {
	rows   *column.Table
	now    int64
	narrow bool // C ints, as in Maui
	diags  *diag.List
	known  map[string]int
	list   [][]int64
}

// of makes the amounts of one count, once, and says which of the lists they are.
func (a *amounts) of(counts string) int {
	if i, ok := a.known[counts]; ok {
		return i
	}
	list := make([]int64, a.rows.Rows)
	switch counts {
	case "jobs":
		for i := range list {
			list[i] = 1
		}
	case "proc_seconds":
		procs, seconds := a.list[a.of("procs")], a.list[a.of("walltime")]
		for i := range list {
			list[i] = a.fit(product(procs[i], seconds[i]))
		}
	case "walltime":
		a.seconds(list)
	default:
		a.column(list, columnOf(counts))
	}
	a.list = append(a.list, list)
	a.known[counts] = len(a.list) - 1
	return a.known[counts]
}

// columnOf is the job column that holds a count.
func columnOf(counts string) schema.ColumnID {
	switch counts {
	case "procs", "nodes", "processor_equivalents", "gpus":
		return schema.ColumnID("job." + counts)
	case "memory":
		return "job.mem_mb"
	}
	return schema.TRES("job", counts)
}

// column reads a column as whole numbers; a part of a processor equivalent does not count.
func (a *amounts) column(list []int64, id schema.ColumnID) {
	c := a.rows.Column(id)
	missing := 0
	for i := range list {
		switch {
		case c == nil || c.Missing.Get(i):
			missing++
		case c.Type == schema.Double:
			list[i] = a.fit(truncate(c.Doubles[i]))
		default:
			list[i] = a.fit(c.Ints[i])
		}
	}
	if doc := schema.Lookup(id); missing > 0 && (doc == nil || doc.Absent != schema.AbsentZero) {
		a.unknown(missing, string(id))
	}
}

// seconds are the limit of a waiting job and what a started one has left of it.
func (a *amounts) seconds(list []int64) {
	limit, start, state := a.rows.Column("job.walltime_seconds"), a.rows.Column("job.start_time"), a.rows.Column("job.state")
	started := func(i int) bool {
		if state == nil || start == nil || start.Missing.Get(i) {
			return false
		}
		s := state.Dict[state.Codes[i]]
		return s == "running" || s == "suspended" || s == "completing"
	}
	missing := 0
	for i := range list {
		if limit == nil || limit.Missing.Get(i) {
			missing++
			continue
		}
		left := limit.Ints[i]
		if started(i) {
			left = max(0, left-(a.now-start.Ints[i]))
		}
		list[i] = a.fit(left)
	}
	if missing > 0 {
		a.unknown(missing, "job.walltime_seconds")
	}
}

func (a *amounts) unknown(jobs int, id string) {
	a.diags.Warnf("limit-amount-unknown", source.Span{}, "%d of %d jobs do not state %s, which a limit counts", jobs, a.rows.Rows, id).
		Note("they count as 0, so the limit may let too many jobs pass")
}

// most is more than any job asks for, and little enough to be added up.
const most = 1 << 52

// fit is what Maui's C int holds of an amount.
func (a *amounts) fit(x int64) int64 {
	if a.narrow {
		return int64(int32(x))
	}
	return min(max(x, -most), most)
}

func truncate(x float64) int64 {
	switch {
	case !(x > math.MinInt64): // NaN too
		return 0
	case x >= math.MaxInt64:
		return math.MaxInt64
	}
	return int64(x)
}

// product is a·b, held at the ends of the range.
func product(a, b int64) int64 {
	p := a * b
	if a != 0 && (p/a != b || a == -1 && b == math.MinInt64) {
		if (a < 0) != (b < 0) {
			return math.MinInt64
		}
		return math.MaxInt64
	}
	return p
}
