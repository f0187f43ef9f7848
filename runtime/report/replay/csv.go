package replay

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/runtime/report/form"
)

// csvColumns are the columns of a replay as CSV. Times are epoch seconds.
var csvColumns = []string{"id", "user", "account", "qos", "partition", "procs", "walltime_seconds", "submit", "start",
	"end", "wait_seconds", "bounded_slowdown", "by", "nodes", "cancelled", "never"}

// WriteCSV writes one row for each job, in the order in which they were submitted; what is not known is empty.
func WriteCSV(w io.Writer, r *Report) error {
	out, text := csv.NewWriter(w), form.CsvText(r.Spreadsheet)
	number := func(n *int64) string {
		if n == nil {
			return ""
		}
		return strconv.FormatInt(*n, 10)
	}
	if err := out.Write(csvColumns); err != nil {
		return err
	}
	for x := range r.jobs() {
		slowdown := ""
		if f, ok := x.Slowdown.(float64); ok {
			slowdown = form.CsvNumber(f)
		}
		if err := out.Write([]string{text(x.ID), text(x.User), text(x.Account), text(x.QOS), text(x.Partition),
			strconv.FormatInt(x.Procs, 10), number(x.WalltimeSeconds), strconv.FormatInt(x.Submit, 10), number(x.Start),
			number(x.End), number(x.WaitSeconds), slowdown, x.By, text(strings.Join(x.Nodes, " ")),
			strconv.FormatBool(x.Cancelled), text(x.Never)}); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}
