package celexpr

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/schema"
)

// The columns that generated expressions read, by type.
var generated = map[schema.Type][]string{
	schema.Int:        {"job.procs", "job.nodes", "user.priority", "qoses.max_priority", "cluster.procs"},
	schema.Double:     {"job.queue_minutes", "qos.xfactor_target", `job.tres("cpu")`, `partition.tres("gres/gpu")`},
	schema.Bool:       {"job.held", "job.exclusive"},
	schema.String:     {"job.user", "job.name", "user.name"},
	schema.Timestamp:  {"now", "job.submit_time", "job.begin_time"},
	schema.StringList: {"job.partitions", "qos.flags"},
}

var edgeInts = []int64{0, 1, -1, 2, 3, 7, -5, 64, math.MaxInt64, math.MinInt64, math.MinInt64 + 1, 1 << 53, 1<<53 + 1,
	1 << 31}
var edgeDoubles = []float64{0, math.Copysign(0, -1), 1, -1, 0.5, 2.5, 1e300, -1e300, 5e-324, math.Inf(1), math.Inf(-1),
	math.NaN(), 1 << 63, -1 << 63, 1e18}
var someStrings = []string{"", "a", "amy", "gpu", "run_7", "ämy", "(", "7", "1.5"}

// expressions generates the text of an expression of a type.
type expressions struct{ t *rapid.T }

func (g expressions) pick(list ...string) string { return rapid.SampledFrom(list).Draw(g.t, "pick") }

// node draws one of the forms of a type; each %i %d %b %s %t %l in it is an
// argument of that type, %n the macro variable of an enclosing macro over ints.
func (g expressions) node(t schema.Type, depth int, bound bool) string {
	if depth <= 0 || rapid.IntRange(0, 5).Draw(g.t, "leaf") == 0 {
		return g.leaf(t, bound)
	}
	form := g.pick(forms[t]...)
	var out strings.Builder
	inner := bound || strings.Contains(form, "(n, ")
	for i := 0; i < len(form); i++ {
		if form[i] != '%' || i+1 == len(form) {
			out.WriteByte(form[i])
			continue
		}
		i++
		switch form[i] {
		case 'i':
			out.WriteString(g.node(schema.Int, depth-1, inner))
		case 'd':
			out.WriteString(g.node(schema.Double, depth-1, inner))
		case 'b':
			out.WriteString(g.node(schema.Bool, depth-1, inner))
		case 's':
			out.WriteString(g.node(schema.String, depth-1, inner))
		case 't':
			out.WriteString(g.node(schema.Timestamp, depth-1, inner))
		case 'l':
			out.WriteString(g.node(schema.StringList, depth-1, inner))
		default:
			out.WriteByte('%')
			i--
		}
	}
	return out.String()
}

// forms are in parentheses where an operator could bind otherwise.
var forms = map[schema.Type][]string{
	schema.Int: {
		"(%i + %i)", "(%i - %i)", "(%i * %i)", "(%i / %i)", "(%i % %i)", "(-%i)", "(%b ? %i : %i)", "int(%d)", "int(%i)",
		"math.abs(%i)", "math.least(%i, %i)",
		"math.greatest(%i, %i, %i)", "math.least([%i, %i])", "math.sign(%i)", "size(%s)", "size(%l)", "int(%t)",
		"%t.getHours()", "[%i, 2, %i][1]", "[3, 4].map(n, %i)[0]", "int(%s)",
	},
	schema.Double: {
		"(%d + %d)", "(%d - %d)", "(%d * %d)", "(%d / %d)", "(-%d)", "(%b ? %d : %d)", "double(%i)", "double(%d)",
		"math.abs(%d)", "math.least(%d, %d)", "math.greatest(%d, %d, %d)",
		"math.ceil(%d)", "math.floor(%d)", "math.round(%d)", "math.trunc(%d)", "math.sqrt(%d)", "math.sqrt(%i)",
		"clamp(%d, %d, %d)", "pow(%d, %d)", "exp(%d)", "ln(%d)", "log2(%d)", "log10(%d)",
		"math.sign(%d)", "double(%s)",
	},
	schema.Bool: {
		"(%b && %b)", "(%b || %b)", "(!%b)", "(%b ? %b : %b)", "(%i < %i)", "(%i <= %i)", "(%i > %i)", "(%i >= %i)",
		"(%d < %d)", "(%d <= %d)", "(%d > %d)", "(%d >= %d)",
		"(%i == %i)", "(%i != %i)", "(%d == %d)", "(%d != %d)", "(%b == %b)", "(%b != %b)", "(%t < %t)", "(%t >= %t)",
		"(%t == %t)", "(%s == %s)", "(%s < %s)", "(%b < %b)", "(%s in %l)",
		"(%i in [1, 2, 3])", "(%d in [0.0, 1.0])", "(%i in [])", "(%s in ['a', 'amy'])", "%s.startsWith(%s)",
		"%s.matches('^[a-z]+$')", "math.isNaN(%d)", "math.isInf(%d)", "math.isFinite(%d)",
		"[0, 1, 2].exists(n, %b)", "[0, 1, 2].all(n, %b)", "[3].exists_one(n, %b)", "%l.exists(s, s == %s)",
		"%l.all(s, size(s) > %i)", "(%t - %t > duration('1h'))", "(%t + duration('500ms') < %t)",
		"has(job.procs)", "has(job.begin_time)", "has(qos.flags)", "sets.contains(%l, %l)", "(math.least(%i, %d) < 2.0)",
		"(dyn(%i) == dyn(%d))",
	},
	schema.String: {"(%s + %s)", "(%b ? %s : %s)", "string(%i)", "%s.upperAscii()", "%l.join('-')", "%l[0]",
		"%s.substring(1)"},
	schema.Timestamp:  {"(%b ? %t : %t)", "(%t + duration('90s'))", "timestamp(%i)"},
	schema.StringList: {"(%l + %l)", "[%s, %s]", "%s.split('m')", "%l.filter(s, s != %s)"},
}

