package synth

import (
	"strconv"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
)

// leading is the number in front of a job's id: 12 of 12_3, 12.head, 12[].head and 12+1.
var leading = source.Pattern(`^[0-9]{1,18}`)

// mentioned are ids in a list of dependencies.
var mentioned = source.Pattern(`[0-9]+(_[0-9]+)?`)

// number gives each copy a number that no job had, in the order of the rows, and writes dependencies between
// waiting jobs as those between their copies.
func number(given, jobs *column.Table, kept []int, copies []copied) {
	next := largest(given) + 1
	ids := make([]string, 0, jobs.Rows)
	for row := range kept {
		ids = append(ids, jobs.Text("job.id", row))
	}
	latest := map[string]string{} // by the model's id, the copy that was submitted last
	dependency := texts(jobs, "job.dependency")
	for i, c := range copies {
		row, model := len(kept)+i, given.Value("job.id", c.row).Str
		id := strconv.FormatInt(next, 10) + model[len(leading().FindString(model)):]
		if leading().FindString(model) == "" {
			id = strconv.FormatInt(next, 10) + "." + model // a name without a number
		}
		setNumber(jobs, "job.array_job_id", row, next)
		for _, id := range []schema.ColumnID{"job.het_job_id", "job.het_offset"} { // a copy of a component stands alone
			if c := jobs.Column(id); c != nil {
				c.Missing.Set(row)
			}
		}
		next++
		if setNumber(jobs, "job.record_id", row, next) {
			next++
		}
		if dependency != nil {
			dependency[row] = mentioned().ReplaceAllStringFunc(dependency[row], func(other string) string {
				if copy, ok := latest[other]; ok {
					return copy
				}
				return other
			})
		}
		latest[model] = id
		ids = append(ids, id)
	}
	putTexts(jobs, "job.id", ids)
	if dependency != nil {
		putTexts(jobs, "job.dependency", dependency)
	}
	if c := jobs.Column("job.recorded_partition_priorities"); c != nil && len(copies) > 0 {
		lists := &column.Column{ID: c.ID, Type: c.Type, Lists: append(append([][]string{}, c.Lists...), nil), Codes: c.Codes,
			Missing: c.Missing}
		for i := range copies {
			lists.Codes[len(kept)+i] = uint32(len(c.Lists)) // what the scheduler had computed for the model
		}
		jobs.Put(lists)
	}
}

// largest is the largest number that any job has.
func largest(jobs *column.Table) (most int64) {
	for row := range jobs.Rows {
		n, _ := strconv.ParseInt(leading().FindString(jobs.Text("job.id", row)), 10, 64) // none is 0
		most = max(most, n, jobs.Int("job.array_job_id", row), jobs.Int("job.record_id", row))
	}
	return most
}

// setNumber writes a number where there was one.
func setNumber(jobs *column.Table, id schema.ColumnID, row int, n int64) bool {
	c := jobs.Column(id)
	if c == nil || c.Missing.Get(row) {
		return false
	}
	c.Ints[row] = n
	return true
}

// texts is a column of text as it stands, or nil.
func texts(t *column.Table, id schema.ColumnID) []string {
	if t.Column(id) == nil {
		return nil
	}
	out := make([]string, t.Rows)
	for row := range out {
		out[row] = t.Value(id, row).Str
	}
	return out
}

func putTexts(t *column.Table, id schema.ColumnID, list []string) {
	c := &column.Column{ID: id, Type: schema.String, Codes: make([]uint32, len(list))}
	codes := map[string]uint32{}
	for row, text := range list {
		code, ok := codes[text]
		if !ok {
			code = uint32(len(c.Dict))
			codes[text], c.Dict = code, append(c.Dict, text)
		}
		c.Codes[row] = code
	}
	t.Put(c)
}
