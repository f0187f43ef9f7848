package view_test

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/view"
)

type writer = func(io.Writer, *engine.Result, view.Options) error

func one(write func(io.Writer, *engine.Result, int, view.Options) error, job int) writer {
	return func(w io.Writer, r *engine.Result, o view.Options) error { return write(w, r, job, o) }
}

func two(write func(io.Writer, *engine.Result, int, int, view.Options) error, a, b int) writer {
	return func(w io.Writer, r *engine.Result, o view.Options) error { return write(w, r, a, b, o) }
}

func TestGoldens(t *testing.T) {
	for _, c := range []struct {
		file  string
		r     *engine.Result
		write writer
		o     view.Options
	}{
		{"maui.json", sample(), view.WriteJSON, view.Options{}},
		{"maui.jsonl", sample(), view.WriteJSONLines, view.Options{}},
		{"maui.csv", sample(), view.WriteCSV, view.Options{}},
		{"maui.table.txt", sample(), view.WriteTable, view.Options{}},
		{"maui.table-narrow.txt", sample(), view.WriteTable, view.Options{Limit: 2, Width: 60}},
		{"maui.table-colour.txt", sample(), view.WriteTable, view.Options{Limit: 1, Colour: true}},
		{"maui.diagnose-p.txt", sample(), view.WriteDiagnoseP, view.Options{}},
		{"maui.explain-capped.txt", sample(), one(view.WriteExplain, 0), view.Options{}},
		{"maui.explain-all.txt", sample(), one(view.WriteExplain, 1), view.Options{All: true}},
		{"maui.explain-floor.txt", sample(), one(view.WriteExplain, 3), view.Options{}},
		{"maui.explain-failed.txt", sample(), one(view.WriteExplain, 4), view.Options{}},
		{"maui.explain.json", sample(), one(view.WriteExplainJSON, 0), view.Options{}},
		{"maui.pair.txt", sample(), two(view.WriteExplainPair, 0, 1), view.Options{}},
		{"maui.pair-capped.txt", sample(), two(view.WriteExplainPair, 2, 0), view.Options{}},
		{"maui.pair-held.txt", sample(), two(view.WriteExplainPair, 5, 0), view.Options{}},
		{"maui.pair-failed.txt", sample(), two(view.WriteExplainPair, 0, 4), view.Options{}},
		{"maui.pair-failed.json", sample(), two(view.WriteExplainPairJSON, 0, 4), view.Options{}},
		{"maui.pair-override.txt", overriddenSample(), two(view.WriteExplainPair, 4, 0), view.Options{}},
		{"maui.pair.json", sample(), two(view.WriteExplainPairJSON, 0, 1), view.Options{}},
		{"maui.diagnose-f.txt", sample(), view.WriteDiagnoseF, view.Options{}},
		{"shares.json", sharesSample(false), view.WriteJSON, view.Options{}},
		{"shares.diagnose-f.txt", sharesSample(false), view.WriteDiagnoseF, view.Options{}},
		{"shares.explain.txt", sharesSample(false), one(view.WriteExplain, 0), view.Options{}},
		{"shares.explain.json", sharesSample(false), one(view.WriteExplainJSON, 0), view.Options{}},
		{"shares.explain-none.txt", sharesSample(false), one(view.WriteExplain, 1), view.Options{All: true}},
		{"shares.explain-ratio.txt", sharesSample(true), one(view.WriteExplain, 0), view.Options{}},
		{"shares.explain-sign.txt", documentedSign(), one(view.WriteExplain, 0), view.Options{}},
		{"slurm.json", slurmSample(), view.WriteJSON, view.Options{}},
		{"slurm.table.txt", slurmSample(), view.WriteTable, view.Options{}},
		{"slurm.table-done.txt", givenSample(), view.WriteTable, view.Options{}},
		{"slurm.sprio.txt", slurmSample(), view.WriteSprio, view.Options{}},
		{"slurm.sprio-w.txt", slurmSample(), view.WriteSprio, view.Options{Weights: true}},
		{"slurm.sprio-n.txt", slurmSample(), view.WriteSprio, view.Options{Norm: true}},
		{"slurm.given.json", givenSample(), one(view.WriteExplainJSON, 3), view.Options{}},
		{"slurm.explain.txt", slurmSample(), one(view.WriteExplain, 0), view.Options{}},
		{"slurm.pair.txt", slurmSample(), two(view.WriteExplainPair, 0, 1), view.Options{}},
		{"slurm.pair-stays.txt", twoGoodEntries(), two(view.WriteExplainPair, 0, 1), view.Options{}},
		{"slurm.pair-tie.txt", slurmSample(), two(view.WriteExplainPair, 3, 2), view.Options{}},
	} {
		t.Run(c.file, func(t *testing.T) {
			got := text(t, c.write, c.r, c.o)
			if !utf8.ValidString(got) && !strings.HasSuffix(c.file, ".csv") {
				t.Error("not valid UTF-8")
			}
			if strings.Contains(got, "\x1b[2J") && !strings.HasSuffix(c.file, ".csv") {
				t.Error("an escape sequence of a name got through")
			}
			golden(t, c.file, got)
		})
	}
}

