package sweep

import (
	_ "embed"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/report/form"
	"github.com/fairway-sched/fairway/runtime/report/sheet"
	"github.com/fairway-sched/fairway/runtime/sweep"
)

//go:embed page.html
var pageText string

var page = sheet.New("sweep", pageText)

// Bounds of a page, so that a browser stays quick whatever the study is.
const (
	mostRows  = 500
	mostDots  = 2000
	mostPlots = 6
	mostShown = 50 // choices of the front with their settings
)

// settings are the lines that make a choice.
type settings struct {
	Choice string
	Lines  []string
}

// WriteHTML writes one page that needs no network.
func WriteHTML(w io.Writer, r *Report) error {
	front, others := r.ordered()
	data := struct {
		Study    string
		Lines    []string
		Goals    bool
		Plots    []*plot
		Tables   []sheet.Table
		Settings []settings
	}{Study: source.Plain(r.Study), Lines: r.verdict(front), Goals: r.hasGoals(),
		Plots: r.plots(append(others, front...))}
	data.Tables = append(data.Tables, r.choices("front", "The front", "No other choice beats these in all metrics.",
		front))
	if len(others) > 0 {
		data.Tables = append(data.Tables, r.choices("others", "Other choices", "Those that meet the goals best come first.",
			others))
	}
	if len(r.Sensitivities) > 0 {
		data.Tables = append(data.Tables, r.shares())
	}
	for _, o := range front[:min(len(front), mostShown)] {
		one := settings{Choice: source.Plain(r.Choice(o.Point))}
		for _, line := range r.Settings(o.Point) {
			one.Lines = append(one.Lines, source.Plain(line))
		}
		data.Settings = append(data.Settings, one)
	}
	return page.Execute(w, data)
}

// verdict is what one reads first.
func (r *Report) verdict(front []*sweep.Outcome) (lines []string) {
	meet := 0
	for i := range r.Outcomes {
		if o := &r.Outcomes[i]; o.Cells > 0 && len(o.Missed) == 0 {
			meet++
		}
	}
	if len(front) > 0 {
		best := front[0]
		text := "Best by the goals and then by " + source.Plain(r.Metrics[0].Name) + ": " +
			source.Plain(r.Choice(best.Point)) + ", with "
		var parts []string
		for k := range r.Metrics {
			parts = append(parts, source.Plain(r.Metrics[k].Name)+" "+Shown(&r.Metrics[k], best.Values[k]))
		}
		lines = append(lines, text+strings.Join(parts, ", ")+".")
	}
	if r.hasGoals() {
		lines = append(lines, fmt.Sprintf("%s all goals.", form.Plural(meet, "1 choice meets",
			strconv.Itoa(meet)+" choices meet")))
	}
	return append(lines, fmt.Sprintf("%d of %d cells: %d %s over %d %s.", len(r.Cells)-r.missing(), len(r.Cells),
		len(r.Points), form.Plural(len(r.Points), "choice", "choices"), len(r.Sources),
		form.Plural(len(r.Sources), "source", "sources")))
}

func (r *Report) hasGoals() bool {
	for i := range r.Metrics {
		if r.Metrics[i].AtMost != nil || r.Metrics[i].AtLeast != nil {
			return true
		}
	}
	return false
}

