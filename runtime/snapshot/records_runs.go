package snapshot

import (
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// runKey names one run: a job that is requeued runs again, and a number is given
// again when the server is set up anew.
type runKey struct {
	id    uint32 // code of the job's id
	start int64
}

// runs makes one row per run of all records: the start record of a run and its
// end record, a log read twice, and two files that overlap are the same run.
func (r *reading) runs(h *history) *column.Table {
	t := stack(h.tables)
	if t == nil {
		return nil
	}
	ids, starts, ends := t.Column("job.id"), t.Column("job.start_time"), t.Column("job.end_time")
	rowOf := map[runKey]int{}
	stops := map[uint32][]int64{} // by job: when it was seen to stop, in records that do not say which run
	for row := range t.Rows {
		if starts.Missing.Get(row) {
			stops[ids.Codes[row]] = append(stops[ids.Codes[row]], ends.Ints[row])
			continue
		}
		key := runKey{ids.Codes[row], starts.Ints[row]}
		if have, again := rowOf[key]; !again || !ends.Missing.Get(row) || ends.Missing.Get(have) {
			rowOf[key] = row
		}
	}
	startsOf := startsByJob(rowOf)
	rows, failed := make([]int, 0, len(rowOf)), 0
	var example source.Span
	for row := range t.Rows {
		key := runKey{ids.Codes[row], starts.Ints[row]}
		if starts.Missing.Get(row) || rowOf[key] != row {
			continue
		}
		if ends.Missing.Get(row) {
			next, again := after(startsOf[key.id], key.start)
			stop, stopped := atOrAfter(stops[key.id], key.start)
			switch {
			case stopped && (!again || stop <= next):
				ends.Ints[row] = stop
				ends.Missing.Clear(row)
			case again:
				if failed++; failed == 1 {
					example = h.places[row]
				}
				continue
			}
		}
		rows = append(rows, row)
	}
	if failed > 0 {
		r.diags.Infof("snapshot-start-without-run", example,
			"%s left out that have no end although their job starts again, the first here", format.HowMany(failed,
				"start")).
			Note("the resource manager writes a start for each attempt; one that fails has no end")
	}
	return t.Pick(rows)
}

// startsByJob lists the starts of each job in order.
func startsByJob(rowOf map[runKey]int) map[uint32][]int64 {
	starts := map[uint32][]int64{}
	for key := range rowOf {
		starts[key.id] = append(starts[key.id], key.start)
	}
	for _, list := range starts {
		slices.Sort(list)
	}
	return starts
}

// after is the first entry of a sorted list that is larger than t.
func after(sorted []int64, t int64) (int64, bool) {
	i, _ := slices.BinarySearch(sorted, t+1)
	if i == len(sorted) {
		return 0, false
	}
	return sorted[i], true
}

// atOrAfter is the least entry of a list that is not before t.
func atOrAfter(list []int64, t int64) (least int64, ok bool) {
	for _, x := range list {
		if x >= t && (!ok || x < least) {
			least, ok = x, true
		}
	}
	return least, ok
}

// stack puts tables of jobs one below the other.
func stack(tables []*column.Table) *column.Table {
	rows := 0
	for _, t := range tables {
		rows += t.Rows
	}
	if rows == 0 {
		return nil
	}
	out, first := column.NewTable("job", rows), 0
	for _, id := range []schema.ColumnID{"job.id", "job.start_time", "job.end_time"} {
		c := &column.Column{ID: id, Type: format.ColumnType(id)}
		column.Extend(c, rows)
		out.Put(c)
	}
	for _, t := range tables {
		rowOf := make([]int, t.Rows)
		for i := range rowOf {
			rowOf[i] = first + i
		}
		first += t.Rows
		for _, c := range t.Columns() {
			target := out.Column(c.ID)
			if target == nil {
				target = &column.Column{ID: c.ID, Type: c.Type}
				column.Extend(target, rows)
				out.Put(target)
			}
			column.Overlay(target, c, rowOf, 0)
		}
	}
	return out
}
