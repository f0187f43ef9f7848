package fold

import (
	"testing"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// choice is `c ? 1.0 + 1.0 : job.d`.
func choice(c bool) ir.Scalar {
	one := expr.NewConst(schema.DoubleValue(1), source.Span{})
	return ir.Scalar{Expr: &expr.Expr{Op: expr.Cond, Type: schema.Double, Args: []*expr.Expr{
		expr.NewConst(schema.BoolValue(c), source.Span{}),
		{Op: expr.Call, Type: schema.Double, Func: "add_double", Args: []*expr.Expr{one, one}},
		{Op: expr.Column, Type: schema.Double, Column: "job.d"},
	}}, Sources: []ir.Source{{Name: "P"}}}
}

func when(c bool) ir.Scalar {
	return ir.Scalar{Expr: &expr.Expr{Op: expr.And, Type: schema.Bool, Args: []*expr.Expr{
		expr.NewConst(schema.BoolValue(c), source.Span{}), {Op: expr.Column, Type: schema.Bool, Column: "job.b"}}}}
}

// TestEveryPlace: each place of a policy that holds an expression is folded, sources stay,
// and the policy that came in is not changed.
func TestEveryPlace(t *testing.T) {
	in := &ir.Policy{
		Components: []ir.Component{{Name: "c", Weight: choice(true), Cap: choice(false),
			Terms: []ir.Term{{Name: "t", Weight: choice(true), Cap: choice(true), Factor: choice(false)}}}},
		Finish: ir.Finish{Floor: choice(true), Ceiling: choice(true),
			Overrides: []ir.Override{{Name: "o", When: when(false), Value: choice(true)}}},
		Holds:  []ir.Hold{{Name: "h", When: when(true)}},
		Limits: []ir.Limit{{Name: "l", When: when(false)}},
	}
	before := in.String()
	out := Policy(in)
	if in.String() != before {
		t.Errorf("folding changed its input to\n%s", in)
	}
	c, o := out.Components[0], out.Finish.Overrides[0]
	for _, place := range []struct {
		name string
		got  ir.Scalar
		want string
	}{
		{"weight", c.Weight, "2.0"}, {"cap", c.Cap, "job.d"}, {"term weight", c.Terms[0].Weight, "2.0"},
		{"term cap", c.Terms[0].Cap, "2.0"}, {"factor", c.Terms[0].Factor, "job.d"},
		{"floor", out.Finish.Floor, "2.0"}, {"ceiling", out.Finish.Ceiling, "2.0"}, {"override", o.When, "false"},
		{"value", o.Value, "2.0"},
		{"hold", out.Holds[0].When, "job.b"}, {"limit", out.Limits[0].When, "false"},
	} {
		if place.got.String() != place.want {
			t.Errorf("%s folds to %s, want %s", place.name, place.got, place.want)
		}
	}
	if len(c.Weight.Sources) != 1 {
		t.Error("the weight's source is lost")
	}
	if empty := Policy(&ir.Policy{Components: []ir.Component{{}}}); empty.Components[0].Weight.IsSet() {
		t.Error("what is not set became set")
	}
}
