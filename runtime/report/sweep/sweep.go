// Package sweep writes what a sweep came to: a row for each choice of parameters, which of them no other beats, how
// much each parameter matters, and the settings to use. Cells as data are written here too.
//
// In: a sweep.Manifest with the results of its cells. Out: text. Called by the command line.
package sweep

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/runtime/report/encode"
	"github.com/fairway-sched/fairway/runtime/report/form"
	"github.com/fairway-sched/fairway/runtime/sweep"
)

// Report is a sweep that is shown.
type Report struct {
	*sweep.Manifest
	Results       []*sweep.Result // by cell; nil for one that is missing
	Outcomes      []sweep.Outcome
	Sensitivities []sweep.Sensitivity
	Colour        bool
	Spreadsheet   bool // CSV: see form.CsvText
}

// New works out what is shown.
func New(m *sweep.Manifest, results []*sweep.Result) *Report {
	r := &Report{Manifest: m, Results: results, Outcomes: m.Outcomes(results)}
	r.Sensitivities = m.Sensitivities(r.Outcomes)
	return r
}

// Format is one way to write a sweep.
type Format struct {
	Name, Doc string
	Write     func(io.Writer, *Report) error
}

// Formats lists what `sweep report -o` offers.
var Formats = []Format{
	{"csv", "One row for each choice of parameters.", WriteCSV},
	{"html", "One page with plots, that needs no network.", WriteHTML},
	{"json", "Choices, the front, and how much each parameter matters.", WriteJSON},
	{"table", "The same for people, with the settings of the front.", WriteTable},
}

// CellFormats lists what `sweep merge -o` offers.
var CellFormats = []Format{
	{"csv", "One row for each cell, with its figures.", WriteCellsCSV},
	{"json", "All results as one document.", WriteCellsJSON},
	{"jsonl", "One result on each line.", WriteCells},
}

// Find returns the format of that name; what is in the way is added to diags.
func Find(list []Format, name string, diags *diag.List) *Format {
	return form.Named(list, func(f Format) string { return f.Name }, name, "format %q of a sweep", diags)
}

