package snapshot

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// A Step is what happens to one job. It makes the snapshot that the resource manager would show afterwards and leaves
// the one before as it is; tables and columns that it does not touch are shared.
type Step struct {
	Spans []column.Span // which jobs are those of before
	Job   int           // row of the job as it is now; -1 if it has left
	Was   int           // its row before; -1 if it is new
}

// StepError is a step that the queue does not allow.
type StepError struct{ ID, Problem string }

func (e *StepError) Error() string { return "job " + e.ID + ": " + e.Problem }

// Cells are a job as its columns state it.
type Cells map[schema.ColumnID]schema.Value

// Submit adds a job at the end of the queue. Unless its cells say otherwise it is pending, and submitted now.
func Submit(s *Snapshot, job Cells) (*Snapshot, Step, error) {
	id := job["job.id"].Str
	if id == "" {
		return nil, Step{}, &StepError{id, "a job needs an id"}
	}
	if s.Jobs != nil && RowOf(s.Jobs, id) >= 0 {
		return nil, Step{}, &StepError{id, "the queue has a job of this id"}
	}
	if err := job.typed(id); err != nil {
		return nil, Step{}, err
	}
	jobs := s.Jobs
	if jobs == nil {
		jobs = column.NewTable("job", 0)
	}
	n := jobs.Rows
	e := edit{table: jobs.Rearranged(column.Same(n), n+1), owned: true}
	e.set(n, "job.state", schema.StringValue("pending"))
	e.set(n, "job.submit_time", schema.TimestampValue(s.Now))
	e.setAll(n, job)
	for _, c := range e.table.Columns() { // a queue that is stepped for long has seen many that have left
		c.Compact()
	}
	out := *s
	out.Jobs, out.TimeRange = e.table, rangeOf(e.table.Column("job.submit_time"))
	return &out, Step{Spans: column.Same(n), Job: n, Was: -1}, nil
}

// Change gives a job other cells, as a command of its owner or of the administrator does.
func Change(s *Snapshot, id string, cells Cells) (*Snapshot, Step, error) {
	row := RowOf(s.Jobs, id)
	if row < 0 {
		return nil, Step{}, &StepError{id, "the queue has no such job"}
	}
	if _, renamed := cells["job.id"]; renamed {
		return nil, Step{}, &StepError{id, "a job keeps its id"}
	}
	if err := cells.typed(id); err != nil {
		return nil, Step{}, err
	}
	e := edit{table: s.Jobs.Copy()}
	e.setAll(row, cells)
	out := *s
	out.Jobs, out.TimeRange = e.table, rangeOf(e.table.Column("job.submit_time"))
	return &out, Step{Spans: column.Same(s.Jobs.Rows), Job: row, Was: row}, nil
}

// Start lets a waiting job run from now on, on the hosts given, one for each of its tasks or one for each node; without
// hosts it is not known where.
func Start(s *Snapshot, id string, hosts []string) (*Snapshot, Step, error) {
	row, err := find(s, id, "start", "pending")
	if err != nil {
		return nil, Step{}, err
	}
	e := edit{table: s.Jobs.Copy()}
	e.state(row, "running")
	e.set(row, "job.start_time", schema.TimestampValue(s.Now))
	out := *s
	if len(hosts) > 0 {
		e.set(row, "job.allocated_hosts", schema.ListValue(hosts))
		out.Nodes = allocated(s.Nodes, e.table, row, -1)
	}
	out.Jobs = e.table
	return &out, Step{Spans: column.Same(s.Jobs.Rows), Job: row, Was: row}, nil
}

// End takes a job out of the queue, whether it ran or waited. What it had is free.
func End(s *Snapshot, id string) (*Snapshot, Step, error) {
	row := RowOf(s.Jobs, id)
	if row < 0 {
		return nil, Step{}, &StepError{id, "the queue has no such job"}
	}
	out := *s
	if state := s.Jobs.Text("job.state", row); state == "running" || state == "completing" {
		out.Nodes = allocated(s.Nodes, s.Jobs, row, 1)
	}
	spans := column.Without(s.Jobs.Rows, row)
	out.Jobs = s.Jobs.Rearranged(spans, s.Jobs.Rows-1)
	out.TimeRange = rangeOf(out.Jobs.Column("job.submit_time"))
	return &out, Step{Spans: spans, Job: -1, Was: row}, nil
}

// Requeue lets a running job wait again, with the cells given: slurmctld keeps its record, and its place in the list.
// What it had is free.
func Requeue(s *Snapshot, id string, cells Cells) (*Snapshot, Step, error) {
	row, err := find(s, id, "requeue", "running")
	if err != nil {
		return nil, Step{}, err
	}
	if err := cells.typed(id); err != nil {
		return nil, Step{}, err
	}
	e := edit{table: s.Jobs.Copy()}
	out := *s
	out.Nodes = allocated(s.Nodes, s.Jobs, row, 1)
	e.state(row, "pending")
	for _, of := range []schema.ColumnID{"job.start_time", "job.end_time", "job.preempt_time", "job.allocated_hosts",
		"job.allocated_procs", "job.allocated_mem_mb", "job.allocated_cpu_ids", "job.allocated_cores"} {
		e.setKnown(row, of, schema.Value{})
	}
	e.setAll(row, cells)
	out.Jobs, out.TimeRange = e.table, rangeOf(e.table.Column("job.submit_time"))
	return &out, Step{Spans: column.Same(s.Jobs.Rows), Job: row, Was: row}, nil
}

