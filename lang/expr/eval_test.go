package expr

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// TestFold: eval(fold(e)) = eval(e) on every row.
func TestFold(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		for range 20 {
			e := tree(t, rapid.SampledFrom([]schema.Type{schema.Bool, schema.Int, schema.Double}).Draw(t, "type"), 4)
			before := e.String()
			folded := Fold(e)
			if e.String() != before {
				t.Fatalf("folding changed %s", before)
			}
			if again := Fold(folded); again.String() != folded.String() {
				t.Fatalf("%s folds to %s, and that to %s", e, folded, again)
			}
			always := AlwaysFails(folded)
			for range 5 {
				row := randomRow(t)
				get := func(id schema.ColumnID) schema.Value { return row[id] }
				want, wantErr := Eval(e, get)
				got, gotErr := Eval(folded, get)
				if !sameOutcome(want, wantErr, got, gotErr) {
					t.Fatalf("%s folds to %s\nwhich on %v gives %v %v, not %v %v", e, folded, row, got, gotErr, want,
						wantErr)
				}
				if always && gotErr == nil {
					t.Fatalf("%s does not always fail", folded)
				}
			}
		}
	})
}

// TestFoldForms shows what folding is to do; the property alone would allow nothing.
func TestFoldForms(t *testing.T) {
	column := &Expr{Op: Column, Type: schema.Bool, Column: "job.held"}
	constant := func(b bool) *Expr { return NewConst(schema.BoolValue(b), source.Span{}) }
	one, zero := NewConst(schema.IntValue(1), source.Span{}), NewConst(schema.IntValue(0), source.Span{})
	failing := &Expr{Op: Call, Type: schema.Int, Func: "divide_int64", Args: []*Expr{one, zero}}
	failingBool := &Expr{Op: Call, Type: schema.Bool, Func: "less_int64", Args: []*Expr{failing, one}}
	for _, c := range []struct {
		e    *Expr
		want string
	}{
		{&Expr{Op: And, Type: schema.Bool, Args: []*Expr{constant(true), column}}, "job.held"},
		{&Expr{Op: And, Type: schema.Bool, Args: []*Expr{failingBool, constant(false)}}, "false"},
		{&Expr{Op: And, Type: schema.Bool, Args: []*Expr{column, constant(true), column}}, "and(job.held, job.held)"},
		{&Expr{Op: Or, Type: schema.Bool, Args: []*Expr{constant(false), constant(false)}}, "false"},
		{&Expr{Op: Or, Type: schema.Bool, Args: []*Expr{column, failingBool}},
			"or(job.held, less_int64(divide_int64(1, 0), 1))"},
		{&Expr{Op: Cond, Type: schema.Int, Args: []*Expr{constant(true), one, failing}}, "1"},
		{&Expr{Op: Cond, Type: schema.Int, Args: []*Expr{constant(false), failing, one}}, "1"},
		{&Expr{Op: Cond, Type: schema.Int, Args: []*Expr{column, one, one}}, "cond(job.held, 1, 1)"},
		{&Expr{Op: Call, Type: schema.Int, Func: "add_int64", Args: []*Expr{one, one}}, "2"},
		{failing, "divide_int64(1, 0)"},
	} {
		if got := Fold(c.e).String(); got != c.want {
			t.Errorf("%s folds to %s, want %s", c.e, got, c.want)
		}
	}
	if list := Failing(failingBool); len(list) != 1 || list[0].Expr != failing ||
		!errors.Is(list[0].Err, ErrDivisionByZero) {
		t.Errorf("failing parts: %v", list)
	}
}

// TestEveryFunction: the evaluator knows each function of the table, gives its
// result type, and fails only where the table says it can.
func TestEveryFunction(t *testing.T) {
	for _, f := range schema.Functions {
		draws.Check(t, func(t *rapid.T) {
			args := make([]schema.Value, len(f.Params))
			for i, p := range f.Params {
				args[i] = value(t, p)
			}
			v, err := call(f.Overload, args)
			switch {
			case err != nil && (!f.CanFail || strings.HasPrefix(err.Error(), "no function")):
				t.Fatalf("%s(%v): %v", f.Overload, args, err)
			case err == nil && v.Type != f.Result:
				t.Fatalf("%s(%v) gives %s", f.Overload, args, v.Type)
			}
		})
	}
	if _, err := call("no_such_overload", []schema.Value{schema.IntValue(1)}); err == nil {
		t.Error("an unknown function does not fail")
	}
}

func TestErrorsNameTheColumn(t *testing.T) {
	e := &Expr{Op: Column, Type: schema.Int, Column: "job.procs"}
	_, err := Eval(e, func(schema.ColumnID) schema.Value { return schema.Value{} })
	var unknown UnknownError
	if !errors.As(err, &unknown) || fmt.Sprint(err) != "job.procs is unknown" {
		t.Errorf("got %v", err)
	}
}