// TestCSVReadsBack: hostile names survive, but for what is not shown, and every record has every column.
func TestCSVReadsBack(t *testing.T) {
	r := sample()
	records, err := csv.NewReader(strings.NewReader(text(t, view.WriteCSV, r, view.Options{}))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(records) != r.Jobs.Rows+1 {
		t.Fatalf("%d records for %d jobs", len(records), r.Jobs.Rows)
	}
	users := map[string]bool{}
	for _, record := range records {
		users[record[1]] = true
	}
	for _, name := range r.Jobs.Column("job.user").Dict {
		if !users[source.Plain(name)] {
			t.Errorf("user %q is lost", name)
		}
	}
}

// TestCSVForSpreadsheets: on request no text is a formula; numbers below zero and all other text stay as they are.
func TestCSVForSpreadsheets(t *testing.T) {
	plain, asked := text(t, view.WriteCSV, sample(), view.Options{}), text(t, view.WriteCSV, sample(), view.Options{Spreadsheet: true})
	if want := strings.ReplaceAll(plain, `"=cmd|x""",`, `"'=cmd|x""",`); asked != want || asked == plain {
		t.Errorf("with Spreadsheet:\n%s\nwant:\n%s", asked, want)
	}
	if !strings.Contains(asked, ",-10\n") {
		t.Error("the sample has no number below zero, which stays a number")
	}
	p := planned("maui")
	for i, name := range []string{"+1", "-1", "@sum", " =1", "＝1"} {
		p.Schedule.Requests[i].User = name
	}
	p.Spreadsheet = true
	var b strings.Builder
	if err := view.WritePlanCSV(&b, p); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"+1", "-1", "@sum", " =1", "＝1"} {
		if !strings.Contains(b.String(), ",'"+name+",") {
			t.Errorf("%q is a formula in\n%s", name, b.String())
		}
	}
}

// TestEveryViewOfNothing: an empty queue, and a result without terms, are not an accident.
func TestEveryViewOfNothing(t *testing.T) {
	empty := engine.Result{Program: &program.Program{Policy: "none"}, Jobs: column.NewTable("job", 0), Rows: column.NewTable("job", 0)}
	bare := sample()
	bare.Terms, bare.Sums = nil, nil
	for _, list := range [][]view.View{view.Views, view.Formats} {
		for _, v := range list {
			if text(t, v.Write, &empty, view.Options{}) == "" && v.Name != "jsonl" {
				t.Errorf("%s writes nothing at all for an empty queue", v.Name)
			}
			if !v.Terms {
				text(t, v.Write, bare, view.Options{})
			}
		}
	}
	text(t, one(view.WriteExplain, 0), bare, view.Options{})
	text(t, two(view.WriteExplainPair, 0, 1), bare, view.Options{})
	text(t, two(view.WriteExplainPair, 1, 1), bare, view.Options{})
	text(t, two(view.WriteExplainPairJSON, 1, 1), bare, view.Options{})
}

// TestNotEvaluatedTerms: a term that nothing weighs has no factors at all.
func TestNotEvaluatedTerms(t *testing.T) {
	r := sample()
	for i := range r.Terms {
		if r.Program.Components[r.Terms[i].Component].Terms[r.Terms[i].Term].Name == "xfactor" {
			r.Terms[i].Factor, r.Terms[i].Weight, r.Terms[i].Value, r.Terms[i].Cap = nil, nil, nil, nil
		}
	}
	for _, list := range [][]view.View{view.Views, view.Formats} {
		for _, v := range list {
			text(t, v.Write, r, view.Options{})
		}
	}
	text(t, one(view.WriteExplain, 0), r, view.Options{All: true})
	text(t, two(view.WriteExplainPair, 0, 1), r, view.Options{})
	var doc struct {
		Jobs []struct{ Terms []map[string]any }
	}
	if err := json.Unmarshal([]byte(text(t, view.WriteJSON, r, view.Options{})), &doc); err != nil {
		t.Fatal(err)
	}
	if f := doc.Jobs[0].Terms[1]["factor"]; f != nil {
		t.Errorf("the factor of a term that was not evaluated is %v, want null", f)
	}
}

// TestRunWideColumnsAreExplained: a column with one value per run is read from there.
func TestRunWideColumnsAreExplained(t *testing.T) {
	r := sample()
	r.Program.Components[0].Terms[0].Reads = append(r.Program.Components[0].Terms[0].Reads, "cluster.procs", "qoses.max_priority", schema.Now)
	r.Once = map[schema.ColumnID]schema.Value{"cluster.procs": schema.IntValue(640)}
	got := text(t, one(view.WriteExplain, 0), r, view.Options{})
	for _, want := range []string{"cluster.procs = 640", "qoses.max_priority = unknown", "now = 2023-11-14 22:13:20Z"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}
