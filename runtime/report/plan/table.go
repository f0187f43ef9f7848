package plan

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/report/eval"
	"github.com/fairway-sched/fairway/runtime/report/form"
)

// planColumns are the columns of the native view but for the last, which takes what room is left.
var planColumns = []struct {
	title string
	right bool
	cell  func(p *Plan, i int) string
}{
	{"start", false, func(p *Plan, i int) string {
		if p.At(i).By == backfill.ByNone {
			return "-"
		}
		return p.Moment(p.At(i).Start)
	}},
	{"in", true, func(p *Plan, i int) string {
		if p.At(i).By == backfill.ByNone {
			return ""
		}
		return p.distance(p.At(i).Start)
	}},
	{"10 %", false, func(p *Plan, i int) string { return p.estimated(i, Estimate.tenth) }},
	{"50 %", false, func(p *Plan, i int) string { return p.estimated(i, Estimate.middle) }},
	{"90 %", false, func(p *Plan, i int) string { return p.estimated(i, Estimate.ninetieth) }},
	{"job", false, func(p *Plan, i int) string { return source.Plain(p.Request(i).ID) }},
	{"user", false, func(p *Plan, i int) string { return source.Plain(p.Request(i).User) }},
	{"class", false, func(p *Plan, i int) string { return source.Plain(p.partitionShown(i)) }},
	{"procs", true, func(p *Plan, i int) string { r := p.Request(i); return fmt.Sprint(r.Tasks * r.PerTask.Procs) }},
	{"time", true, func(p *Plan, i int) string { return p.TimeText(i) }},
	{"state", false, func(p *Plan, i int) string {
		if p.At(i).By != backfill.ByNone {
			return ""
		}
		return eval.StateWord(p.Result, int(p.Request(i).Row))
	}},
	{"by", false, func(p *Plan, i int) string { return string(p.At(i).By) }},
	{"nodes", false, func(p *Plan, i int) string { return text.Snip(source.Plain(p.HostList(i)), 28, "…") }},
}

func (e Estimate) tenth() int64     { return e.P10 }
func (e Estimate) middle() int64    { return e.P50 }
func (e Estimate) ninetieth() int64 { return e.P90 }

// estimated is a percentile of a job's start; - where in so many draws it does not start.
func (p *Plan) estimated(i int, percentile func(Estimate) int64) string {
	if p.Estimates == nil {
		return ""
	}
	if at := percentile(p.Estimates[p.Request(i).ID]); at > 0 {
		return p.Moment(at)
	}
	return "-"
}

func walltimeText(seconds int64) string {
	if seconds >= backfill.Forever {
		return "no end"
	}
	return form.SpanText(seconds)
}

// partitionShown is where a job is placed, else where it was submitted to.
func (p *Plan) partitionShown(i int) string {
	if at := p.At(i); at.Partition != "" && p.Request(i).Class == "" {
		return at.Partition
	}
	return p.Request(i).Class
}

// WritePlanTable writes the waiting jobs, the first to start first.
func WritePlanTable(w io.Writer, p *Plan) error {
	jobs := p.waiting()
	rows := jobs
	if p.Limit > 0 && p.Limit < len(rows) {
		rows = rows[:p.Limit]
	}
	var b strings.Builder
	if len(rows) > 0 {
		b.WriteString(p.table(rows))
	}
	b.WriteString(p.summary(len(rows), len(jobs)))
	_, err := io.WriteString(w, b.String())
	return err
}

func (p *Plan) table(rows []int) string {
	g := form.Grid{Rows: len(rows)}
	for _, c := range planColumns {
		title := c.title
		switch title {
		case "start":
			title += " (" + p.Zone().String() + ")"
		case "class":
			title = p.Result.Facts.Partitions.Word()
		}
		g.AddUsed(title, c.right, func(row int) string { return c.cell(p, rows[row]) })
	}
	waiting := 0
	g.AddUsed("waits for", false, func(row int) string {
		waits := p.WaitsInShort(rows[row])
		waiting += len(waits)
		return waits
	})
	if waiting > 0 {
		g.Fit(p.Width)
	}
	return g.Text(p.Colour)
}

// summary counts the jobs and says how full the machine is.
func (p *Plan) summary(rows, jobs int) string {
	m := p.Metrics()
	words := []string{fmt.Sprintf("%d running", m.Running), fmt.Sprintf("%d waiting", m.WaitingJobs)}
	if m.Waiting != m.WaitingJobs {
		words[1] += fmt.Sprintf(" (%d with each task of the arrays)", m.Waiting)
	}
	type some struct { // of a part
		n    int
		what string
	}
	for _, part := range []struct {
		n    int
		what string
		some []some
	}{
		{m.Started, form.Plural(m.Started, "starts now", "start now"), []some{{m.Backfilled, "by backfill"}}},
		{m.Reserved, "with a reservation", nil}, {m.Estimated, "with an estimate", nil},
		{m.Without, "without a time", []some{{m.Never, "that can never run"}, {m.Held, "held"}, {m.Failed, "failed"}}},
	} {
		if part.n == 0 {
			continue
		}
		var in []string
		for _, s := range part.some {
			if s.n > 0 {
				in = append(in, fmt.Sprintf("%d %s", s.n, s.what))
			}
		}
		word := fmt.Sprintf("%d %s", part.n, part.what)
		if len(in) > 0 {
			word += " (" + strings.Join(in, ", ") + ")"
		}
		words = append(words, word)
	}
	line := strings.Join(words[:2], ", ")
	if len(words) > 2 {
		line += ": " + form.Joined(words[2:])
	}
	if m.Rejected > 0 {
		line += fmt.Sprintf("; %d rejected", m.Rejected)
	}
	if p.Filter != nil && len(p.Filter.By)+len(p.Filter.Where) > 0 {
		line += fmt.Sprintf("; %d waiting %s the filter", jobs, form.Plural(jobs, "job matches", "jobs match"))
	}
	if rows < jobs {
		line += fmt.Sprintf("; the first %d of %d are shown", rows, jobs)
	}
	line += "\n"
	if m.ProcsUp > 0 {
		line += fmt.Sprintf("%d of %d processors in use now (%.1f%%)", m.Use, m.ProcsUp, 100*m.UseNow)
		if !math.IsNaN(m.Utilisation) && m.Makespan > 0 {
			line += fmt.Sprintf(", %.1f%% until all that is planned has ended, in %s", 100*m.Utilisation,
				form.SpanText(m.Makespan))
		}
		line += "\n"
	}
	line += p.preemptionSummary()
	if p.Schedule.Stopped != "" {
		line += fmt.Sprintf("the scheduler looks at %d jobs: %s\n", p.Schedule.Tried, p.Schedule.Stopped)
	}
	return line
}

// TimeText is how long a job has: its limit, and what it got if that was cut to make it fit.
func (p *Plan) TimeText(i int) string {
	limit := walltimeText(p.Request(i).WalltimeSeconds)
	if got, cut := p.granted(i); cut {
		return walltimeText(got) + " of " + limit
	}
	return limit
}

// granted is how long a planned job may run, and whether that is less than its limit: as one that accepts less
// (Slurm's --time-min) may get.
func (p *Plan) granted(i int) (seconds int64, cut bool) {
	at, limit := p.At(i), p.Request(i).WalltimeSeconds
	if at.By == backfill.ByNone || at.By == backfill.ByRunning || at.End >= backfill.Forever {
		return limit, false
	}
	return at.End - at.Start, at.End-at.Start < limit
}

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
