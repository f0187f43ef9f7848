package trace

import (
	"fmt"
	"math"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// trace collects the columns of a job trace, one append per field and job.
type trace struct {
	rows   int
	lastID int64
	// ids so far are rising numbers, hence all different
	ascending                                                                        bool
	ids                                                                              []byte
	idEnds                                                                           []int
	submit, arrival, start, end, runtime, walltime, procs, each, nodes, mem, memEach numbers
	user, group, executable, queue, partition, preceding, state                      names
}

func newTrace(rows int) *trace {
	t := &trace{ascending: true, lastID: math.MinInt64, ids: make([]byte, 0, 8*rows), idEnds: make([]int, 0, rows)}
	for _, n := range t.numbers() {
		n.column.Ints = make([]int64, 0, rows)
	}
	for _, n := range t.names() {
		n.column.Codes = make([]uint32, 0, rows)
		n.codes = map[string]uint32{}
	}
	t.user.prefix, t.group.prefix, t.executable.prefix = "user", "group", "app"
	t.queue.prefix, t.partition.prefix, t.preceding.prefix = "queue", "partition", "afterany:"
	return t
}

func (t *trace) numbers() []*numbers {
	return []*numbers{&t.submit, &t.arrival, &t.start, &t.end, &t.runtime, &t.walltime, &t.procs, &t.each, &t.nodes,
		&t.mem, &t.memEach}
}

func (t *trace) names() []*names {
	return []*names{&t.user, &t.group, &t.executable, &t.queue, &t.partition, &t.preceding, &t.state}
}

// add appends a job, or says what is wrong with the line.
func (t *trace) add(fields *[swfFields][]byte, n int, epoch int64) (fault string) {
	if n < swfFields {
		return fmt.Sprintf("the line has %d fields of the %d that a job has", n, swfFields)
	}
	var value [swfFields]int64
	for _, i := range [...]int{swfSubmit, swfRuntime, swfProcsAllocated, swfProcs, swfWalltime, swfMem} {
		var ok bool
		if value[i], ok = swfNumber(fields[i]); !ok {
			return fmt.Sprintf("field %d should be a whole number, not %q", i+1, format.Excerpt(fields[i]))
		}
		if value[i] < -1 { // -1 is the format's unknown
			return fmt.Sprintf("field %d cannot be negative: %d", i+1, value[i])
		}
	}
	if len(fields[swfID]) == 0 || string(fields[swfID]) == "-1" {
		return "the job has no number"
	}
	submit := value[swfSubmit]
	if submit >= 0 {
		submit += epoch
	}
	if submit > format.LastSecond {
		return fmt.Sprintf("the submit time %d lies after the year 2106", submit)
	}
	procs := value[swfProcs]
	if procs <= 0 {
		procs = value[swfProcsAllocated] // the format's own advice for traces without requests
	}
	if procs > format.MostCount {
		return fmt.Sprintf("the job cannot have more than %d processors: %d", format.MostCount, procs)
	}
	if procs == 0 {
		procs = -1 // no job runs on no processor: the trace does not know
	}
	memEach, mem := int64(-1), int64(-1)
	if kb := value[swfMem]; kb >= 0 {
		if memEach = (kb + 1023) / 1024; procs > 0 {
			total, ok := format.Product(kb, procs)
			if !ok || total > math.MaxInt64-1023 {
				return "the memory of all processors is too large a number"
			}
			mem = (total + 1023) / 1024
		}
	}
	t.identify(fields[swfID])
	t.submit.add(submit)
	t.arrival.add(submit) // what was submitted later is in no queue yet
	start, end := run(submit, fields[swfWait], value[swfRuntime])
	t.start.add(start)
	t.end.add(end)
	t.runtime.add(value[swfRuntime])
	t.walltime.add(value[swfWalltime])
	t.procs.add(procs)
	t.each.add(1)  // a processor of the format is what others call a task
	t.nodes.add(0) // and of nodes it knows nothing, so no job names a number of them
	t.mem.add(mem)
	t.memEach.add(memEach)
	t.user.add(fields[swfUser])
	t.group.add(fields[swfGroup])
	t.executable.add(fields[swfExecutable])
	t.queue.add(fields[swfQueue])
	t.partition.add(fields[swfPartition])
	t.preceding.add(fields[swfPreceding])
	t.state.add([]byte("pending"))
	t.rows++
	return ""
}

// run is when a job started and ended, -1 for unknown. One without a run time left the queue after its wait
// without having run: it was cancelled.
func run(submit int64, waited []byte, runtime int64) (start, end int64) {
	wait, ok := swfNumber(waited)
	switch {
	case submit < 0 || !ok || wait < 0 || submit+wait > format.LastSecond:
		return -1, -1
	case runtime <= 0:
		return -1, submit + wait
	}
	return submit + wait, min(submit+wait+runtime, format.LastSecond)
}

func (t *trace) identify(id []byte) {
	number, ok := swfNumber(id)
	t.ascending = t.ascending && ok && number > t.lastID
	t.lastID = number
	t.ids = append(t.ids, id...)
	t.idEnds = append(t.idEnds, len(t.ids))
}

func (t *trace) table() *column.Table {
	out := column.NewTable("job", t.rows)
	out.Put(t.idColumn())
	for _, c := range []struct {
		id schema.ColumnID
		n  *numbers
	}{
		{"job.submit_time", &t.submit}, {"job.arrival_time", &t.arrival}, {"job.start_time",
			&t.start}, {"job.end_time", &t.end}, {"job.runtime_seconds", &t.runtime},
		{"job.walltime_seconds", &t.walltime},
		{"job.procs", &t.procs}, {"job.procs_per_task", &t.each}, {"job.nodes", &t.nodes}, {"job.mem_mb",
			&t.mem}, {"job.mem_per_task_mb", &t.memEach},
	} {
		c.n.column.ID, c.n.column.Type = c.id, format.ColumnType(c.id)
		out.Put(&c.n.column)
	}
	tasks := t.procs.column
	tasks.ID = "job.tasks"
	tasks.Ints = append([]int64(nil), tasks.Ints...)
	tasks.Missing = append(column.Bitmap(nil), tasks.Missing...)
	out.Put(&tasks)
	for _, c := range []struct {
		id schema.ColumnID
		n  *names
	}{
		{"job.user", &t.user}, {"job.group", &t.group}, {"job.name", &t.executable}, {"job.partition", &t.queue},
		{"job.node_partitions", &t.partition}, {"job.dependency", &t.preceding}, {"job.state", &t.state},
	} {
		c.n.column.ID, c.n.column.Type = c.id, format.ColumnType(c.id)
		if c.n.column.Type == schema.StringList {
			c.n.asLists()
		}
		out.Put(&c.n.column)
	}
	return out
}

// idColumn cuts the ids out of one string, which saves an allocation a job.
func (t *trace) idColumn() *column.Column {
	c := &column.Column{ID: "job.id", Type: schema.String, Codes: make([]uint32, t.rows)}
	all, start := string(t.ids), 0
	if t.ascending {
		c.Dict = make([]string, t.rows)
		for i, end := range t.idEnds {
			c.Codes[i], c.Dict[i], start = uint32(i), all[start:end], end
		}
		return c
	}
	dict := column.NewDictionary(c)
	for i, end := range t.idEnds {
		c.Codes[i], start = dict.Code(all[start:end], nil), end
	}
	return c
}

// numbers is a column of numbers in which every negative one is unknown.
type numbers struct{ column column.Column }

func (n *numbers) add(v int64) {
	if v < 0 {
		n.column.Missing.Set(len(n.column.Ints))
		v = 0
	}
	n.column.Ints = append(n.column.Ints, v)
}

// names is a column of names made from numbers: user 12 is "user12".
type names struct {
	prefix string
	codes  map[string]uint32 // by the field's text
	column column.Column
}

func (n *names) add(field []byte) {
	code, ok := n.codes[string(field)]
	if !ok {
		code = uint32(len(n.column.Dict))
		n.codes[string(field)] = code
		n.column.Dict = append(n.column.Dict, n.name(field))
	}
	n.column.Codes = append(n.column.Codes, code)
}

func (n *names) name(field []byte) string {
	number, isNumber := swfNumber(field)
	switch {
	case isNumber && number < 0:
		return ""
	case isNumber:
		return n.prefix + string(field)
	}
	return string(field)
}

// asLists turns each name into a list of one.
func (n *names) asLists() {
	for _, name := range n.column.Dict {
		var list []string
		if name != "" {
			list = []string{name}
		}
		n.column.Lists = append(n.column.Lists, list)
	}
	n.column.Dict = nil
}
