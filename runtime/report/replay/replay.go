// Package replay writes what a replay came to: as a table for people, as JSON and as CSV.
//
// In: a replay.Result. Out: text. Called by the command line.
package replay

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/replay"
	"github.com/fairway-sched/fairway/runtime/report/encode"
	"github.com/fairway-sched/fairway/runtime/report/form"
)

// Report is a replay that is shown.
type Report struct {
	*replay.Result
	Policy   string // of which scheduler it is: maui, slurm or ""
	Measured *replay.Measured
	Colour   bool

	Spreadsheet bool // CSV: see form.CsvText
}

// Format is one way to write a replay.
type Format struct {
	Name, Doc string
	Write     func(io.Writer, *Report) error
}

// Formats lists what `replay -o` offers.
var Formats = []Format{
	{"csv", "One row for each job.", WriteCSV},
	{"json", "Jobs, figures and what was left out, as replay.schema.json describes it.", WriteJSON},
	{"jsonl", "One job object on each line.", WriteLines},
	{"table", "Figures of all jobs, and of each credential.", WriteTable},
}

// Schema describes what WriteJSON writes, as JSON Schema.
//
//go:embed replay.schema.json
var Schema string

// FormatVersion is the version of the JSON.
const FormatVersion = 1

// Find returns the format of that name; what is in the way is added to diags.
func Find(name string, diags *diag.List) *Format {
	names := make([]string, len(Formats))
	for i := range Formats {
		if names[i] = Formats[i].Name; names[i] == name {
			return &Formats[i]
		}
	}
	d := diags.Errorf("view-unknown", source.Span{}, "there is no format %q of a replay", name)
	d.Note("there are: %s", form.Joined(names))
	d.DidYouMean(source.Span{}, name, names)
	d.Fix = nil // the word is on the command line, not in a file
	return nil
}

// job is one job in JSON. Times are epoch seconds.
type job struct {
	ID              string   `json:"id"`
	User            string   `json:"user"`
	Account         string   `json:"account"`
	QOS             string   `json:"qos"`
	Partition       string   `json:"partition"`
	Procs           int64    `json:"procs"`
	WalltimeSeconds *int64   `json:"walltime_seconds"`
	Submit          int64    `json:"submit"`
	Start           *int64   `json:"start"`
	End             *int64   `json:"end"`
	WaitSeconds     *int64   `json:"wait_seconds"`
	Slowdown        any      `json:"bounded_slowdown"`
	By              string   `json:"by" form:"ornull"`
	Nodes           []string `json:"nodes"`
	Tasks           []int64  `json:"tasks"`
	Cancelled       bool     `json:"cancelled"`
	Never           string   `json:"never" form:"ornull"`
}

func (r *Report) job(o *replay.Outcome) *job {
	started := o.By != ""
	j := &job{ID: o.ID, User: o.User, Account: o.Account, QOS: o.QOS, Partition: o.Partition, Procs: o.Procs,
		WalltimeSeconds: encode.Some(o.Limit, o.Limit > 0), Submit: o.Submit,
		Start: encode.Some(o.Start, started), End: encode.Some(o.End, started),
		WaitSeconds: encode.Some(o.Wait(), started), By: string(o.By), Cancelled: o.Cancelled, Never: o.Never}
	if started {
		j.Slowdown = replay.Slowdown(float64(o.Wait()), float64(o.End-o.Start))
	}
	for _, share := range o.Nodes {
		j.Nodes, j.Tasks = append(j.Nodes, r.Nodes[share.Node]), append(j.Tasks, share.Tasks)
	}
	return j
}

func (r *Report) jobs() iter.Seq[*job] {
	return func(yield func(*job) bool) {
		for i := range r.Outcomes {
			if !yield(r.job(&r.Outcomes[i])) {
				return
			}
		}
	}
}

// spread, figures, group and metrics are the figures in JSON.
type spread struct {
	Mean   float64 `json:"mean"`
	Median float64 `json:"median"`
	P95    float64 `json:"p95"`
	Max    float64 `json:"max"`
}

type figures struct {
	Jobs        int     `json:"jobs"`
	Started     int     `json:"started"`
	Wait        spread  `json:"wait_seconds"`
	Slowdown    spread  `json:"bounded_slowdown"`
	ProcSeconds float64 `json:"proc_seconds"`
}

func figuresOf(m *replay.Metrics) figures {
	return figures{m.Jobs, m.Started, spread(m.Wait), spread(m.Slowdown), m.ProcSeconds}
}

