package codegen_test

import (
	"errors"
	"fmt"
	"math"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/vm"
)

// The columns that random policies read: of every level and type.
var columns = []struct {
	id schema.ColumnID
	t  schema.Type
}{
	{"job.d0", schema.Double}, {"job.d1", schema.Double}, {"job.i0", schema.Int}, {"job.i1", schema.Int},
	{"job.b0", schema.Bool}, {"job.t0", schema.Timestamp},
	{"job.user", schema.String}, {"job.qos", schema.String}, {"job.partitions", schema.StringList},
	{"user.priority", schema.Int}, {"user.usage", schema.Double}, {"user.name", schema.String}, {"user.flag", schema.Bool},
	{"qos.weight", schema.Double}, {"qos.priority", schema.Int},
	{"cluster.nodes", schema.Int}, {"cluster.load", schema.Double}, {"qoses.max_priority", schema.Double},
	{schema.Now, schema.Timestamp},
}

var (
	oddDoubles = []float64{0, math.Copysign(0, -1), 1, -1, 0.5, 3, math.NaN(), math.Inf(1), math.Inf(-1), 1e19, -1e19,
		math.MaxFloat64, 5e-324}
	oddInts = []int64{0, 1, -1, 2, 7, -3, math.MaxInt64, math.MinInt64, 1 << 40, 3037000500}
	words   = []string{"", "amy", "bob", "carol", "normal", "high"}
)

func drawDouble(t *rapid.T) float64 {
	if rapid.Bool().Draw(t, "odd") {
		return rapid.SampledFrom(oddDoubles).Draw(t, "double")
	}
	return float64(rapid.IntRange(-1000, 1000).Draw(t, "n")) / 8
}

func drawInt(t *rapid.T) int64 {
	if rapid.Bool().Draw(t, "odd") {
		return rapid.SampledFrom(oddInts).Draw(t, "int")
	}
	return int64(rapid.IntRange(-20, 20).Draw(t, "n"))
}

// drawExpr makes a random expression of a type out of everything expressions have.
func drawExpr(t *rapid.T, want schema.Type, depth int, score bool) *expr.Expr {
	span := places.Span(rapid.IntRange(0, 20).Draw(t, "place"), 30)
	if depth <= 0 || rapid.IntRange(0, 9).Draw(t, "leaf") == 0 {
		return drawLeaf(t, want, span, score)
	}
	switch rapid.IntRange(0, 9).Draw(t, "node") {
	case 0:
		return &expr.Expr{Op: expr.Cond, Type: want, Span: span, Args: []*expr.Expr{
			drawExpr(t, schema.Bool, depth-1, score), drawExpr(t, want, depth-1, score), drawExpr(t, want, depth-1, score)}}
	case 1:
		return drawOpaque(t, want, span, score)
	case 2, 3, 4:
		if want == schema.Bool {
			op := rapid.SampledFrom([]expr.Op{expr.And, expr.Or}).Draw(t, "logic")
			e := &expr.Expr{Op: op, Type: want, Span: span}
			for range rapid.IntRange(2, 3).Draw(t, "sides") {
				e.Args = append(e.Args, drawExpr(t, schema.Bool, depth-1, score))
			}
			return e
		}
	}
	var fits []*schema.Function
	for i := range schema.Functions {
		if schema.Functions[i].Result == want {
			fits = append(fits, &schema.Functions[i])
		}
	}
	fn := rapid.SampledFrom(fits).Draw(t, "function")
	e := &expr.Expr{Op: expr.Call, Func: fn.Overload, Type: want, Span: span}
	for _, p := range fn.Params {
		e.Args = append(e.Args, drawExpr(t, p, depth-1, score))
	}
	return e
}

var places = source.NewFile("random.hcl", []byte("a policy without an author, in one line"))

func drawLeaf(t *rapid.T, want schema.Type, span source.Span, score bool) *expr.Expr {
	if want == schema.Bool && rapid.Bool().Draw(t, "has") {
		return &expr.Expr{Op: expr.Present, Type: want, Column: rapid.SampledFrom(columns).Draw(t, "column").id, Span: span}
	}
	if want == schema.Double && score && rapid.Bool().Draw(t, "score") {
		return &expr.Expr{Op: expr.Column, Type: want, Column: ir.Score, Span: span}
	}
	if rapid.IntRange(0, 2).Draw(t, "const") == 0 {
		switch want {
		case schema.Double:
			return expr.NewConst(schema.DoubleValue(drawDouble(t)), span)
		case schema.Int:
			return expr.NewConst(schema.IntValue(drawInt(t)), span)
		}
		return expr.NewConst(schema.BoolValue(rapid.Bool().Draw(t, "bool")), span)
	}
	var fits []schema.ColumnID
	for _, c := range columns {
		if c.t == want {
			fits = append(fits, c.id)
		}
	}
	return &expr.Expr{Op: expr.Column, Type: want, Column: rapid.SampledFrom(fits).Draw(t, "column"), Span: span}
}

