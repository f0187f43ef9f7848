package policy

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/schema"
)

// grid has more values of each column than the conditions below have regions.
var grid = map[schema.ColumnID][]schema.Value{
	"job.procs": {{}, schema.IntValue(0), schema.IntValue(1), schema.IntValue(2), schema.IntValue(3),
		schema.IntValue(4), schema.IntValue(5), schema.IntValue(6), schema.IntValue(99)},
	"job.queue_minutes": quarters(12),
	"job.held":          {{}, schema.BoolValue(true), schema.BoolValue(false)},
	"job.user": {{}, schema.StringValue("a"), schema.StringValue("b"), schema.StringValue("c"),
		schema.StringValue("")},
}

func quarters(n int) []schema.Value {
	list := []schema.Value{{}, schema.DoubleValue(1e9)}
	for i := range n {
		list = append(list, schema.DoubleValue(float64(i)/4))
	}
	return list
}

func call(function string, args ...*expr.Expr) *expr.Expr {
	return &expr.Expr{Op: expr.Call, Type: schema.Bool, Func: function, Args: args}
}

func column(id schema.ColumnID, kind schema.Type) *expr.Expr {
	return &expr.Expr{Op: expr.Column, Type: kind, Column: id}
}

// userIn is a test of words as celexpr makes it.
func userIn(text string, words ...string) *expr.Expr {
	return &expr.Expr{Op: expr.Opaque, Type: schema.Bool, Args: []*expr.Expr{column("job.user", schema.String)},
		Text: text,
		Fn: func(args []schema.Value) (schema.Value, error) {
			if !args[0].Known() {
				return schema.Value{}, expr.UnknownError{Column: "job.user"}
			}
			return schema.BoolValue(slices.Contains(words, args[0].Str)), nil
		}}
}

var comparisons = []string{"less", "less_equals", "greater", "greater_equals", "equals", "not_equals"}

func drawCondition(t *rapid.T, depth int) *expr.Expr {
	kind := rapid.IntRange(0, 8).Draw(t, "kind")
	if depth == 0 {
		kind %= 6
	}
	op := rapid.SampledFrom(comparisons).Draw(t, "comparison")
	n := rapid.IntRange(0, 5).Draw(t, "n")
	procs, minutes := column("job.procs", schema.Int), column("job.queue_minutes", schema.Double)
	switch kind {
	case 0:
		return call(op+"_int64", procs, expr.NewConst(schema.IntValue(int64(n)), expr.Expr{}.Span))
	case 1:
		double := &expr.Expr{Op: expr.Call, Type: schema.Double, Func: "int64_to_double", Args: []*expr.Expr{procs}}
		return call(op+"_double", expr.NewConst(schema.DoubleValue(float64(n)/2), expr.Expr{}.Span), double)
	case 2:
		return call(op+"_double", minutes, expr.NewConst(schema.DoubleValue(float64(n)/2), expr.Expr{}.Span))
	case 3:
		return column("job.held", schema.Bool)
	case 4:
		return rapid.SampledFrom([]*expr.Expr{userIn("job.user == 'a'", "a"), userIn("'b' == job.user", "b"),
			userIn(`job.user in ["a", 'b']`, "a", "b")}).Draw(t, "words")
	case 5:
		return &expr.Expr{Op: expr.Present, Type: schema.Bool,
			Column: rapid.SampledFrom([]schema.ColumnID{"job.procs", "job.queue_minutes"}).Draw(t, "present")}
	case 6:
		return call("logical_not", drawCondition(t, depth-1))
	}
	return &expr.Expr{Op: rapid.SampledFrom([]expr.Op{expr.And, expr.Or}).
		Draw(t, "op"), Type: schema.Bool, Args: []*expr.Expr{drawCondition(t, depth-1), drawCondition(t, depth-1)}}
}

// everywhere tries all of the grid.
func everywhere(columns []schema.ColumnID, row values, test func(values) bool) bool {
	if len(columns) == 0 {
		return test(row)
	}
	for _, v := range grid[columns[0]] {
		row[columns[0]] = v
		if !everywhere(columns[1:], row, test) {
			return false
		}
	}
	return true
}

// TestCases: what is reported of conditions is what trying many more values says, neither more nor less.
func TestCases(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		a, b := drawCondition(t, 3), drawCondition(t, 2)
		columns := []schema.ColumnID{"job.procs", "job.queue_minutes", "job.held", "job.user"}
		isTrue := func(e *expr.Expr, row values) bool {
			v, err := expr.Eval(e, row.of)
			return err == nil && v.Int != 0
		}
		unmet := everywhere(columns, values{}, func(row values) bool { return !isTrue(a, row) })
		if got := never(a); got != unmet {
			t.Fatalf("%s is never true: %v, want %v", a, got, unmet)
		}
		follows := everywhere(columns, values{}, func(row values) bool { return !isTrue(a, row) || isTrue(b, row) })
		if got := implies(a, b); got && !follows || !got && follows && !unmet && newCases(a, b).related() {
			t.Fatalf("%s implies %s: %v, want %v", a, b, got, follows)
		}
		met := everywhere(columns, values{}, func(row values) bool {
			known := row["job.procs"].Known() && row["job.held"].Known() && row["job.user"].Known()
			return !known || isTrue(a, row)
		})
		if got := always(a, true); got != met {
			t.Fatalf("%s is always true: %v, want %v", a, got, met)
		}
	})
}

// TestTooManyCases: a condition over many columns is not judged, and takes no time.
func TestTooManyCases(t *testing.T) {
	and := &expr.Expr{Op: expr.And, Type: schema.Bool}
	for i := range 30 {
		and.Args = append(and.Args, column(schema.ColumnID(fmt.Sprintf("job.b%d", i)), schema.Bool))
	}
	if never(and) || always(and, true) {
		t.Error("it is said of a condition what was not tried")
	}
}
