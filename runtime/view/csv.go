package view

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"

	"github.com/fairway-sched/fairway/runtime/engine"
)

// csvColumns are the columns before the terms. As in JSON, reason is the scheduler's own word, which
// may be older than a limit that now stops the job, and why (JSON's why.text) what does stop it.
var csvColumns = []string{"id", "user", "group", "account", "qos", "partition", "state", "reason", "rank", "priority", "score", "failed", "why"}

// WriteCSV writes one row for each job and one column, component.term, for each
// contribution; what is not known is empty. Quoting is RFC 4180's, lines end in a
// line feed as other tools of the trade expect. Text is written as it is: a name that a
// spreadsheet would take for a formula is not changed, since a changed name would
// join with nothing; import the columns as text.
func WriteCSV(w io.Writer, r *engine.Result, _ Options) error {
	out := csv.NewWriter(w)
	record := append([]string(nil), csvColumns...)
	for i := range r.Terms {
		t := &r.Terms[i]
		record = append(record, r.Program.Components[t.Component].Name+"."+termOf(r.Program, t).Name)
	}
	if err := out.Write(record); err != nil {
		return err
	}
	for _, i := range sequence(r) {
		if err := out.Write(csvRecord(record[:0], r, int(i))); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func csvRecord(record []string, r *engine.Result, job int) []string {
	row := int(r.JobRow[job])
	record = append(record,
		jobText(r, "job.id", job), jobText(r, "job.user", job), jobText(r, "job.group", job), jobText(r, "job.account", job),
		jobText(r, "job.qos", job), jobText(r, "job.partition", job), r.State[job].String(), r.Reason[job])
	rank, priority, score := "", "", ""
	if r.Rank[job] > 0 {
		rank = strconv.Itoa(int(r.Rank[job]))
	}
	if !r.Failed.Get(row) {
		priority, score = strconv.FormatInt(r.JobPriority(job), 10), csvNumber(r.Score[row])
	}
	why := ""
	if b := r.Why[int32(job)]; b != nil {
		why = b.Text
	}
	record = append(record, rank, priority, score, strconv.FormatBool(r.JobFailed(job)), why)
	for i := range r.Terms {
		t := &r.Terms[i]
		cell := ""
		if !t.FactorFailed.Get(row) {
			cell = csvNumber(contributionAt(r, t, row))
		}
		record = append(record, cell)
	}
	return record
}

// csvNumber is the shortest decimal that reads back as f; a negative zero is 0.
func csvNumber(f float64) string {
	switch {
	case math.IsNaN(f):
		return ""
	case math.IsInf(f, 0):
		if f > 0 {
			return "inf"
		}
		return "-inf"
	}
	return strconv.FormatFloat(f+0, 'g', -1, 64)
}
