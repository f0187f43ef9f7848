package celexpr

import (
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// fixture is the policy all tests compile for.
var fixture, _ = NewEnv(Options{
	Params: map[string]schema.Value{
		"WEIGHT": schema.IntValue(10), "RATIO": schema.DoubleValue(2.5), "USER": schema.StringValue("amy"),
		"DEBUG": schema.BoolValue(false),
		"USERS": schema.ListValue([]string{"amy", "bob"}), "NONE": schema.ListValue(nil), "UNSET": {},
		"DAY": {Type: schema.Duration, Int: 86400e9}, "PATTERN": schema.StringValue("^a.y$"),
		"SINCE": schema.TimestampValue(1700000000),
	},
	Documented: map[string]bool{"xfactor_numerator": true, "component_cap": false},
	Version:    2205,
}).WithDefines(fixtureDefines())

// fixtureDefines are of each type; long is more than half as long as they may be.
func fixtureDefines() []Define {
	list := []struct{ name, text string }{
		{"waited", "job.queue_minutes + 1.0"}, {"wide", "job.procs > 2"}, {"owner", "job.user + '/' + job.partition"},
		{"amy", "define.owner.startsWith(param.USER)"}, {"rank", "score * define.waited"},
		{"staff", "user.priority * param.WEIGHT"},
		{"since", "now - job.submit_time"}, {"late", "1"}, {"long", ""},
	}
	var defines []Define
	for _, d := range list {
		f := source.NewFile("define.hcl", []byte(d.text))
		defines = append(defines, Define{Name: d.name, Source: Source{Span: f.Span(0, len(d.text))}})
	}
	last := &defines[len(defines)-1].Source
	text := "size([" + strings.Repeat("1, ", 6000) + "job.procs])"
	last.Span = source.NewFile("long.hcl", []byte(text)).Span(0, len(text))
	return defines
}

type row map[schema.ColumnID]schema.Value

func (r row) get(id schema.ColumnID) schema.Value { return r[id] }

// fixtureRows are an ordinary job, one full of zeros, one of which nothing is
// known, an extreme one.
var fixtureRows = []row{
	{
		"job.procs": schema.IntValue(4), "job.nodes": schema.IntValue(2), "job.gpus": schema.IntValue(1),
		"job.walltime_seconds": schema.IntValue(3600),
		"job.queue_minutes":    schema.DoubleValue(7.5), "job.tres(gres/gpu)": schema.DoubleValue(1),
		"partition.tres(cpu)": schema.DoubleValue(64),
		"job.user":            schema.StringValue("amy"), "job.name": schema.StringValue("run_7"),
		"job.partition": schema.StringValue("gpu"), "job.held": schema.BoolValue(false),
		"job.partitions": schema.ListValue([]string{"gpu", "long"}), "job.submit_time": schema.TimestampValue(1700000500),
		"now":           schema.TimestampValue(1700003600),
		"user.priority": schema.IntValue(3), "qos.priority": schema.IntValue(-2), "qoses.max_priority": schema.IntValue(100),
		"partition.priority": schema.IntValue(5),
		"cluster.procs":      schema.IntValue(128), "score": schema.DoubleValue(12.25),
		"qos.xfactor_target": schema.DoubleValue(1.5), "job.direct_priority": schema.BoolValue(true),
	},
	{
		"job.procs": schema.IntValue(0), "job.nodes": schema.IntValue(0), "job.gpus": schema.IntValue(0),
		"job.walltime_seconds": schema.IntValue(0),
		"job.queue_minutes":    schema.DoubleValue(0), "job.tres(gres/gpu)": schema.DoubleValue(0),
		"partition.tres(cpu)": schema.DoubleValue(0),
		"job.user":            schema.StringValue(""), "job.name": schema.StringValue(""),
		"job.partition":  schema.StringValue(""),
		"job.held":       schema.BoolValue(false),
		"job.partitions": schema.ListValue(nil), "job.submit_time": schema.TimestampValue(0), "now": schema.TimestampValue(0),
		"user.priority": schema.IntValue(0), "qos.priority": schema.IntValue(0), "qoses.max_priority": schema.IntValue(0),
		"partition.priority": schema.IntValue(0),
		"cluster.procs":      schema.IntValue(0), "score": schema.DoubleValue(math.Copysign(0, -1)),
		"qos.xfactor_target": schema.DoubleValue(math.Copysign(0, -1)), "job.direct_priority": schema.BoolValue(false),
	},
	{"now": schema.TimestampValue(1700003600)},
	{
		"job.procs": schema.IntValue(math.MaxInt64), "job.nodes": schema.IntValue(math.MinInt64),
		"job.gpus": schema.IntValue(-1), "job.walltime_seconds": schema.IntValue(math.MinInt64),
		"job.queue_minutes": schema.DoubleValue(math.NaN()), "job.tres(gres/gpu)": schema.DoubleValue(math.Inf(1)),
		"partition.tres(cpu)": schema.DoubleValue(math.Inf(-1)),
		"job.user":            schema.StringValue("ämy"), "job.name": schema.StringValue("(["),
		"job.partition": schema.StringValue("gpu"), "job.held": schema.BoolValue(true),
		"job.partitions":  schema.ListValue([]string{"", "gpu", "gpu"}),
		"job.submit_time": schema.TimestampValue(-62135596800), "now": schema.TimestampValue(253402300799),
		"user.priority": schema.IntValue(math.MaxInt64), "qos.priority": schema.IntValue(math.MinInt64),
		"qoses.max_priority": schema.IntValue(-1), "partition.priority": schema.IntValue(1),
		"cluster.procs": schema.IntValue(1), "score": schema.DoubleValue(math.NaN()),
		"qos.xfactor_target": schema.DoubleValue(math.Inf(1)), "job.direct_priority": schema.BoolValue(true),
	},
}

func sourceOf(text string) Source {
	f := source.NewFile("policy.hcl", []byte(text))
	return Source{Span: f.Span(0, len(text)), Scope: OverrideScope,
		Each: map[string]schema.Value{"key": schema.StringValue("gres/gpu"), "value": schema.DoubleValue(0.5)}}
}

// oracle evaluates a whole expression by cel-go alone: no kernels, no folding,
// no optimisation. It sees the same tree after the names pass.
func oracle(t interface{ Fatalf(string, ...any) }, src Source, want Want) func(row) (schema.Value, error) {
	var list diag.List
	l, _ := fixture.check(src, &list)
	if l == nil {
		t.Fatalf("%s: %s", src.CEL(), list[0].Message)
	}
	program, err := l.plan(l.ast.Expr(), nil)
	if err != nil {
		t.Fatalf("%s: %v", src.CEL(), err)
	}
	have := want.result()
	if want == WantFactor && l.typeOf(l.ast.Expr()) == schema.Bool {
		have = schema.Bool
	}
	return func(r row) (schema.Value, error) {
		values := make([]schema.Value, len(program.columns))
		for i, id := range program.columns {
			values[i] = r[id]
		}
		v, err := unbox(program.eval(values), have)
		if err == nil && want == WantFactor && v.Type == schema.Bool {
			v = schema.DoubleValue(float64(v.Int))
		}
		return v, err
	}
}

// same compares two outcomes bit for bit, all NaN being one. Of failures only
// that they failed: with two in one expression, either may be named.
func same(a schema.Value, aErr error, b schema.Value, bErr error) bool {
	if aErr != nil || bErr != nil {
		return aErr != nil && bErr != nil
	}
	if a.Type == schema.Double && math.IsNaN(a.Double) {
		return b.Type == schema.Double && math.IsNaN(b.Double)
	}
	return a.Type == b.Type && a.Int == b.Int && a.Str == b.Str && math.Float64bits(a.Double) == math.Float64bits(b.Double)
}

func show(v schema.Value, err error) string {
	if err != nil {
		return "error: " + err.Error()
	}
	return v.String()
}

// golden compares text with a file of testdata, or rewrites the file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	gotLines, wantLines := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range max(len(gotLines), len(wantLines)) {
		g, w := "(end)", "(end)"
		if i < len(gotLines) {
			g = gotLines[i]
		}
		if i < len(wantLines) {
			w = wantLines[i]
		}
		if g != w {
			t.Fatalf("%s:%d:\n got %s\nwant %s\n(go test -update rewrites it)", path, i+1, g, w)
		}
	}
}

// prompts begin the input lines of golden files and say what is wanted; w is a
// weight, which may not read the job.
var prompts = map[string]Want{"n> ": WantNumber, "f> ": WantFactor, "b> ": WantBool, "s> ": WantString,
	"w> ": WantNumber}

// cases reads the inputs of a golden file, with its comments and blank lines;
// the lines that a test wrote are left out.
func cases(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		_, prompt := prompts[line[:min(3, len(line))]]
		if prompt || line == "" || line[0] == '#' {
			lines = append(lines, line)
		}
	}
	return lines
}