func (g expressions) leaf(t schema.Type, bound bool) string {
	if bound && t == schema.Int && rapid.Bool().Draw(g.t, "n") {
		return "n"
	}
	if rapid.Bool().Draw(g.t, "column") {
		return g.pick(generated[t]...)
	}
	switch t {
	case schema.Int:
		// The lowest int has no literal under another minus.
		return g.pick("0", "1", "(-1)", "2", "3", "7", "4096", "9223372036854775807", "param.WEIGHT")
	case schema.Double:
		return g.pick("0.0", "(-0.0)", "1.0", "0.5", "2.5", "1e300", "1e-300", "double('NaN')", "double('Infinity')",
			"param.RATIO", "9223372036854775808.0")
	case schema.Bool:
		return g.pick("true", "false", "param.DEBUG", "documented.xfactor_numerator")
	case schema.String:
		return g.pick("''", "'a'", "'amy'", "'7'", "param.USER")
	case schema.Timestamp:
		return g.pick("timestamp('2026-01-01T00:00:00Z')", "timestamp(0)", "param.SINCE",
			"timestamp('2023-11-14T22:13:20.5Z')")
	}
	return g.pick("['a', 'gpu']", "['amy']", "param.USERS", "param.NONE")
}

func randomRow(t *rapid.T) row {
	r := row{}
	for typ, names := range generated {
		for _, name := range names {
			id := schema.ColumnID(strings.NewReplacer(`"`, "").Replace(name))
			if typ != schema.Timestamp && rapid.IntRange(0, 5).Draw(t, "unknown") == 0 {
				continue
			}
			r[id] = randomValue(t, typ)
		}
	}
	return r
}

func randomValue(t *rapid.T, typ schema.Type) schema.Value {
	switch typ {
	case schema.Int:
		return schema.IntValue(rapid.OneOf(rapid.SampledFrom(edgeInts), rapid.Int64Range(-10, 100)).Draw(t, "int"))
	case schema.Double:
		return schema.DoubleValue(rapid.OneOf(rapid.SampledFrom(edgeDoubles), rapid.Float64Range(-10, 100)).Draw(t, "double"))
	case schema.Bool:
		return schema.BoolValue(rapid.Bool().Draw(t, "bool"))
	case schema.String:
		return schema.StringValue(rapid.SampledFrom(someStrings).Draw(t, "string"))
	case schema.Timestamp:
		// The years 1 to 9999, which is what CEL's timestamps can hold.
		return schema.TimestampValue(rapid.OneOf(rapid.SampledFrom([]int64{0, 1767225600, 1700000000, -62135596800,
			253402300799}), rapid.Int64Range(1600000000, 1800000000)).Draw(t, "time"))
	}
	return schema.ListValue(rapid.SliceOfN(rapid.SampledFrom(someStrings), 0, 3).Draw(t, "list"))
}

// TestDifferential: expr.Eval of the lowered, folded expression gives cel-go's
// outcome on every row: value bits, and whether it fails.
func TestDifferential(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		for range 15 {
			compareWithOracle(t)
		}
	})
}

func compareWithOracle(t *rapid.T) {
	want := rapid.SampledFrom([]Want{WantNumber, WantFactor, WantBool, WantString}).Draw(t, "want")
	typ := schema.Bool
	switch want {
	case WantNumber:
		typ = rapid.SampledFrom([]schema.Type{schema.Int, schema.Double}).Draw(t, "number")
	case WantString:
		typ = schema.String
	}
	text := expressions{t}.node(typ, rapid.IntRange(1, 4).Draw(t, "depth"), false)
	src := sourceOf(text)
	c, list := fixture.Compile(src, want)
	if c == nil {
		t.Fatalf("%s: %s", text, list[0].Message)
	}
	if list.HasErrors() && !expr.AlwaysFails(expr.Fold(c.Expr)) {
		t.Fatalf("%s: %s, but it may succeed", text, list[0].Message)
	}
	reference := oracle(t, src, want)
	for range 8 {
		r := randomRow(t)
		got, gotErr := expr.Eval(c.Expr, r.get)
		celValue, celErr := reference(r)
		if !same(got, gotErr, celValue, celErr) {
			t.Fatalf("%s\nlowered to %s\non %v\ngives %s, cel-go gives %s", text, c.Expr, describe(c.Expr, r), show(got, gotErr),
				show(celValue, celErr))
		}
	}
}

func describe(e *expr.Expr, r row) string {
	var parts []string
	for _, id := range e.Columns() {
		parts = append(parts, fmt.Sprintf("%s = %s", id, r[id].String()))
	}
	return strings.Join(parts, ", ")
}
