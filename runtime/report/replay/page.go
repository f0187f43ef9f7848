package replay

import (
	"cmp"
	_ "embed"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/replay"
	"github.com/fairway-sched/fairway/runtime/report/form"
	"github.com/fairway-sched/fairway/runtime/report/sheet"
)

//go:embed page.html
var pageText string

var page = sheet.New("replay", pageText)

// mostRows bounds each table of a page, so that a browser stays quick.
const mostRows = 500

// WriteHTML writes one page that needs no network.
func WriteHTML(w io.Writer, r *Report) error {
	return page.Execute(w, struct {
		Title   string
		Lines   []string
		Charts  []*chart
		Bars    []*bars
		Machine *gantt
		Tables  []sheet.Table
	}{r.title(), r.verdict(), r.charts(), r.bars(), r.gantt(), r.tables()})
}

func (r *Report) title() string {
	title := "Replay of " + source.Plain(r.This)
	if r.Against != nil {
		title += " against " + source.Plain(r.Other)
	}
	return title
}

// verdict is what one reads first.
func (r *Report) verdict() (lines []string) {
	of := r.Measured.All.Of
	lines = append(lines, fmt.Sprintf("Jobs wait %s on average and %s in the middle; 95 of 100 wait %s at most.",
		span(of("wait_seconds.mean")), span(of("wait_seconds.median")), span(of("wait_seconds.p95"))))
	if x := r.Against; x != nil {
		for i := range x.Whole {
			if d := &x.Whole[i]; replay.Metrics[d.Metric].Name == replay.GroupMetric && d.Change() == d.Change() {
				lines = append(lines, fmt.Sprintf("That is %s on average than under %s (%s): %d wait less, %d more.",
					change(d.Change()), source.Plain(r.Other), verdict(d), x.Shorter, x.Longer))
			}
		}
	}
	lines = append(lines, fmt.Sprintf("%.0f jobs from %s to %s, %.0f started. Utilisation %s while there was work, "+
		"%s jobs an hour.", of("jobs"), form.ClockText(r.Begin), form.ClockText(r.End), of("started"),
		percent(of("utilisation")),
		number(of("jobs_per_hour"), 1)))
	if r.Measured.From > r.Begin {
		lines = append(lines, "Figures are of jobs submitted from "+form.ClockText(r.Measured.From)+" on.")
	}
	return lines
}

// change is a difference of a wait in words.
func change(seconds float64) string {
	if seconds < 0 {
		return span(-seconds) + " less"
	}
	return span(seconds) + " more"
}

// charts are the series over time.
func (r *Report) charts() (list []*chart) {
	s := r.Measured.Series
	busy := r.chart("busy", "Busy processors", "processors", s.Busy)
	busy.Note = "Mean of each interval of " + form.SpanText(s.StepSeconds) + "."
	if r.Procs > 0 {
		busy.mark("all processors", float64(r.Procs))
	}
	list = append(list, busy, r.chart("queue", "Jobs in the queue", "jobs", s.Queued),
		r.chart("age", "How long jobs in the queue have waited", "hours", hours(s.Oldest), hours(s.Age)))
	list[2].Lines[0].Name, list[2].Lines[1].Name = "longest", "mean"
	if len(s.Shares) > 1 {
		list = append(list, r.shareChart(s))
	}
	for _, c := range list {
		c.draw()
	}
	return list
}

func hours(seconds []float64) []float64 {
	out := make([]float64, len(seconds))
	for i, x := range seconds {
		out[i] = x / 3600
	}
	return out
}

// mostShares is how many lines of shares have colours of their own.
const mostShares = 8

// shareChart is the part of what ran so far of those with a target, or else of those that used most.
func (r *Report) shareChart(s *replay.Series) *chart {
	list := slices.Clone(s.Shares)
	slices.SortStableFunc(list, func(a, b replay.ShareSeries) int {
		switch {
		case a.Target == a.Target && b.Target != b.Target:
			return -1
		case a.Target != a.Target && b.Target == b.Target:
			return 1
		}
		return 0
	})
	c := r.chart("shares", "Share of what has run so far", "%")
	if len(list) > 0 && list[0].Target == list[0].Target {
		c.Note = "Dotted lines are targets of the policy. "
	}
	for i := range list[:min(len(list), mostShares)] {
		x := &list[i]
		c.add(x.Kind+" "+source.Plain(x.Name), hundredfold(x.All))
		if x.Target == x.Target {
			c.Lines[len(c.Lines)-1].target = 100 * x.Target
		}
	}
	if more := len(list) - mostShares; more > 0 {
		c.Note += fmt.Sprintf("%d more use less or have no target; -o json has them.", more)
	}
	return c
}

func hundredfold(list []float64) []float64 {
	out := make([]float64, len(list))
	for i, x := range list {
		out[i] = 100 * x
	}
	return out
}

// bars are the waits of the groups of one kind.
type bars struct {
	Title, Note   string
	Height, Width int
	Rows          []bar
}

type bar struct {
	Y                  int
	Name, Title, Value string
	Mean, P95          float64 // widths
}

// The sizes of a chart of bars.
const (
	barWidth, barHeight = 460, 22
	barLeft             = 150
	mostBars            = 15
)

