package snapshot

import (
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
)

// Slurm's outputs leave out what follows from other records or other files. It
// is filled in once all inputs are merged, and only in rows that an output of
// Slurm's own has: a native file states what it means, and what it leaves
// open is unknown.

// slurmRow names the column that marks such rows while inputs are merged, so
// that the marks go the way of the rows. It is gone when Read is done.
func slurmRow(table string) schema.ColumnID { return schema.ColumnID(table + ".slurm_row") }

// markSlurmRows marks all rows of an input of Slurm's.
func (s *Snapshot) markSlurmRows() {
	s.eachTable(func(t *column.Table) *column.Table {
		marks := &column.Column{ID: slurmRow(t.Name), Type: schema.Bool, Ints: make([]int64, t.Rows)}
		for row := range marks.Ints {
			marks.Ints[row] = 1
		}
		t.Put(marks)
		return t
	})
}

// eachTable replaces the tables whose rows are joined.
func (s *Snapshot) eachTable(change func(*column.Table) *column.Table) {
	for _, t := range []**column.Table{&s.Jobs, &s.Nodes} {
		if *t != nil {
			*t = change(*t)
		}
	}
	for name, t := range s.Credentials {
		s.Credentials[name] = change(t)
	}
}

// slurmRows are the marked rows of a table.
func slurmRows(t *column.Table) (rows column.Bitmap) {
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
func (s *Snapshot) finishSlurmRows() {
	s.eachTable(func(t *column.Table) *column.Table {
		if t.Column(slurmRow(t.Name)) == nil {
			return t
		}
		switch t.Name {
		case "job":
			forgetEstimates(t)
		case "association":
			inheritPriorities(t)
		case "qos":
			joinHeldLimits(t)
		}
		zeroUnnamedTRES(t)
		unmarked := column.NewTable(t.Name, t.Rows)
		for _, c := range t.Columns() {
			if c.ID != slurmRow(t.Name) && c.ID != heldLimits {
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
	state, own := jobs.Column("job.state"), slurmRows(jobs)
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

// zeroUnnamedTRES makes a resource 0 in rows that name others: Slurm's lists
// leave out what is 0. Rows without any list stay unknown.
func zeroUnnamedTRES(t *column.Table) {
	own := slurmRows(t)
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
				unsetMissing(c, row)
			}
		}
	}
}

// inheritPriorities gives an association without a priority of its own the
// one of the account above, up to the root (assoc_mgr.c does so when it loads
// them, although the documentation has it otherwise); none at all counts 0.
// scontrol show assoc_mgr prints the result, sacctmgr and JSON what was set.
func inheritPriorities(t *column.Table) {
	priority, names, parents := t.Column("association.priority"), t.Column("association.name"), t.Column("association.parent")
	if priority == nil || names == nil {
		return
	}
	own := slurmRows(t)
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
		unsetMissing(priority, row)
		return value
	}
	for row := range t.Rows {
		if own.Get(row) {
			resolve(row, 0)
		}
	}
}