// choices is a table of choices with their metrics and extremes.
func (r *Report) choices(id, title, caption string, list []*sweep.Outcome) sheet.Table {
	heads := "*Choice"
	t := sheet.Table{ID: id, Title: title, Caption: caption}
	if t.Head = sheet.Columns(heads); len(list) > mostRows {
		t.Caption += fmt.Sprintf(" The first %d of %d; -o csv has all.", mostRows, len(list))
	}
	several := slices.ContainsFunc(list, func(o *sweep.Outcome) bool { return o.Cells > 1 })
	for k := range r.Metrics {
		if t.Head = append(t.Head, sheet.Column{Name: source.Plain(r.Metrics[k].Name), Number: true}); several {
			t.Head = append(t.Head, sheet.Column{Name: "least to most", Number: true})
		}
	}
	if r.hasGoals() {
		t.Head = append(t.Head, sheet.Column{Name: "Misses"})
	}
	for _, o := range list[:min(len(list), mostRows)] {
		row := sheet.Words(source.Plain(r.Choice(o.Point)))
		for k := range r.Metrics {
			m := &r.Metrics[k]
			if row = append(row, sheet.Sorted(Shown(m, o.Values[k]), number(o.Values[k]))); several {
				row = append(row, sheet.Sorted(Shown(m, o.Least[k])+" to "+Shown(m, o.Most[k]), number(o.Most[k]-o.Least[k])))
			}
		}
		if r.hasGoals() {
			row = append(row, sheet.Cell{Text: source.Plain(r.missed(o))})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func number(x float64) string {
	if math.IsNaN(x) {
		return "0"
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// shares is the table of how much each parameter matters.
func (r *Report) shares() sheet.Table {
	t := sheet.Table{ID: "sensitivity", Title: "How much each parameter matters",
		Caption: "The share of a metric's variance that a parameter explains alone (the correlation ratio), and the mean " +
			"of the metric by its value; the other parameters are whatever they are.",
		Head: sheet.Columns("Policy,Parameter,Metric,#Share,*Mean by value")}
	for i := range r.Sensitivities[:min(len(r.Sensitivities), mostRows)] {
		s := &r.Sensitivities[i]
		var means []string
		for _, b := range s.Bins {
			means = append(means, valueText(b)+": "+Shown(&r.Metrics[s.Metric], b.Mean))
		}
		row := sheet.Words(source.Plain(r.Policies[s.Policy].Name), source.Plain(s.Param),
			source.Plain(r.Metrics[s.Metric].Name))
		row = append(row, sheet.Sorted(strconv.FormatFloat(100*s.Share, 'f', 0, 64)+" %", number(s.Share)),
			sheet.Cell{Text: source.Plain(strings.Join(means, ", "))})
		t.Rows = append(t.Rows, row)
	}
	return t
}

// plot is two metrics of all choices against each other.
type plot struct {
	Title, X, Y    string
	XTicks, YTicks []tick
	Dots           []dot
	Bounds         []segment
}

type tick struct {
	At   float64
	Text string
}

type dot struct {
	X, Y  float64
	Front bool
	Title string
}

type segment struct{ X1, X2, Y1, Y2 float64 }

// plots draws each pair of metrics; the front comes last, so that it is on top.
func (r *Report) plots(list []*sweep.Outcome) (plots []*plot) {
	for a := range r.Metrics {
		for b := a + 1; b < len(r.Metrics) && len(plots) < mostPlots; b++ {
			if p := r.plot(list, a, b); len(p.Dots) > 0 {
				plots = append(plots, p)
			}
		}
	}
	return plots
}

func (r *Report) plot(list []*sweep.Outcome, a, b int) *plot {
	x, y := newScale(&r.Metrics[a], list, a, 80, 430), newScale(&r.Metrics[b], list, b, 280, 30)
	p := &plot{X: source.Plain(r.Metrics[a].Name), Y: source.Plain(r.Metrics[b].Name), XTicks: x.ticks(),
		YTicks: y.ticks()}
	p.Title = p.Y + " by " + p.X
	for _, o := range list[max(0, len(list)-mostDots):] {
		if u, v := o.Values[a], o.Values[b]; u == u && v == v {
			p.Dots = append(p.Dots, dot{x.at(u), y.at(v), o.Front, fmt.Sprintf("%s: %s %s, %s %s",
				source.Plain(r.Choice(o.Point)), p.X, Shown(&r.Metrics[a], u), p.Y, Shown(&r.Metrics[b], v))})
		}
	}
	for _, bound := range x.bounds() {
		p.Bounds = append(p.Bounds, segment{bound, bound, 20, 290})
	}
	for _, bound := range y.bounds() {
		p.Bounds = append(p.Bounds, segment{70, 440, bound, bound})
	}
	return p
}

// scale puts a metric's values between two places of a plot, the best first.
type scale struct {
	metric    *sweep.Metric
	low, high float64
	from, to  float64
}

func newScale(m *sweep.Metric, list []*sweep.Outcome, k int, from, to float64) *scale {
	s := &scale{m, math.Inf(1), math.Inf(-1), from, to}
	for _, o := range list {
		if x := o.Values[k]; x == x {
			s.low, s.high = min(s.low, x), max(s.high, x)
		}
	}
	if s.low == s.high {
		s.low, s.high = s.low-math.Abs(s.low)/10-1e-9, s.high+math.Abs(s.high)/10+1e-9
	}
	return s
}

func (s *scale) at(x float64) float64 {
	share := (x - s.low) / (s.high - s.low)
	if s.metric.High {
		share = 1 - share
	}
	return math.Round(10*(s.from+(s.to-s.from)*share)) / 10
}

func (s *scale) ticks() (list []tick) {
	if s.low > s.high {
		return nil
	}
	for _, x := range []float64{s.low, (s.low + s.high) / 2, s.high} {
		list = append(list, tick{s.at(x), Shown(s.metric, x)})
	}
	return list
}

// bounds are where goals are, as far as they are in the picture.
func (s *scale) bounds() (list []float64) {
	for _, bound := range []*float64{s.metric.AtMost, s.metric.AtLeast} {
		if bound != nil && *bound >= s.low && *bound <= s.high {
			list = append(list, s.at(*bound))
		}
	}
	return list
}
