package limit

import (
	"math"
	"slices"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/program"
)

// amounts are what each job adds to a counter: what it asks for, or what it has left of it if
// it runs.
type amounts struct {
	rows   *column.Table
	now    int64
	procs  func(job int) (int64, bool) // nil: the column
	how    program.Counting
	known  map[count]int
	list   [][]int64
	absent []lack // per list
	reads  map[schema.ColumnID]*column.Column
}

// read is a column of the jobs; the gate holds as long as it is the same.
func (a *amounts) read(id schema.ColumnID) *column.Column {
	c := a.rows.Column(id)
	a.reads[id] = c
	return c
}

// count is what is counted. whole: with the time that a job asks for also while it runs, which is
// what limits on single jobs look at (recorded: t17).
type count struct {
	what  string
	whole bool
}

// lack is how many jobs do not state a column.
type lack struct {
	jobs int
	of   schema.ColumnID
}

// of makes the amounts of one count, once, and says which of the lists they are.
func (a *amounts) of(c count) int {
	if c.whole = c.whole && timed(c.what); a.known == nil {
		a.known = map[count]int{}
	}
	if i, ok := a.known[c]; ok {
		return i
	}
	list := make([]int64, a.rows.Rows)
	var absent lack
	switch c.what {
	case "jobs":
		for i := range list {
			list[i] = 1
		}
	case "proc_seconds":
		procs, seconds := a.list[a.of(count{what: "procs"})], a.list[a.of(count{"walltime", c.whole})]
		for i := range list {
			list[i] = a.fit(Product(procs[i], seconds[i]))
		}
	case "walltime":
		absent = a.seconds(list, c.whole)
	case "procs":
		if absent = (lack{of: columnOf(c.what)}); a.procs == nil {
			absent = a.column(list, absent.of)
			break
		}
		a.read(absent.of) // what is given goes by it
		for i := range list {
			procs, known := a.procs(i)
			if list[i] = a.fit(procs); !known {
				absent.jobs++
			}
		}
	default:
		if absent = a.column(list, columnOf(c.what)); c.what == "nodes" && !a.how.Asked {
			absent.jobs += a.held(list)
		}
	}
	a.list, a.absent = append(a.list, list), append(a.absent, absent)
	a.known[c] = len(a.list) - 1
	return a.known[c]
}

func timed(what string) bool { return what == "walltime" || what == "proc_seconds" }

// lacks lists the columns that jobs lack of what a count is made of.
func (a *amounts) lacks(c count) []lack {
	if c.what == "proc_seconds" {
		return append(a.lacks(count{what: "procs"}), a.lacks(count{"walltime", c.whole})...)
	}
	if l := a.absent[a.of(c)]; l.jobs > 0 {
		return []lack{l}
	}
	return nil
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
func (a *amounts) column(list []int64, id schema.ColumnID) lack {
	c := a.read(id)
	missing := 0
	for i := range list {
		switch {
		case c == nil || c.Missing.Get(i):
			missing++
		case c.Type == schema.Double:
			list[i] = a.fit(Truncate(c.Doubles[i]))
		default:
			list[i] = a.fit(c.Ints[i])
		}
	}
	if doc := schema.Lookup(id); doc != nil && doc.Absent == schema.AbsentZero {
		missing = 0
	}
	return lack{missing, id}
}

// held counts the nodes that running jobs have, which may have asked for none. It returns how many more jobs
// run on nodes that no input names or counts; Maui goes on with what they asked for.
func (a *amounts) held(list []int64) (unknown int) {
	nodes, hosts, state := a.read("job.nodes"), a.read("job.allocated_hosts"), a.read("job.state")
	for i := range list {
		if state == nil || !holdsNodes(state.Dict[state.Codes[i]]) {
			continue
		}
		missing := nodes == nil || nodes.Missing.Get(i)
		names := []string(nil)
		if hosts != nil {
			names = slices.Clone(hosts.Value(i).List)
		}
		switch slices.Sort(names); {
		case len(names) > 0:
			if list[i] = int64(len(slices.Compact(names))); missing {
				unknown--
			}
		case list[i] == 0 && !missing:
			unknown++
		}
	}
	return unknown
}

func holdsNodes(state string) bool {
	return state == "running" || state == "completing" || state == "suspended"
}

// seconds are the limit of a waiting job and what a started one has left of it, or its limit if
// the whole is asked for.
func (a *amounts) seconds(list []int64, whole bool) lack {
	limit, start, state := a.read("job.walltime_seconds"), a.read("job.start_time"),
		a.read("job.state")
	started := func(i int) bool {
		if whole || state == nil || start == nil || start.Missing.Get(i) {
			return false
		}
		s := state.Dict[state.Codes[i]]
		return holdsNodes(s) && !(s == "suspended" && a.how.Suspended)
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
	return lack{missing, "job.walltime_seconds"}
}

// unknown reports what jobs do not state of what the limits count that bound something, each column once.
func (a *amounts) unknown(counts []count) (diags diag.List) {
	seen := map[schema.ColumnID]bool{}
	for _, c := range counts {
		for _, l := range a.lacks(c) {
			if !seen[l.of] {
				seen[l.of] = true
				diags.Warnf("limit-amount-unknown", source.Span{}, "%d of %s do not state %s, which a limit counts", l.jobs,
					diag.Count(a.rows.Rows, "job"), l.of).
					Note("they count as 0, so the limit may let too many jobs pass")
			}
		}
	}
	return diags
}

// Most is more than any job asks for, and little enough to be added up.
const Most = 1 << 52

// fit is what is counted of an amount.
func (a *amounts) fit(x int64) int64 {
	if a.how.Wraps {
		return int64(int32(x))
	}
	return min(max(x, -Most), Most)
}

// Truncate is a whole number toward zero, held at the ends of the range; 0 for what is no number.
func Truncate(x float64) int64 {
	switch {
	case !(x > math.MinInt64): // NaN too
		return 0
	case x >= math.MaxInt64:
		return math.MaxInt64
	}
	return int64(x)
}

// Product is a·b, held at the ends of the range.
func Product(a, b int64) int64 {
	p := a * b
	if a != 0 && (p/a != b || a == -1 && b == math.MinInt64) {
		if (a < 0) != (b < 0) {
			return math.MinInt64
		}
		return math.MaxInt64
	}
	return p
}