// WriteCells writes the result of each cell on a line, in the order of the manifest.
func WriteCells(w io.Writer, r *Report) error {
	for _, result := range r.Results {
		if result == nil {
			continue
		}
		text, err := result.Encode()
		if err == nil {
			_, err = w.Write(text)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// WriteCellsJSON writes all results as one document.
func WriteCellsJSON(w io.Writer, r *Report) error {
	study, err := json.Marshal(r.Study)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, "{\"format_version\":%d,\"study\":%s,\"cells\":[", sweep.FormatVersion,
		study); err != nil {
		return err
	}
	first := true
	for _, result := range r.Results {
		if result == nil {
			continue
		}
		text, err := result.Encode()
		if err != nil {
			return err
		}
		comma := ",\n"
		if first {
			comma, first = "\n", false
		}
		if _, err := io.WriteString(w, comma+strings.TrimSuffix(string(text), "\n")); err != nil {
			return err
		}
	}
	_, err = io.WriteString(w, "\n]}\n")
	return err
}

// params are the names of all parameters that vary, in the order in which policies have them.
func (r *Report) params() (names []string) {
	for i := range r.Policies {
		for _, p := range r.Policies[i].Params {
			if !slices.Contains(names, p.Name) {
				names = append(names, p.Name)
			}
		}
	}
	return names
}

func valueOf(params []sweep.Param, name string) string {
	for _, p := range params {
		if p.Name == name {
			return p.Value
		}
	}
	return ""
}

// WriteCellsCSV writes one row for each cell. Figures of groups are in JSON alone.
func WriteCellsCSV(w io.Writer, r *Report) error {
	out, text := csv.NewWriter(w), form.CsvText(r.Spreadsheet)
	names := r.params()
	head := []string{"cell", "policy", "source", "seed"}
	for _, name := range names {
		head = append(head, text("param."+name))
	}
	figures := sweep.Metrics()
	for i := range figures {
		head = append(head, figures[i].Name)
	}
	if err := out.Write(head); err != nil {
		return err
	}
	for _, result := range r.Results {
		if result == nil {
			continue
		}
		row := []string{result.Cell, text(result.Policy), text(result.Source), strconv.FormatUint(result.Seed, 10)}
		for _, name := range names {
			row = append(row, text(valueOf(result.Params, name)))
		}
		for i := range figures {
			row = append(row, csvNumber(result.Value(&sweep.Metric{Of: figures[i].Name})))
		}
		if err := out.Write(row); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func csvNumber(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return form.CsvNumber(x)
}

// WriteCSV writes one row for each choice: what its metrics come to, their extremes, whether it is on the front and
// which goals it misses.
func WriteCSV(w io.Writer, r *Report) error {
	out, text := csv.NewWriter(w), form.CsvText(r.Spreadsheet)
	names := r.params()
	head := []string{"policy"}
	for _, name := range names {
		head = append(head, text("param."+name))
	}
	for i := range r.Metrics {
		name := text(r.Metrics[i].Name)
		head = append(head, name, name+" least", name+" most")
	}
	if err := out.Write(append(head, "front", "misses")); err != nil {
		return err
	}
	for i := range r.Outcomes {
		o := &r.Outcomes[i]
		if o.Cells == 0 {
			continue
		}
		point := &r.Points[o.Point]
		row := []string{text(r.Policies[point.Policy].Name)}
		for _, name := range names {
			row = append(row, text(valueOf(point.Params, name)))
		}
		for k := range r.Metrics {
			row = append(row, csvNumber(o.Values[k]), csvNumber(o.Least[k]), csvNumber(o.Most[k]))
		}
		if err := out.Write(append(row, strconv.FormatBool(o.Front), text(r.missed(o)))); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func (r *Report) missed(o *sweep.Outcome) string {
	var names []string
	for _, k := range o.Missed {
		names = append(names, r.Metrics[k].Name)
	}
	return strings.Join(names, "; ")
}

// metric, choice and effect are parts of the JSON.
type metric struct {
	Name    string  `json:"name"`
	Of      string  `json:"of"`
	Kind    string  `json:"group_kind" form:"ornull"`
	Group   string  `json:"group" form:"ornull"`
	Prefer  string  `json:"prefer"`
	AtMost  float64 `json:"at_most"`
	AtLeast float64 `json:"at_least"`
}

type choice struct {
	Policy   string    `json:"policy"`
	Params   []param   `json:"params"`
	Cells    int       `json:"cells"`
	Values   []float64 `json:"values"` // by metric
	Least    []float64 `json:"least"`
	Most     []float64 `json:"most"`
	Front    bool      `json:"front"`
	Misses   []string  `json:"misses"`
	Settings []string  `json:"settings"`
}

type param struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type effect struct {
	Policy string  `json:"policy"`
	Param  string  `json:"param"`
	Metric string  `json:"metric"`
	Share  float64 `json:"share"`
	Bins   []bin   `json:"bins"`
}

type bin struct {
	From   string  `json:"from"`
	To     string  `json:"to"`
	Points int     `json:"choices"`
	Mean   float64 `json:"mean"`
}

// WriteJSON writes what the sweep came to as one document.
func WriteJSON(w io.Writer, r *Report) error {
	var metrics []metric
	for i := range r.Metrics {
		m := &r.Metrics[i]
		one := metric{m.Name, m.Of, m.Kind, m.Group, "low", bound(m.AtMost), bound(m.AtLeast)}
		if m.High {
			one.Prefer = "high"
		}
		metrics = append(metrics, one)
	}
	var choices []choice
	for i := range r.Outcomes {
		o := &r.Outcomes[i]
		c := choice{Policy: r.Policies[r.Points[o.Point].Policy].Name, Cells: o.Cells, Values: o.Values, Least: o.Least,
			Most: o.Most, Front: o.Front, Settings: r.Settings(o.Point)}
		for _, p := range r.Points[o.Point].Params {
			c.Params = append(c.Params, param{p.Name, p.Value})
		}
		for _, k := range o.Missed {
			c.Misses = append(c.Misses, r.Metrics[k].Name)
		}
		choices = append(choices, c)
	}
	var effects []effect
	for i := range r.Sensitivities {
		s := &r.Sensitivities[i]
		e := effect{Policy: r.Policies[s.Policy].Name, Param: s.Param, Metric: r.Metrics[s.Metric].Name, Share: s.Share}
		for _, b := range s.Bins {
			e.Bins = append(e.Bins, bin(b))
		}
		effects = append(effects, e)
	}
	return encode.Write(w, struct {
		FormatVersion int      `json:"format_version"`
		Study         string   `json:"study"`
		Cells         int      `json:"cells"`
		Missing       int      `json:"missing"`
		Metrics       []metric `json:"metrics"`
		Choices       []choice `json:"choices" form:"lines"`
		Sensitivity   []effect `json:"sensitivity" form:"lines"`
	}{sweep.FormatVersion, r.Study, len(r.Cells), r.missing(), metrics, choices, effects})
}

func bound(x *float64) float64 {
	if x == nil {
		return math.NaN()
	}
	return *x
}

func (r *Report) missing() (n int) {
	for _, result := range r.Results {
		if result == nil {
			n++
		}
	}
	return n
}
