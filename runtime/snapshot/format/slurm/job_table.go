package slurm

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// squeue -o and -O with | between the cells, and sacct -P. Both name their
// columns in a header, so any choice of columns can be read.

// RecognizeSqueue leaves tables with factors to sprio, which has the same first columns.
func RecognizeSqueue(h *format.Head) int {
	if t := tableHeader(h.Text, "JOBID"); t != nil && (t.piped || t.isEmpty(h.Text)) {
		for _, name := range []string{"STATE", "ST", "USER", "PARTITION", "ACCOUNT"} {
			if t.has(name) && !t.has("FAIRSHARE") && !t.has("JOBSIZE") && !t.has("AGE") {
				return format.Likely
			}
		}
	}
	return format.Foreign
}

func RecognizeSacct(h *format.Head) int {
	if t := tableHeader(h.Text, "JobID"); t != nil && t.piped {
		return format.Likely
	}
	return format.Foreign
}

func ReadSqueue(in *format.Input) error {
	jobTable(in, tableHeader(in.Text, "JOBID"), "squeue")
	return nil
}

// ReadSacct leaves out the lines of job steps (12.batch): the line of the job itself has what the queue shows. What
// sacct called Reserved it calls Planned since 23.02.
func ReadSacct(in *format.Input) error {
	in.Snapshot.Accounting = true
	t := tableHeader(in.Text, "JobID")
	if slices.ContainsFunc([]string{"Reserved", "ResvCPU", "ResvCPURAW"}, t.has) {
		in.Snapshot.Until = "22.05"
	}
	jobTable(in, t, "sacct")
	return nil
}

// jobTable reads every row. squeue --priority prints a row for each partition of a
// job; they become one job, with its partitions in the order of the rows.
func jobTable(in *format.Input, t *slurmTable, output string) {
	jobs, fields := slurmJobs(in), t.fields(jobFields.texts(output))
	index := map[string]int{} // rows of jobs
	t.rows(in.Text, func(row *tableRow) {
		r, err := t.job(jobs, row, fields)
		switch {
		case err != nil:
			badRow(in, row.start, row.end, err)
			return
		case strings.Contains(r.text(jobID), "."):
			return
		}
		if t.width > 0 && t.width <= len(r.text(jobAccount)) {
			in.Warn("snapshot-cut-value", row.start, row.end,
				"the account of job %s fills its column of %d characters, and may go on", r.text(jobID), t.width).
				Note("the job counts for the account as it is printed; squeue --json prints it in full")
		}
		r.setText(jobID, strings.Clone(r.text(jobID))) // else the line is kept with it
		key := r.identify()
		first, again := index[key]
		again = again && key != ""
		switch {
		case again && in.Snapshot.Accounting && in.Options.WholeTrace && jobs.ranAgain(first, r):
			return
		case again && jobs.alsoIn(first, r):
			return
		}
		if err := jobs.add(r); err != nil {
			badRow(in, r.at.Start, r.at.End, err)
			return
		}
		index[key] = in.JobRows.Rows() - 1
	})
}

// ranAgain takes the run of another row of a job that was requeued (sacct -D): it was submitted when the first row
// says, and its last run is the one that it was let end.
func (w *slurmRows) ranAgain(row int, r *slurmRecord) bool {
	start, end := w.columns[jobStart], w.columns[jobEnd]
	if start == nil || end == nil || row >= len(start.Ints) || row >= len(end.Ints) || !r.stated(jobStart) {
		return false
	}
	if r.known(jobStart) && r.known(jobEnd) { // else it waited for ever
		start.Column.Set(row, r.get(jobStart))
		end.Column.Set(row, r.get(jobEnd))
	}
	return true
}

// alsoIn adds the partition of another row to those of a job; false if that has it already, or none.
func (w *slurmRows) alsoIn(row int, r *slurmRecord) bool {
	c := w.columns[jobPartitions]
	if c == nil || row >= len(c.Codes) || !r.stated(jobPartitionList) {
		return false
	}
	have, more := c.Lists[c.Codes[row]], r.text(jobPartitionList)
	if slices.Contains(have, more) {
		return false
	}
	c.ReplaceList(row, w.list(strings.Join(append(slices.Clone(have), more), ","), ","))
	return true
}

// barColumns may hold a | of their own, most probable first.
var barColumns = []string{
	"FEATURES", "Constraints", "NAME", "JobName", "COMMENT", "Comment", "WORK_DIR", "WorkDir", "COMMAND", "SubmitLine",
	"DEPENDENCY",
}

// job reads a row, into a record that is of use until the next. If it has too many cells, a value holds the separator:
// it belongs to the one column with which the whole row makes sense.
func (t *slurmTable) job(w *slurmRows, row *tableRow, fields []textField) (*slurmRecord, error) {
	cells := row.cells
	if t.bars == 0 && len(cells) == len(t.header)+1 && cells[len(cells)-1] == "" {
		cells = cells[:len(cells)-1] // -p ends each line with the separator
	}
	extra := len(cells) - len(t.header)
	read := func(cells []string) (*slurmRecord, error) {
		r := w.record(row.start, row.end)
		return r, t.read(r, cells, fields)
	}
	if extra <= 0 {
		if t.record == nil {
			t.record = w.record(0, 0)
		}
		r := t.record
		r.reset()
		r.at = format.Place{Start: row.start, End: row.end}
		return r, t.read(r, cells, fields)
	}
	// the one free text, and so the last cell
	if n := len(t.header); t.bars > 0 && n > 1 && t.header[n-2] == "ACCOUNT" {
		return read(append(slices.Clone(cells[:n-2]), strings.Join(cells[n-2:len(cells)-1], "|"), ""))
	}
	var found *slurmRecord
	for _, name := range barColumns {
		i := t.column(name, 0)
		if i < 0 {
			continue
		}
		joined := slices.Concat(cells[:i], []string{strings.Join(cells[i:i+extra+1], "|")}, cells[i+extra+1:])
		r, err := read(joined)
		if err == nil && found != nil {
			return nil, fieldError(name,
				"the row has %d cells too many, and it is unknown which value holds the |", extra)
		}
		if err == nil {
			found = r
		}
	}
	if found == nil {
		return nil, fieldError("row", "the row has %d cells where the header has %d", len(cells), len(t.header))
	}
	return found, nil
}