// Hold keeps a waiting job from starting, as its user does.
func Hold(s *Snapshot, id string) (*Snapshot, Step, error) { return held(s, id, true) }

// Release ends a hold.
func Release(s *Snapshot, id string) (*Snapshot, Step, error) { return held(s, id, false) }

func held(s *Snapshot, id string, on bool) (*Snapshot, Step, error) {
	verb, reason := "release", ""
	if on {
		verb, reason = "hold", s.Manner().HeldReason
	}
	row, err := find(s, id, verb, "pending")
	if err != nil {
		return nil, Step{}, err
	}
	e := edit{table: s.Jobs.Copy()}
	e.set(row, "job.held", schema.BoolValue(on))
	e.setKnown(row, "job.state_reason", schema.StringValue(reason))
	out := *s
	out.Jobs = e.table
	return &out, Step{Spans: column.Same(s.Jobs.Rows), Job: row, Was: row}, nil
}

// At is the snapshot at a later time. Nothing else passes with it: what jobs do meanwhile are steps of their own.
func At(s *Snapshot, now int64) *Snapshot {
	out := *s
	out.Now, out.Certainty = now, format.NowStated
	return &out
}

// RowOf finds a job by its id; -1 if there is none.
func RowOf(jobs *column.Table, id string) int {
	ids := jobs.Column("job.id")
	if ids == nil {
		return -1
	}
	code := slices.Index(ids.Dict, id)
	if code < 0 {
		return -1
	}
	return slices.Index(ids.Codes, uint32(code))
}

// find is the row of a job in the state that a step needs.
func find(s *Snapshot, id, verb, state string) (int, error) {
	row := RowOf(s.Jobs, id)
	if row < 0 {
		return 0, &StepError{id, "the queue has no such job"}
	}
	if have := s.Jobs.Text("job.state", row); have != state {
		return 0, &StepError{id, fmt.Sprintf("it is %s, and only a %s job can %s", have, state, verb)}
	}
	return row, nil
}

// typed reports a cell whose value is not of the column's type.
func (c Cells) typed(id string) error {
	for _, column := range slices.Sorted(maps.Keys(c)) {
		if v, want := c[column], format.ColumnType(column); v.Known() && v.Type != want {
			return &StepError{id, fmt.Sprintf("%s is %s, not %s", column, want, v.Type)}
		}
	}
	return nil
}

// edit changes cells of a table whose columns others may hold too.
type edit struct {
	table *column.Table
	owned bool // no other holds them
}

func (e *edit) set(row int, id schema.ColumnID, v schema.Value) {
	c := e.table.Column(id)
	switch {
	case c == nil:
		c = &column.Column{ID: id, Type: format.ColumnType(id)}
		c = c.Rearranged(nil, e.table.Rows)
	case !e.owned:
		c = c.Copy()
	}
	c.Set(row, v)
	e.table.Put(c)
}

func (e *edit) setAll(row int, cells Cells) {
	for _, id := range slices.Sorted(maps.Keys(cells)) {
		e.set(row, id, cells[id])
	}
}

// setKnown sets a cell of a column that the table has.
func (e *edit) setKnown(row int, id schema.ColumnID, v schema.Value) {
	if e.table.Column(id) != nil {
		e.set(row, id, v)
	}
}

// state changes the state of a job; the scheduler's own words for it follow.
func (e *edit) state(row int, state string) {
	e.set(row, "job.state", schema.StringValue(state))
	e.setKnown(row, "job.state_reason", schema.StringValue(""))
	e.setKnown(row, "job.state_word", schema.StringValue(strings.ToUpper(state)))
}

// allocated are the nodes when what a job has on its hosts becomes free (+1) or taken (-1), where the snapshot states
// what is free.
func allocated(nodes, jobs *column.Table, row int, sign int64) *column.Table {
	hosts := jobs.Value("job.allocated_hosts", row).List
	if nodes == nil || nodes.Column("node.id") == nil || len(hosts) == 0 {
		return nodes
	}
	names := nodes.Column("node.id")
	out := nodes // as it is where no node states what is free
	for _, of := range []struct{ job, free, all schema.ColumnID }{
		{"job.procs", "node.procs_available", "node.procs"}, {"job.mem_mb", "node.mem_available_mb", "node.mem_mb"},
	} {
		free, amount := nodes.Column(of.free), jobs.Value(of.job, row)
		if free == nil || !amount.Known() {
			continue
		}
		free = free.Copy()
		each, rest := amount.Int/int64(len(hosts)), amount.Int%int64(len(hosts))
		for i, host := range hosts {
			n := each
			if int64(i) < rest {
				n++
			}
			for node, code := range names.Codes {
				if names.Dict[code] == host && !free.Missing.Get(node) {
					free.Ints[node] = max(0, free.Ints[node]+sign*n)
					if all := nodes.Value(of.all, node); all.Known() {
						free.Ints[node] = min(free.Ints[node], all.Int)
					}
				}
			}
		}
		if out == nodes {
			out = nodes.Copy()
		}
		out.Put(free)
	}
	return out
}
