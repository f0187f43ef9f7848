package view

import (
	"encoding/csv"
	"io"
	"strconv"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// planCSVColumns are the columns of a plan as CSV. Times are epoch seconds.
var planCSVColumns = []string{"id", "user", "group", "account", "qos", "partition", "state", "priority", "procs", "walltime_seconds", "submit_time",
	"start", "end", "nodes", "by", "reason", "never", "waits_for"}

// WritePlanCSV writes one row for each job, in the order considered; what is not known is empty. Text is as in WriteCSV.
func WritePlanCSV(w io.Writer, p *Plan) error {
	out, text := csv.NewWriter(w), csvText(p.Spreadsheet)
	if err := out.Write(planCSVColumns); err != nil {
		return err
	}
	number := strconv.FormatInt
	for _, i := range p.shown() {
		r, at := p.request(i), p.at(i)
		start, end, submit := "", "", ""
		if at.By != backfill.ByNone {
			start = number(at.Start, 10)
			if at.End < backfill.Forever {
				end = number(at.End, 10)
			}
		}
		if r.SubmitTime > 0 {
			submit = number(r.SubmitTime, 10)
		}
		err := out.Write([]string{text(r.ID), text(r.User), text(r.Group), text(r.Account), text(r.QOS), text(r.Class), p.state(i).String(), number(r.Priority, 10), number(r.Tasks*r.PerTask.Procs, 10),
			number(r.WalltimeSeconds, 10), submit, start, end, text(p.hostList(i)), string(at.By), text(at.Reason), text(at.Never), text(p.waitsInShort(i))})
		if err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}
