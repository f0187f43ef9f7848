package slurm

import (
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// Slurm's outputs leave out what follows from other records or other files. It
// is filled in once all inputs are merged, and only in rows that an output of
// Slurm's own has: a native file states what it means, and what it leaves
// open is unknown.

// slurmRow names the column that marks such rows while inputs are merged, so
// that the marks go the way of the rows. It is gone when Read is done.
func slurmRow(table string) schema.ColumnID { return schema.ColumnID(table + ".slurm_row") }

// MarkRows marks all rows of an input of Slurm's.
func MarkRows(s *format.Snapshot) {
	eachTable(s, func(t *column.Table) *column.Table {
		marks := &column.Column{ID: slurmRow(t.Name), Type: schema.Bool, Ints: make([]int64, t.Rows)}
		for row := range marks.Ints {
			marks.Ints[row] = 1
		}
		t.Put(marks)
		return t
	})
}

// eachTable replaces the tables whose rows are joined.
func eachTable(s *format.Snapshot, change func(*column.Table) *column.Table) {
	for _, t := range []**column.Table{&s.Jobs, &s.Nodes} {
		if *t != nil {
			*t = change(*t)
		}
	}
	for name, t := range s.Credentials {
		s.Credentials[name] = change(t)
	}
}

func markedRows(t *column.Table) (rows column.Bitmap) {
	marks := t.Column(slurmRow(t.Name))
	if marks == nil {
		return nil
	}
	for row, mark := range marks.Ints {
		if mark == 1 { // an unknown mark is 0
			rows.Set(row)
		}
	}
	return rows
}

// finishSlurmRows fills in what Slurm's rows leave out and removes the marks.
func finishSlurmRows(s *format.Snapshot) {
	eachTable(s, func(t *column.Table) *column.Table {
		if t.Column(slurmRow(t.Name)) == nil {
			return t
		}
		switch t.Name {
		case "job":
			forgetEstimates(t)
			beginTimes(t, s.Now)
		case "association":
			inheritPriorities(t)
		case "qos":
			joinHeldLimits(t)
		}
		zeroUnnamedTRES(t)
		unmarked := column.NewTable(t.Name, t.Rows)
		for _, c := range t.Columns() {
			if c.ID != slurmRow(t.Name) && c.ID != HeldLimits {
				unmarked.Put(c)
			}
		}
		return unmarked
	})
}

// forgetEstimates removes start and end of pending jobs: outputs taken one
// after the other may disagree on whether a job has started, and the state
// comes from the most exact one.
func forgetEstimates(jobs *column.Table) {
	state, own := jobs.Column("job.state"), markedRows(jobs)
	if state == nil {
		return
	}
	for _, id := range []schema.ColumnID{"job.start_time", "job.end_time"} {
		c := jobs.Column(id)
		if c == nil {
			continue
		}
		for row, code := range state.Codes {
			if own.Get(row) && state.Dict[code] == "pending" {
				c.Ints[row] = 0
				c.Missing.Set(row)
			}
		}
	}
}

// beginTimes takes an EligibleTime that is still to come for the begin time that a pending job asked
// for, where its reason may be from before: None, Priority and Resources stay until a scheduling pass
// comes to the job (job_independent). Other reasons say that one has, and had no time to wait for. A
// job that was submitted after the moment of the snapshot asked for nothing.
func beginTimes(jobs *column.Table, now int64) {
	state, reason := jobs.Column("job.state"), jobs.Column("job.state_reason")
	eligible := jobs.Column("job.eligible_time")
	if state == nil || eligible == nil || now == 0 {
		return
	}
	begin, own := jobs.Column("job.begin_time"), markedRows(jobs)
	if begin == nil {
		begin = &column.Column{ID: "job.begin_time", Type: schema.Timestamp, Ints: make([]int64, jobs.Rows)}
		for row := range jobs.Rows {
			begin.Missing.Set(row)
		}
	}
	earlier := func(id schema.ColumnID, row int, than int64) bool {
		v := jobs.Value(id, row)
		return !v.Known() || v.Int < than
	}
	for row, since := range eligible.Ints {
		switch {
		case !own.Get(row) || eligible.Missing.Get(row) || since <= now || state.Dict[state.Codes[row]] != "pending":
		case reason != nil && !slices.Contains(undecided, reason.Dict[reason.Codes[row]]):
		case earlier("job.submit_time", row, since) && earlier("job.last_evaluation_time", row, since):
			begin.Ints[row] = since
			begin.Missing.Clear(row)
		}
	}
	jobs.Put(begin)
}

// undecided are the reasons of jobs that may start, and of those that have not been tried.
var undecided = []string{"", "None", "Priority", "Resources"}

// zeroUnnamedTRES makes a resource 0 in rows that name others: Slurm's lists
// leave out what is 0. Rows without any list stay unknown.
func zeroUnnamedTRES(t *column.Table) {
	own := markedRows(t)
	var resources []*column.Column
	for _, c := range t.Columns() {
		if c.ID.Name() == "tres" && c.Type == schema.Double {
			resources = append(resources, c)
		}
	}
	for row := range t.Rows {
		listed := false
		for _, c := range resources {
			listed = listed || !c.Missing.Get(row)
		}
		for _, c := range resources {
			if listed && own.Get(row) && c.Missing.Get(row) {
				c.Doubles[row] = 0
				c.Missing.Clear(row)
			}
		}
	}
}

// inheritPriorities gives an association without a priority of its own the
// one of the account above, up to the root (assoc_mgr.c does so when it loads
// them, although the documentation has it otherwise); none at all counts 0.
// scontrol show assoc_mgr prints the result, sacctmgr and JSON what was set.
func inheritPriorities(t *column.Table) {
	priority, names := t.Column("association.priority"), t.Column("association.name")
	parents := t.Column("association.parent")
	if priority == nil || names == nil {
		return
	}
	own := markedRows(t)
	rowOf := make(map[string]int, t.Rows)
	for row, code := range names.Codes {
		rowOf[names.Dict[code]] = row
	}
	var resolve func(row, depth int) int64
	resolve = func(row, depth int) int64 {
		if !priority.Missing.Get(row) || depth > t.Rows {
			return priority.Ints[row]
		}
		value := int64(0)
		if parents != nil {
			if above, ok := rowOf[parents.Dict[parents.Codes[row]]]; ok && above != row {
				value = resolve(above, depth+1)
			}
		}
		priority.Ints[row] = value
		priority.Missing.Clear(row)
		return value
	}
	for row := range t.Rows {
		if own.Get(row) {
			resolve(row, 0)
		}
	}
}