// bars draws the mean wait of each group, and where its 95th percentile is.
func (r *Report) bars() (list []*bars) {
	for _, kind := range replay.Kinds() {
		var groups []*replay.Group
		longest := 0.0
		for i := range r.Measured.Groups {
			if g := &r.Measured.Groups[i]; g.Kind == kind && g.Of("started") > 0 {
				groups = append(groups, g)
			}
		}
		if len(groups) < 2 {
			continue
		}
		b := &bars{Title: "by " + kind, Width: barLeft + barWidth + 110}
		if kind != "size" {
			slices.SortStableFunc(groups, func(a, b *replay.Group) int {
				return cmp.Compare(b.Of("proc_seconds"), a.Of("proc_seconds"))
			})
		}
		if more := len(groups) - mostBars; more > 0 {
			b.Note = fmt.Sprintf("The %d that ran most of %d; the table has all.", mostBars, len(groups))
			groups = groups[:mostBars]
		}
		for _, g := range groups {
			longest = max(longest, g.Of("wait_seconds.p95"), g.Of("wait_seconds.mean"))
		}
		for i, g := range groups {
			mean, p95 := g.Of("wait_seconds.mean"), g.Of("wait_seconds.p95")
			b.Rows = append(b.Rows, bar{Y: i * barHeight, Name: short(source.Plain(g.Name)), Value: span(mean),
				Title: fmt.Sprintf("%s %s: %.0f jobs wait %s on average; 95 of 100 wait %s at most", kind, source.Plain(g.Name),
					g.Of("jobs"), span(mean), span(p95)),
				Mean: barWidth * mean / max(1, longest), P95: barLeft + barWidth*p95/max(1, longest)})
		}
		b.Height = len(b.Rows) * barHeight
		list = append(list, b)
	}
	return list
}

// short cuts a name that has no room.
func short(name string) string {
	const most = 20
	if runes := []rune(name); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return name
}

// tables are the figures, sortable.
func (r *Report) tables() (list []sheet.Table) {
	m := r.Measured
	if x := r.Against; x != nil {
		list = append(list, r.differenceTable("against", "Against the other policy", x.Whole),
			r.differenceTable("groups-against", "Mean wait of each group, against the other policy", x.Groups))
	}
	groups := sheet.Table{ID: "groups", Title: "Groups of jobs", Head: sheet.Columns("by,name"),
		Caption: "fairway doc metrics has the definitions."}
	var shown []int
	for i := range replay.Metrics {
		if !replay.Metrics[i].Whole {
			shown = append(shown, i)
			groups.Head = append(groups.Head, sheet.Column{Name: replay.Metrics[i].Name, Number: true})
		}
	}
	all := append([]replay.Group{{Kind: "all", Figures: m.All}}, m.Groups...)
	if len(all) > mostRows {
		groups.Caption += fmt.Sprintf(" The first %d of %d; -o json has all.", mostRows, len(all))
		all = all[:mostRows]
	}
	for _, g := range all {
		row := sheet.Words(g.Kind, source.Plain(g.Name))
		for _, i := range shown {
			row = append(row, figureCell(&replay.Metrics[i], g.Figures[i]))
		}
		groups.Rows = append(groups.Rows, row)
	}
	whole := sheet.Table{ID: "whole", Title: "The replay as a whole", Head: sheet.Columns("metric,#value,*definition")}
	for i := range replay.Metrics {
		if x := &replay.Metrics[i]; m.All[i] == m.All[i] {
			whole.Rows = append(whole.Rows, []sheet.Cell{{Text: x.Name}, figureCell(x, m.All[i]), {Text: x.Doc}})
		}
	}
	list = append(list, whole, groups)
	if len(r.Workload.Left) > 0 {
		left := sheet.Table{ID: "left", Title: "Records left out", Head: sheet.Columns("as they have,#records,*jobs")}
		for _, l := range r.Workload.Left {
			left.Rows = append(left.Rows, []sheet.Cell{{Text: l.Why},
				sheet.Sorted(fmt.Sprint(len(l.IDs)), fmt.Sprint(len(l.IDs))),
				{Text: source.Plain(form.Joined(l.IDs[:min(len(l.IDs), 20)]))}})
		}
		list = append(list, left)
	}
	return list
}

// figureCell is a metric with what it is sorted by; what is unknown comes last.
func figureCell(m *replay.Metric, f float64) sheet.Cell {
	if math.IsNaN(f) {
		return sheet.Sorted("–", "1e300")
	}
	return sheet.Sorted(figure(m, f), fmt.Sprint(f))
}

func (r *Report) differenceTable(id, title string, list []replay.Difference) sheet.Table {
	t := sheet.Table{ID: id, Title: title,
		Head:    sheet.Columns("by,name,metric,#this,#other,#difference,#from,#to,this is"),
		Caption: fmt.Sprintf("From and to are the 95 %% interval, from %d workloads drawn from this one.", r.Against.Drawn)}
	list = known(list)
	for i := range list[:min(len(list), mostRows)] {
		d := &list[i]
		m := &replay.Metrics[d.Metric]
		signedCell := func(f float64) sheet.Cell {
			c := figureCell(m, f)
			if f == f {
				c.Text = signed(m, f)
			}
			return c
		}
		t.Rows = append(t.Rows, []sheet.Cell{{Text: d.Kind}, {Text: source.Plain(d.Name)}, {Text: m.Name},
			figureCell(m, d.This), figureCell(m, d.Other), signedCell(d.Change()), signedCell(d.Low), signedCell(d.High),
			{Text: verdict(d)}})
	}
	return t
}
