package plan

import (
	"encoding/csv"
	"io"
	"strconv"

	"github.com/fairway-sched/fairway/runtime/report/form"
)

// planCSVColumns are the columns of a plan as CSV. Times are epoch seconds.
var planCSVColumns = []string{"id", "user", "group", "account", "qos", "partition", "state", "priority", "procs",
	"walltime_seconds", "submit_time",
	"start", "end", "nodes", "by", "reason", "never", "waits_for"}

// WritePlanCSV writes one row for each job, in the order considered; what is not known is empty. Text is as in
// WriteCSV.
func WritePlanCSV(w io.Writer, p *Plan) error {
	out, text := csv.NewWriter(w), form.CsvText(p.Spreadsheet)
	if err := out.Write(planCSVColumns); err != nil {
		return err
	}
	number := func(n *int64) string {
		if n == nil {
			return ""
		}
		return strconv.FormatInt(*n, 10)
	}
	for _, i := range p.shown() {
		x, r := p.report(i, false), p.Request(i)
		err := out.Write([]string{text(x.ID), text(x.User), text(r.Group), text(x.Account), text(x.QOS),
			text(x.Partition), x.State, number(&r.Priority),
			number(&x.Procs), number(&x.WalltimeSeconds), number(x.SubmitTime), number(x.Start), number(x.End),
			text(p.HostList(i)), x.By, text(x.Reason),
			text(x.Never), text(p.WaitsInShort(i))})
		if err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}