type group struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
	figures
}

type metrics struct {
	From            int64            `json:"from"`
	MakespanSeconds int64            `json:"makespan_seconds"`
	Utilisation     float64          `json:"utilisation"`
	JobsPerHour     float64          `json:"jobs_per_hour"`
	All             figures          `json:"all"`
	Groups          iter.Seq[*group] `json:"groups" form:"lines"`
}

type leftOut struct {
	Why   string   `json:"why"`
	Count int      `json:"count"`
	Jobs  []string `json:"jobs"`
}

// WriteJSON writes the whole replay as one JSON document.
func WriteJSON(w io.Writer, r *Report) error {
	m := r.Measured
	groups := make([]*group, len(m.Groups))
	for i := range m.Groups {
		g := &m.Groups[i]
		groups[i] = &group{g.Kind, g.Name, figuresOf(&g.Metrics)}
	}
	var left []leftOut
	for _, l := range r.Workload.Left {
		left = append(left, leftOut{l.Why, len(l.IDs), l.IDs})
	}
	return encode.Write(w, struct {
		FormatVersion int            `json:"format_version"`
		Scheduler     string         `json:"scheduler" form:"ornull"`
		Begin         int64          `json:"begin"`
		End           int64          `json:"end"`
		Jobs          iter.Seq[*job] `json:"jobs" form:"lines"`
		Metrics       metrics        `json:"metrics"`
		LeftOut       []leftOut      `json:"left_out"`
	}{FormatVersion, r.Policy, r.Begin, r.End, r.jobs(), metrics{m.From, m.MakespanSeconds, m.Utilisation, m.PerHour,
		figuresOf(&m.Metrics), slices.Values(groups)}, left})
}

// WriteLines writes one job object on each line.
func WriteLines(w io.Writer, r *Report) error {
	j := encode.New(w)
	for job := range r.jobs() {
		j.Record(job)
	}
	return j.Close()
}

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

// WriteTable writes the figures for people: the whole, and then each credential.
func WriteTable(w io.Writer, r *Report) error {
	m := r.Measured
	line := func(name, format string, args ...any) string {
		return fmt.Sprintf("%-13s "+format+"\n", append([]any{name}, args...)...)
	}
	text := line("played", "%s to %s", form.ClockText(r.Begin), form.ClockText(r.End))
	if m.From > r.Begin {
		text += line("counted", "jobs submitted from %s on", form.ClockText(m.From))
	}
	text += line("jobs", "%d, %d started", m.Jobs, m.Started)
	text += line("makespan", "%s", form.SpanText(m.MakespanSeconds))
	text += line("utilisation", "%s while there was work", percent(m.Utilisation))
	text += line("throughput", "%s jobs an hour", number(m.PerHour, 1))
	g := &form.Grid{Rows: len(m.Groups) + 1}
	of := func(row int) *replay.Metrics {
		if row == 0 {
			return &m.Metrics
		}
		return &m.Groups[row-1].Metrics
	}
	g.Add("", false, func(row int) string {
		if row == 0 {
			return "all"
		}
		return m.Groups[row-1].Kind
	})
	g.Add("NAME", false, func(row int) string {
		if row == 0 {
			return ""
		}
		return m.Groups[row-1].Name
	})
	g.Add("JOBS", true, func(row int) string { return strconv.Itoa(of(row).Jobs) })
	g.Add("STARTED", true, func(row int) string { return strconv.Itoa(of(row).Started) })
	seconds := func(title string, pick func(replay.Spread) float64) {
		g.Add(title, true, func(row int) string { return span(pick(of(row).Wait)) })
	}
	seconds("WAIT MEAN", func(s replay.Spread) float64 { return s.Mean })
	seconds("MEDIAN", func(s replay.Spread) float64 { return s.Median })
	seconds("P95", func(s replay.Spread) float64 { return s.P95 })
	seconds("MAX", func(s replay.Spread) float64 { return s.Max })
	g.Add("SLOWDOWN MEAN", true, func(row int) string { return number(of(row).Slowdown.Mean, 2) })
	g.Add("P95", true, func(row int) string { return number(of(row).Slowdown.P95, 2) })
	g.Add("PROC HOURS", true, func(row int) string { return number(of(row).ProcSeconds/3600, 1) })
	_, err := io.WriteString(w, text+"\n"+g.Text(r.Colour))
	return err
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
