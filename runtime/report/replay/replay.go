// Package replay writes what a replay came to: as a table for people, as JSON and as CSV.
//
// In: a replay.Result. Out: text. Called by the command line.
package replay

import (
	"io"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/replay"
	"github.com/fairway-sched/fairway/runtime/report/form"
)

// Report is a replay that is shown.
type Report struct {
	*replay.Result
	Policy   string // whose clock and rules it has: maui, slurm or "" (from scratch)
	Measured *replay.Measured
	Against  *replay.Comparison // with another policy; nil without
	This     string             // what the user calls the policy
	Other    string             // and the other one
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
	{"html", "One page for a browser, without a network: plots, the machine over time, the figures.", WriteHTML},
	{"json", "Jobs, figures and what was left out, as replay.schema.json describes it.", WriteJSON},
	{"jsonl", "One job object on each line.", WriteLines},
	{"table", "Figures of all jobs, and of each credential.", WriteTable},
}

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
	if name == "parquet" {
		d.Note("Parquet is not written; -o csv has a row for each job, which pandas, DuckDB and Arrow read")
		return nil
	}
	d.DidYouMean(source.Span{}, name, names)
	d.Fix = nil // the word is on the command line, not in a file
	return nil
}
