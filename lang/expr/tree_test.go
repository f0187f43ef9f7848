package expr

import (
	"errors"
	"math"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

var testColumns = map[schema.Type][]schema.ColumnID{
	schema.Int:    {"job.procs", "job.nodes"},
	schema.Double: {"job.queue_minutes", "qos.xfactor_target"},
	schema.Bool:   {"job.held", "job.exclusive"},
}

var errOdd = errors.New("odd")

// tree draws a random well-typed expression over the columns above, from every
// function of the table and every kind of node.
func tree(t *rapid.T, typ schema.Type, depth int) *Expr {
	kind := rapid.IntRange(0, 9).Draw(t, "kind")
	switch {
	case depth <= 0 || kind == 0:
		if rapid.Bool().Draw(t, "const") {
			return NewConst(value(t, typ), source.Span{})
		}
		return &Expr{Op: Column, Type: typ, Column: rapid.SampledFrom(testColumns[typ]).Draw(t, "column")}
	case kind == 1:
		return &Expr{Op: Cond, Type: typ, Args: []*Expr{tree(t, schema.Bool, depth-1), tree(t, typ, depth-1),
			tree(t, typ, depth-1)}}
	case kind == 2 && typ == schema.Int:
		return oddOrSame(t, depth)
	case kind <= 4 && typ == schema.Bool:
		e := &Expr{Op: rapid.SampledFrom([]Op{And, Or}).Draw(t, "logic"), Type: typ}
		for range rapid.IntRange(2, 3).Draw(t, "args") {
			e.Args = append(e.Args, tree(t, schema.Bool, depth-1))
		}
		return e
	case kind == 5 && typ == schema.Bool:
		return &Expr{Op: Present, Type: typ, Column: rapid.SampledFrom(testColumns[schema.Int]).Draw(t, "column")}
	}
	var choices []*schema.Function
	for i := range schema.Functions {
		if schema.Functions[i].Result == typ {
			choices = append(choices, &schema.Functions[i])
		}
	}
	f := rapid.SampledFrom(choices).Draw(t, "function")
	e := &Expr{Op: Call, Type: typ, Func: f.Overload}
	for _, p := range f.Params {
		e.Args = append(e.Args, tree(t, p, depth-1))
	}
	return e
}

// oddOrSame is a boxed function that fails on odd numbers and on unknown ones;
// without a column it is a constant.
func oddOrSame(t *rapid.T, depth int) *Expr {
	e := &Expr{Op: Opaque, Type: schema.Int, Text: "odd"}
	constant := value(t, schema.Int)
	e.Fn = func(args []schema.Value) (schema.Value, error) {
		v := constant
		if len(args) > 0 {
			v = args[0]
		}
		if !v.Known() || v.Int%2 != 0 {
			return schema.Value{}, errOdd
		}
		return v, nil
	}
	if rapid.Bool().Draw(t, "column") {
		e.Args = []*Expr{{Op: Column, Type: schema.Int, Column: "job.procs"}}
	}
	return e
}

func value(t *rapid.T, typ schema.Type) schema.Value {
	switch typ {
	case schema.Bool:
		return schema.BoolValue(rapid.Bool().Draw(t, "bool"))
	case schema.Int:
		edges := []int64{0, 1, -1, 2, 3, math.MaxInt64, math.MinInt64, math.MinInt64 + 1, 1 << 53}
		return schema.IntValue(rapid.OneOf(rapid.SampledFrom(edges), rapid.Int64Range(-9, 99)).Draw(t, "int"))
	}
	edges := []float64{0, math.Copysign(0, -1), 1, -1, 0.5, 1e300, math.Inf(1), math.Inf(-1), math.NaN(), 1 << 63,
		-1 << 63}
	return schema.DoubleValue(rapid.OneOf(rapid.SampledFrom(edges), rapid.Float64Range(-9, 99)).Draw(t, "double"))
}

func randomRow(t *rapid.T) map[schema.ColumnID]schema.Value {
	row := map[schema.ColumnID]schema.Value{}
	for _, typ := range []schema.Type{schema.Bool, schema.Int, schema.Double} {
		for _, id := range testColumns[typ] {
			if rapid.IntRange(0, 4).Draw(t, "known") > 0 {
				row[id] = value(t, typ)
			}
		}
	}
	return row
}

func sameOutcome(a schema.Value, aErr error, b schema.Value, bErr error) bool {
	if aErr != nil || bErr != nil {
		return aErr != nil && bErr != nil
	}
	bits := func(v schema.Value) uint64 {
		if math.IsNaN(v.Double) {
			return 1
		}
		return math.Float64bits(v.Double)
	}
	return a.Type == b.Type && a.Int == b.Int && bits(a) == bits(b)
}
