package peers

import (
	"context"
	"database/sql"
	"database/sql/driver"
	_ "embed"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/duckdb/duckdb-go/v2"
	"github.com/open-policy-agent/opa/v1/rego"
)

//go:embed priority.sql
var sqlText string

//go:embed priority.rego
var regoText string

// jobs are the columns that runtime/vm writes, a file each; priority is what it expects.
type jobs struct {
	dir      string
	names    []string
	columns  [][]float64
	priority []float64
}

func load(b *testing.B) *jobs {
	b.Helper()
	j := &jobs{dir: b.TempDir()}
	c := exec.Command("go", "test", "./runtime/vm", "-count=1", "-run", "TestColumnsForPeers")
	c.Dir, c.Env = filepath.Join("..", "..", ".."), append(os.Environ(), "FAIRWAY_COLUMNS="+j.dir)
	if out, err := c.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	files, err := filepath.Glob(filepath.Join(j.dir, "*.f64"))
	if err != nil || len(files) < 20 {
		b.Fatal("columns:", len(files), err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		column := make([]float64, len(data)/8)
		for i := range column {
			column[i] = math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:]))
		}
		name := strings.TrimSuffix(filepath.Base(file), ".f64")
		if name == "priority" {
			j.priority = column
			continue
		}
		j.names, j.columns = append(j.names, name), append(j.columns, column)
	}
	return j
}

// same checks a peer's sum of the first rows' priorities: sums in another order differ in their last digits.
func (j *jobs) same(b *testing.B, rows int, sum float64) {
	b.Helper()
	want := 0.0
	for _, p := range j.priority[:rows] {
		want += p
	}
	if math.Abs(sum-want) > 1e-9*want {
		b.Fatalf("the priorities sum up to %v, runtime/vm has %v", sum, want)
	}
}

func perRow(b *testing.B, rows int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*rows), "ns/row")
}

func BenchmarkDuckDB(b *testing.B) {
	j := load(b)
	connector, err := duckdb.NewConnector("?threads=1", nil)
	if err != nil {
		b.Fatal(err)
	}
	defer connector.Close()
	db := sql.OpenDB(connector)
	defer db.Close()
	if _, err := db.Exec("CREATE TABLE jobs (" + strings.Join(j.names, " DOUBLE, ") + " DOUBLE)"); err != nil {
		b.Fatal(err)
	}
	conn, err := connector.Connect(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close()
	appender, err := duckdb.NewAppenderFromConn(conn, "", "jobs")
	if err != nil {
		b.Fatal(err)
	}
	row := make([]driver.Value, len(j.columns))
	for i := range j.priority {
		for k, column := range j.columns {
			row[k] = column[i]
		}
		if err := appender.AppendRow(row...); err != nil {
			b.Fatal(err)
		}
	}
	if err := appender.Close(); err != nil {
		b.Fatal(err)
	}
	var sum float64
	for b.Loop() {
		if err := db.QueryRow("SELECT sum(priority) FROM (" + sqlText + ")").Scan(&sum); err != nil {
			b.Fatal(err)
		}
	}
	perRow(b, len(j.priority))
	j.same(b, len(j.priority), sum)
}

// BenchmarkOPA asks for the priorities of 2,000 jobs at once, or of one job a query.
func BenchmarkOPA(b *testing.B) {
	const rows = 2000
	j := load(b)
	input := make([]any, rows)
	for i := range input {
		job := map[string]any{}
		for k, column := range j.columns {
			job[j.names[k]] = column[i]
		}
		input[i] = job
	}
	prepared := func(b *testing.B, query string) rego.PreparedEvalQuery {
		q, err := rego.New(rego.Query(query), rego.Module("priority.rego", regoText)).PrepareForEval(context.Background())
		if err != nil {
			b.Fatal(err)
		}
		return q
	}
	eval := func(b *testing.B, q rego.PreparedEvalQuery, input any) any {
		r, err := q.Eval(context.Background(), rego.EvalInput(input))
		if err != nil || len(r) != 1 {
			b.Fatal(r, err)
		}
		return r[0].Expressions[0].Value
	}
	number := func(v any) float64 {
		f, err := strconv.ParseFloat(fmt.Sprint(v), 64)
		if err != nil {
			b.Fatal(err)
		}
		return f
	}
	b.Run("batch", func(b *testing.B) {
		q, sum := prepared(b, "data.priority.all"), 0.0
		for b.Loop() {
			sum = 0
			for _, v := range eval(b, q, map[string]any{"jobs": input}).([]any) {
				sum += number(v)
			}
		}
		perRow(b, rows)
		j.same(b, rows, sum)
	})
	b.Run("job", func(b *testing.B) {
		q, sum := prepared(b, "data.priority.job_priority(input)"), 0.0
		for b.Loop() {
			sum = 0
			for _, job := range input {
				sum += number(eval(b, q, job))
			}
		}
		perRow(b, rows)
		j.same(b, rows, sum)
	})
}

func BenchmarkNumpy(b *testing.B) {
	python := ""
	for _, program := range []string{"python3", "/usr/bin/python3"} { // the first may be one beside the system's
		if python == "" && exec.Command(program, "-c", "import numpy").Run() == nil {
			python = program
		}
	}
	if python == "" {
		b.Skip("no python3 has numpy here")
	}
	j := load(b)
	least, sum := math.Inf(1), 0.0
	for b.Loop() {
		out, err := exec.Command(python, "priority.py", j.dir, "5").Output()
		if err != nil {
			b.Fatal(err)
		}
		var perRow float64
		if _, err := fmt.Sscan(string(out), &sum, &perRow); err != nil {
			b.Fatal(err)
		}
		least = min(least, perRow)
	}
	b.ReportMetric(least, "ns/row")
	j.same(b, len(j.priority), sum)
}
