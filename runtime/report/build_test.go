package report_test

import (
	"bytes"
	"compress/gzip"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/family"
	"github.com/fairway-sched/fairway/runtime/family/maui"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/report/eval"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// part is a component of a hand-made result; each of its terms has one factor a row.
type part struct {
	program.Component
	weight, cap float64
	terms       []piece
}

type piece struct {
	program.Term
	weight, cap float64
	factors     []float64
	weights     []float64 // per row, instead of weight
	values      []float64 // instead of weight times capped factor: recorded numbers are rounded
	failed      []int
}

func repeat(v float64, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = v
	}
	return out
}

func bounded(f, limit float64) float64 {
	if limit > 0 {
		return min(f, limit)
	}
	return f
}

// result makes a Result as the engine does: sums in declared order, caps
// before weights, ranks by truncated score.
func result(p *program.Program, jobs *column.Table, parts []part) *evaluation.Result {
	return resultOfRows(p, jobs, jobs, nil, parts)
}

func resultOfRows(p *program.Program, jobs, rows *column.Table, rowJob []int32, parts []part) *evaluation.Result {
	n := rows.Rows
	r := &evaluation.Result{Program: p, Rules: family.Of(p).Order, Facts: family.Of(p).Facts, Now: 1700000000, Jobs: jobs,
		Rows: rows, RowJob: rowJob,
		Score: make([]float64, n), Priority: make([]int64, n),
		State: make([]evaluation.State, jobs.Rows), Reason: make([]string, jobs.Rows),
		Why: make([]*evaluation.Block, jobs.Rows), Rank: make([]int32, jobs.Rows),
		JobRow: make([]int32, jobs.Rows), Terms: []evaluation.TermColumn{}, Sums: []evaluation.SumColumn{}}
	if r.RowJob == nil {
		for i := range n {
			r.RowJob = append(r.RowJob, int32(i))
		}
	}
	for row := n - 1; row >= 0; row-- {
		r.JobRow[r.RowJob[row]] = int32(row)
	}
	for c, part := range parts {
		part.Component.Terms = nil
		sum := evaluation.SumColumn{Component: c, Weight: repeat(part.weight, n), Sum: make([]float64, n),
			Value: make([]float64, n)}
		if part.cap != 0 {
			sum.Cap = repeat(part.cap, n)
		}
		for k, t := range part.terms {
			part.Component.Terms = append(part.Component.Terms, t.Term)
			col := evaluation.TermColumn{Component: c, Term: k, Factor: t.factors, Weight: t.weights, Value: t.values}
			if t.weights == nil {
				col.Weight = repeat(t.weight, n)
			}
			if t.cap != 0 {
				col.Cap = repeat(t.cap, n)
			}
			if t.values == nil {
				col.Value = make([]float64, n)
				for row := range n {
					col.Value[row] = col.Weight[row] * bounded(t.factors[row], t.cap)
				}
			}
			for _, row := range t.failed {
				col.FactorFailed.Set(row)
				r.Failed.Set(row)
			}
			for row := range n {
				sum.Sum[row] += col.Value[row]
			}
			r.Terms = append(r.Terms, col)
		}
		for row := range n {
			sum.Value[row] = part.weight * bounded(sum.Sum[row], part.cap)
			r.Score[row] += sum.Value[row]
		}
		p.Components = append(p.Components, part.Component)
		r.Sums = append(r.Sums, sum)
	}
	for row := range n {
		r.Priority[row] = int64(math.Trunc(r.Score[row]))
		if !r.Failed.Get(row) {
			r.Queued.Set(row)
		}
	}
	r.RankRow = slices.Clone(r.JobRow)
	return r
}

// order ranks the eligible and blocked jobs in the given order.
func order(r *evaluation.Result, jobs ...int32) *evaluation.Result {
	r.Order = jobs
	r.Own = &maui.Iteration{Idle: slices.DeleteFunc(slices.Clone(jobs),
		func(job int32) bool { return r.State[job] != evaluation.Eligible })}
	for k, i := range jobs {
		r.Rank[i] = int32(k + 1)
	}
	return r
}

// table makes a job table of strings and numbers.
func table(columns map[schema.ColumnID][]any) *column.Table {
	b := column.NewBuilder("job")
	n := 0
	for _, cells := range columns {
		n = len(cells)
	}
	for i := range n {
		b.Row()
		for id, cells := range columns {
			switch v := cells[i].(type) {
			case string:
				b.String(id, v)
			case int:
				b.Int(id, int64(v))
			case float64:
				b.Double(id, v)
			case bool:
				b.Bool(id, v)
			}
		}
	}
	return b.Table()
}

// text runs a view.
func text(t *testing.T, write func(io.Writer, *evaluation.Result, eval.Options) error, r *evaluation.Result,
	o eval.Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b, r, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// golden compares with testdata/NAME.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (go test -update rewrites it)\ngot:\n%s\nwant:\n%s", name, got, want)
	}
}

// oracle is the folder of recorded runs of a scheduler beside the repository.
func oracle(t *testing.T, scheduler string) string {
	t.Helper()
	roots := []string{os.Getenv("FAIRWAY_SHARED")}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		roots = append(roots, filepath.Join(dir, "..", "shared"))
	}
	for _, root := range roots {
		path := filepath.Join(root, "oracle", scheduler)
		if root == "" {
			continue
		}
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	t.Skip("the recorded runs are not beside the repository")
	return ""
}

// recorded reads a file that may be compressed; ok is false when there is none.
func recorded(t *testing.T, file string) (content string, ok bool) {
	t.Helper()
	if data, err := os.ReadFile(file); err == nil {
		return string(data), true
	}
	f, err := os.Open(file + ".gz")
	if err != nil {
		return "", false
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(data), true
}
