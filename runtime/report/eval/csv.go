package eval

import (
	"encoding/csv"
	"io"
	"strconv"

	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/report/form"
)

// csvColumns are the columns before the terms. As in JSON, reason is the scheduler's own word, which
// may be older than a limit that now stops the job, and why (JSON's why.text) what does stop it.
var csvColumns = []string{"id", "user", "group", "account", "qos", "partition", "state", "reason", "rank", "priority",
	"score", "failed", "why"}

// WriteCSV writes one row for each job and one column, component.term, for each
// contribution; what is not known is empty. Quoting is RFC 4180's, lines end in a
// line feed as other tools of the trade expect. Text is written as it is, but for
// characters that are not shown: a name that a spreadsheet would take for a formula is
// not changed, since a changed name would join with nothing, unless o.Spreadsheet asks for it.
func WriteCSV(w io.Writer, r *evaluation.Result, o Options) error {
	text := form.CsvText(o.Spreadsheet)
	out := csv.NewWriter(w)
	record := append([]string(nil), csvColumns...)
	for i := range r.Terms {
		t := &r.Terms[i]
		record = append(record, text(r.Program.Components[t.Component].Name+"."+TermOf(r.Program, t).Name))
	}
	if err := out.Write(record); err != nil {
		return err
	}
	for _, i := range o.sequence(r) {
		if err := out.Write(csvRecord(record[:0], r, i, text)); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func csvRecord(record []string, r *evaluation.Result, job int, text func(string) string) []string {
	row := int(r.JobRow[job])
	record = append(record,
		text(JobText(r, "job.id", job)), text(JobText(r, "job.user", job)), text(JobText(r, "job.group", job)),
		text(JobText(r, "job.account", job)),
		text(JobText(r, "job.qos", job)), text(JobText(r, "job.partition", job)), r.State[job].String(),
		text(r.Reason[job]))
	rank, priority, score := "", "", ""
	if r.Rank[job] > 0 {
		rank = strconv.Itoa(int(r.Rank[job]))
	}
	if !r.Failed.Get(row) {
		priority, score = strconv.FormatInt(r.JobPriority(job), 10), form.CsvNumber(r.Score[row])
	}
	why := ""
	if b := r.Why[int32(job)]; b != nil {
		why = text(b.Text)
	}
	record = append(record, rank, priority, score, strconv.FormatBool(r.JobFailed(job)), why)
	for i := range r.Terms {
		t := &r.Terms[i]
		cell := ""
		if !t.FactorFailed.Get(row) {
			cell = form.CsvNumber(ContributionAt(r, t, row))
		}
		record = append(record, cell)
	}
	return record
}
