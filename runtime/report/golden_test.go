package report_test

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
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/report"
	"github.com/fairway-sched/fairway/runtime/report/eval"
	"github.com/fairway-sched/fairway/runtime/report/explain"
	"github.com/fairway-sched/fairway/runtime/report/maui"
	"github.com/fairway-sched/fairway/runtime/report/plan"
	"github.com/fairway-sched/fairway/runtime/report/slurm"
)

type writer = func(io.Writer, *evaluation.Result, eval.Options) error

func one(write func(io.Writer, *evaluation.Result, int, *plan.Plan, eval.Options) error, job int) writer {
	return func(w io.Writer, r *evaluation.Result, o eval.Options) error { return write(w, r, job, nil, o) }
}

func two(write func(io.Writer, *evaluation.Result, int, int, eval.Options) error, a, b int) writer {
	return func(w io.Writer, r *evaluation.Result, o eval.Options) error { return write(w, r, a, b, o) }
}

func TestGoldens(t *testing.T) {
	for _, c := range []struct {
		file  string
		r     *evaluation.Result
		write writer
		o     eval.Options
	}{
		{"maui.json", sample(), eval.WriteJSON, eval.Options{}},
		{"maui.jsonl", sample(), eval.WriteJSONLines, eval.Options{}},
		{"maui.csv", sample(), eval.WriteCSV, eval.Options{}},
		{"maui.table.txt", sample(), eval.WriteTable, eval.Options{}},
		{"maui.table-narrow.txt", sample(), eval.WriteTable, eval.Options{Limit: 2, Width: 60}},
		{"maui.table-colour.txt", sample(), eval.WriteTable, eval.Options{Limit: 1, Colour: true}},
		{"maui.diagnose-p.txt", sample(), maui.WriteDiagnoseP, eval.Options{}},
		{"maui.explain-capped.txt", sample(), one(explain.WriteExplain, 0), eval.Options{}},
		{"maui.explain-all.txt", sample(), one(explain.WriteExplain, 1), eval.Options{All: true}},
		{"maui.explain-floor.txt", sample(), one(explain.WriteExplain, 3), eval.Options{}},
		{"maui.explain-failed.txt", sample(), one(explain.WriteExplain, 4), eval.Options{}},
		{"maui.explain.json", sample(), one(explain.WriteExplainJSON, 0), eval.Options{}},
		{"maui.pair.txt", sample(), two(explain.WriteExplainPair, 0, 1), eval.Options{}},
		{"maui.pair-capped.txt", sample(), two(explain.WriteExplainPair, 2, 0), eval.Options{}},
		{"maui.pair-held.txt", sample(), two(explain.WriteExplainPair, 5, 0), eval.Options{}},
		{"maui.pair-failed.txt", sample(), two(explain.WriteExplainPair, 0, 4), eval.Options{}},
		{"maui.pair-failed.json", sample(), two(explain.WriteExplainPairJSON, 0, 4), eval.Options{}},
		{"maui.pair-override.txt", overriddenSample(), two(explain.WriteExplainPair, 4, 0), eval.Options{}},
		{"maui.pair.json", sample(), two(explain.WriteExplainPairJSON, 0, 1), eval.Options{}},
		{"maui.diagnose-f.txt", sample(), maui.WriteDiagnoseF, eval.Options{}},
		{"shares.json", sharesSample(false), eval.WriteJSON, eval.Options{}},
		{"shares.diagnose-f.txt", sharesSample(false), maui.WriteDiagnoseF, eval.Options{}},
		{"shares.explain.txt", sharesSample(false), one(explain.WriteExplain, 0), eval.Options{}},
		{"shares.explain.json", sharesSample(false), one(explain.WriteExplainJSON, 0), eval.Options{}},
		{"shares.explain-none.txt", sharesSample(false), one(explain.WriteExplain, 1), eval.Options{All: true}},
		{"shares.explain-ratio.txt", sharesSample(true), one(explain.WriteExplain, 0), eval.Options{}},
		{"shares.explain-sign.txt", documentedSign(), one(explain.WriteExplain, 0), eval.Options{}},
		{"slurm.json", slurmSample(), eval.WriteJSON, eval.Options{}},
		{"slurm.table.txt", slurmSample(), eval.WriteTable, eval.Options{}},
		{"slurm.table-done.txt", givenSample(), eval.WriteTable, eval.Options{}},
		{"slurm.sprio.txt", slurmSample(), slurm.WriteSprio, eval.Options{}},
		{"slurm.sprio-w.txt", slurmSample(), slurm.WriteSprio, eval.Options{Weights: true}},
		{"slurm.sprio-n.txt", slurmSample(), slurm.WriteSprio, eval.Options{Norm: true}},
		{"slurm.given.json", givenSample(), one(explain.WriteExplainJSON, 3), eval.Options{}},
		{"slurm.explain.txt", slurmSample(), one(explain.WriteExplain, 0), eval.Options{}},
		{"slurm.pair.txt", slurmSample(), two(explain.WriteExplainPair, 0, 1), eval.Options{}},
		{"slurm.pair-stays.txt", twoGoodEntries(), two(explain.WriteExplainPair, 0, 1), eval.Options{}},
		{"slurm.pair-tie.txt", slurmSample(), two(explain.WriteExplainPair, 3, 2), eval.Options{}},
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
	records, err := csv.NewReader(strings.NewReader(text(t, eval.WriteCSV, r, eval.Options{}))).ReadAll()
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
	plain, asked := text(t, eval.WriteCSV, sample(), eval.Options{}),
		text(t, eval.WriteCSV, sample(), eval.Options{Spreadsheet: true})
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
	if err := plan.WritePlanCSV(&b, p); err != nil {
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
	empty := evaluation.Result{Program: &program.Program{Policy: "none"}, Jobs: column.NewTable("job", 0),
		Rows: column.NewTable("job", 0)}
	bare := sample()
	bare.Terms, bare.Sums = nil, nil
	for _, list := range [][]report.View{report.Views, report.Formats} {
		for _, v := range list {
			if text(t, v.Write, &empty, eval.Options{}) == "" && v.Name != "jsonl" {
				t.Errorf("%s writes nothing at all for an empty queue", v.Name)
			}
			if !v.Terms {
				text(t, v.Write, bare, eval.Options{})
			}
		}
	}
	text(t, one(explain.WriteExplain, 0), bare, eval.Options{})
	text(t, two(explain.WriteExplainPair, 0, 1), bare, eval.Options{})
	text(t, two(explain.WriteExplainPair, 1, 1), bare, eval.Options{})
	text(t, two(explain.WriteExplainPairJSON, 1, 1), bare, eval.Options{})
}

// TestNotEvaluatedTerms: a term that nothing weighs has no factors at all.
func TestNotEvaluatedTerms(t *testing.T) {
	r := sample()
	for i := range r.Terms {
		if r.Program.Components[r.Terms[i].Component].Terms[r.Terms[i].Term].Name == "xfactor" {
			r.Terms[i].Factor, r.Terms[i].Weight, r.Terms[i].Value, r.Terms[i].Cap = nil, nil, nil, nil
		}
	}
	for _, list := range [][]report.View{report.Views, report.Formats} {
		for _, v := range list {
			text(t, v.Write, r, eval.Options{})
		}
	}
	text(t, one(explain.WriteExplain, 0), r, eval.Options{All: true})
	text(t, two(explain.WriteExplainPair, 0, 1), r, eval.Options{})
	var doc struct {
		Jobs []struct{ Terms []map[string]any }
	}
	if err := json.Unmarshal([]byte(text(t, eval.WriteJSON, r, eval.Options{})), &doc); err != nil {
		t.Fatal(err)
	}
	if f := doc.Jobs[0].Terms[1]["factor"]; f != nil {
		t.Errorf("the factor of a term that was not evaluated is %v, want null", f)
	}
}

// TestRunWideColumnsAreExplained: a column with one value per run is read from there.
func TestRunWideColumnsAreExplained(t *testing.T) {
	r := sample()
	r.Program.Components[0].Terms[0].Reads = append(r.Program.Components[0].Terms[0].Reads, "cluster.procs",
		"qoses.max_priority", schema.Now)
	r.Once = map[schema.ColumnID]schema.Value{"cluster.procs": schema.IntValue(640)}
	got := text(t, one(explain.WriteExplain, 0), r, eval.Options{})
	for _, want := range []string{"cluster.procs = 640", "qoses.max_priority = unknown", "now = 2023-11-14 22:13:20Z"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}