// drawOpaque makes a boxed function: it reads its arguments until one is
// unknown, fails for some values, and else mixes them into a number.
func drawOpaque(t *rapid.T, want schema.Type, span source.Span, score bool) *expr.Expr {
	e := &expr.Expr{Op: expr.Opaque, Type: want, Span: span, Text: "mix(…)", Reason: "random"}
	for range rapid.IntRange(0, 3).Draw(t, "args") {
		c := rapid.SampledFrom(columns).Draw(t, "column")
		e.Args = append(e.Args, &expr.Expr{Op: expr.Column, Type: c.t, Column: c.id, Span: span})
	}
	if score && rapid.Bool().Draw(t, "score") {
		e.Args = append(e.Args, &expr.Expr{Op: expr.Column, Type: schema.Double, Column: ir.Score, Span: span})
	}
	e.Fn = func(args []schema.Value) (schema.Value, error) {
		sum := int64(0)
		for i, a := range args {
			if !a.Known() {
				return schema.Value{}, fmt.Errorf("argument %d is unknown", i)
			}
			if a.Double != a.Double {
				a.Double = math.NaN() // the one pattern, whatever the processor made
			}
			sum = sum*31 + a.Int%1000 + int64(math.Float64bits(a.Double)%1000) + int64(len(a.Str)) + 7*int64(len(a.List))
		}
		if sum%5 == 4 {
			return schema.Value{}, errors.New("unlucky")
		}
		switch want {
		case schema.Bool:
			return schema.BoolValue(sum%2 == 0), nil
		case schema.Int:
			return schema.IntValue(sum), nil
		}
		return schema.DoubleValue(float64(sum) / 4), nil
	}
	return e
}

// drawBinding makes columns of n rows; the random cells repeat after a few dozen rows,
// so that a large table costs no more draws than a small one.
func drawBinding(t *rapid.T, n int) vm.Binding {
	b := vm.Binding{Rows: n, Columns: map[schema.ColumnID]*column.Column{}}
	tables := column.NewBuilder("jobs")
	cells := map[schema.ColumnID][]schema.Value{}
	period := min(n, 23)
	for _, c := range columns {
		if program.ShapeOf(c.id).Level == program.Row || program.ShapeOf(c.id).Key == c.id {
			tables.Declare(c.id, c.t)
			cells[c.id] = nil
			for range period {
				cells[c.id] = append(cells[c.id], drawCell(t, c.t))
			}
		}
	}
	for row := range n {
		tables.Row()
		for id, values := range cells {
			tables.Value(id, values[(row+row/64)%period])
		}
	}
	jobs := tables.Table()
	for id := range cells {
		b.Columns[id] = jobs.Column(id)
	}
	// A list that is unknown on some rows, as no builder makes it but an engine may.
	lists := b.Columns["job.partitions"]
	for row := 0; row < n; row += 5 {
		lists.Missing.Set(row)
	}
	for _, c := range columns {
		if b.Columns[c.id] != nil {
			continue
		}
		entries := 1
		if s := program.ShapeOf(c.id); s.Level == program.Dict {
			entries = b.Columns[s.Key].DictLen()
		}
		one := column.NewBuilder("credentials")
		one.Declare(c.id, c.t)
		for range entries {
			one.Row()
			one.Value(c.id, drawCell(t, c.t))
		}
		b.Columns[c.id] = one.Table().Column(c.id)
	}
	return b
}

func drawCell(t *rapid.T, want schema.Type) schema.Value {
	if rapid.IntRange(0, 9).Draw(t, "unknown") == 0 {
		return schema.Value{}
	}
	switch want {
	case schema.Double:
		return schema.DoubleValue(drawDouble(t))
	case schema.Int:
		return schema.IntValue(drawInt(t))
	case schema.Bool:
		return schema.BoolValue(rapid.Bool().Draw(t, "bool"))
	case schema.Timestamp:
		return schema.TimestampValue(int64(rapid.IntRange(0, 100).Draw(t, "time")))
	case schema.String:
		return schema.StringValue(rapid.SampledFrom(words).Draw(t, "word"))
	}
	return schema.ListValue(rapid.SliceOfN(rapid.SampledFrom(words), 0, 3).Draw(t, "words"))
}
