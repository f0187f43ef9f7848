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

// WritePlanCSV writes one row for each job, in the order considered; what is not known is empty.
func WritePlanCSV(w io.Writer, p *Plan) error {
	out := csv.NewWriter(w)
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
		err := out.Write([]string{r.ID, r.User, r.Group, r.Account, r.QOS, r.Class, p.state(i).String(), number(r.Priority, 10), number(r.Tasks*r.PerTask.Procs, 10),
			number(r.WalltimeSeconds, 10), submit, start, end, p.hostList(i), string(at.By), at.Reason, at.Never, p.waitsInShort(i)})
		if err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}
