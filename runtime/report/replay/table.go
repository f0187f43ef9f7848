package replay

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/replay"
	"github.com/fairway-sched/fairway/runtime/report/form"
)

// WriteTable writes the figures for people: the whole, and then each group.
func WriteTable(w io.Writer, r *Report) error {
	m := r.Measured
	line := func(name, format string, args ...any) string {
		return fmt.Sprintf("%-13s "+format+"\n", append([]any{name}, args...)...)
	}
	of := m.All.Of
	text := line("played", "%s to %s", form.ClockText(r.Begin), form.ClockText(r.End))
	if m.From > r.Begin {
		text += line("counted", "jobs submitted from %s on", form.ClockText(m.From))
	}
	text += line("jobs", "%.0f, %.0f started", of("jobs"), of("started"))
	text += line("makespan", "%s", span(of("makespan_seconds")))
	text += line("utilisation", "%s while there was work", percent(of("utilisation")))
	text += line("throughput", "%s jobs an hour", number(of("jobs_per_hour"), 1))
	text += line("queue", "%s jobs on average, at most %.0f", number(of("queue.jobs_mean"), 1), of("queue.jobs_max"))
	if n := of("overtaken.jobs"); n > 0 {
		text += line("overtaken", "%.0f of %.0f jobs, each %s times on average and at most %.0f; then they waited for "+
			"another %s, at most %s", n, of("started"), number(of("overtaken.times_mean"), 1), of("overtaken.times_max"),
			span(of("overtaken.seconds_mean")), span(of("overtaken.seconds_max")))
	}
	if n := of("starved"); n > 0 {
		text += line("starved", "%.0f %s", n, form.Plural(int(n), "job", "jobs"))
	}
	text += r.requeued(line)
	text += line("fairness", "Jain's index %s over users' slowdowns%s", number(of("jain.users"), 3), targets(m))
	_, err := io.WriteString(w, text+"\n"+r.groups().Text(r.Colour)+r.againstText())
	return err
}

// requeued says what the runs came to after which jobs were requeued, if there were any.
func (r *Report) requeued(line func(name, format string, args ...any) string) string {
	jobs, runs, hours := 0, 0, 0.0
	for i := range r.Outcomes {
		o := &r.Outcomes[i]
		for _, run := range o.Earlier {
			runs++
			hours += float64(o.Procs*(run.End-run.Start)) / 3600
		}
		if len(o.Earlier) > 0 {
			jobs++
		}
	}
	if runs == 0 {
		return ""
	}
	return line("requeued", "%d %s, after %d %s and %.1f processor hours", jobs, form.Plural(jobs, "job", "jobs"), runs,
		form.Plural(runs, "run", "runs"), hours)
}

// targets says how far usage is from the policy's targets, if it has some.
func targets(m *replay.Measured) string {
	gap := m.All.Of("share_gap")
	if gap != gap {
		return ""
	}
	return fmt.Sprintf(", %s over usage against targets, which it misses by %s on average",
		number(m.All.Of("jain.shares"), 3), percent(gap))
}

// groups is a row for all jobs and one for each group.
func (r *Report) groups() *form.Grid {
	m := r.Measured
	g := &form.Grid{Rows: len(m.Groups) + 1}
	group := func(row int) replay.Group {
		if row == 0 {
			return replay.Group{Kind: "all", Figures: m.All}
		}
		return m.Groups[row-1]
	}
	g.Add("", false, func(row int) string { return group(row).Kind })
	g.Add("NAME", false, func(row int) string { return source.Plain(group(row).Name) })
	for i := range replay.Metrics {
		if x := &replay.Metrics[i]; x.Title != "" {
			g.Add(x.Title, true, func(row int) string { return figure(x, group(row).Figures[i]) })
		}
	}
	return g
}

// figure writes a metric for people.
func figure(m *replay.Metric, f float64) string {
	switch m.Unit {
	case "seconds":
		return span(f)
	case "processor seconds":
		return number(f/3600, 1)
	case "ratio":
		return number(f, 2)
	case "share":
		return percent(f)
	case "jobs", "times":
		if !strings.HasSuffix(m.Name, "_mean") {
			return number(f, 0)
		}
	}
	return number(f, 1)
}

// span, percent and number write a figure; one that is not known is a dash.
func span(seconds float64) string {
	if seconds != seconds {
		return "-"
	}
	return form.SpanText(int64(seconds + 0.5))
}

func percent(share float64) string {
	if share != share {
		return "unknown"
	}
	return number(100*share, 1) + " %"
}

func number(f float64, digits int) string {
	if f != f {
		return "-"
	}
	return strconv.FormatFloat(f, 'f', digits, 64)
}
