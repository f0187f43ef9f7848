package codegen_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/compiler/codegen"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/optimize"
	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/vm"
)

// The law: for every policy and every table, the program, optimised or not, on any number of
// workers, gives the bits and the failures of the naive evaluation.
func TestProgramEqualsNaiveEvaluation(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		sizes := []int{0, 1, 2, 63, 64, 65, 200}
		if rapid.IntRange(0, 9).Draw(t, "large") == 0 {
			sizes = []int{vm.BlockRows - 1, vm.BlockRows, vm.BlockRows + 1, 2*vm.BlockRows + 3}
		}
		b := drawBinding(t, rapid.SampledFrom(sizes).Draw(t, "rows"))
		p := drawPolicy(t)
		prog, diags := codegen.Generate(p)
		if len(diags) > 0 {
			t.Fatalf("Generate: %v", diags[0])
		}
		fused := optimize.Scores(prog)
		kept := optimize.Explained(prog)
		workers := rapid.IntRange(1, 3).Draw(t, "workers")
		full := execute(t, prog, b, explained(prog), workers)
		terms := execute(t, kept, b, explained(kept), workers)
		scored := execute(t, prog, b, scores(prog), 1)
		quick := execute(t, fused, b, scores(fused), workers)
		holds := len(scores(prog))
		for row := range b.Rows {
			n := &naive{row: rowOf(b, row)}
			score, priority := n.priority(p)
			want := []answer{score, priority}
			n.row = rowOf(b, row)
			for _, h := range p.Holds {
				want = append(want, n.number(h.When))
			}
			want = append(want, n.terms...)
			compare(t, prog, "generated", full, row, want)
			compare(t, kept, "explained", terms, row, want)
			compare(t, prog, "scored", scored, row, want[:holds])
			compare(t, fused, "fused", quick, row, want[:holds])
		}
		for _, out := range []*vm.Output{full, terms, scored, quick} {
			checkFailures(t, out)
		}
	})
}

// scores are the registers an engine always keeps.
func scores(p *program.Program) []program.Reg {
	keep := []program.Reg{p.Score, p.Priority}
	for _, h := range p.Holds {
		keep = append(keep, h.When)
	}
	return keep
}

// explained adds every term's value.
func explained(p *program.Program) []program.Reg {
	keep := scores(p)
	for _, c := range p.Components {
		for _, t := range c.Terms {
			keep = append(keep, t.Value)
		}
	}
	return keep
}

func execute(t *rapid.T, p *program.Program, b vm.Binding, keep []program.Reg, workers int) *vm.Output {
	m, err := vm.Load(p)
	if err != nil {
		t.Fatalf("Load: %v\n%s", err, p)
	}
	out, err := m.Run(b, keep, workers)
	if err != nil {
		t.Fatalf("Run: %v\n%s", err, p)
	}
	return out
}

func compare(t *rapid.T, p *program.Program, how string, out *vm.Output, row int, want []answer) {
	for i, w := range want {
		v := &out.Vectors[i]
		got := answer{}
		if f := v.Failure(row); f != 0 {
			got.err = fmt.Errorf("%s", out.Failures[f-1].Message)
		} else if v.Type == schema.Bool {
			got.v = float64(v.Value(row).Int)
		} else {
			got.v = v.Double(row)
		}
		if !sameAnswer(got, w) {
			t.Fatalf("%s row %d, kept %d (%s): got %v, want %v\n%s", how, row, i, v.Reg, got, w, p)
		}
	}
}

// sameAnswer compares bits; every NaN counts as the same, for which one comes out is
// the processor's choice.
func sameAnswer(a, b answer) bool {
	if a.err != nil || b.err != nil {
		return a.err != nil && b.err != nil && a.err.Error() == b.err.Error()
	}
	return math.Float64bits(a.v) == math.Float64bits(b.v) || a.v != a.v && b.v != b.v
}

// checkFailures recounts what the run says about failures from the vectors.
func checkFailures(t *rapid.T, out *vm.Output) {
	count, first := make([]int, len(out.Failures)), make([]int, len(out.Failures))
	for row := range out.Rows {
		seen := map[int]bool{}
		for i := range out.Vectors {
			f := out.Vectors[i].Failure(row)
			if f == 0 || seen[f] {
				continue
			}
			seen[f] = true
			if count[f-1] == 0 {
				first[f-1] = row
			}
			count[f-1]++
		}
	}
	for i, f := range out.Failures {
		if f.Count != count[i] || f.Row != first[i] {
			t.Fatalf("failure %v: counted %d rows, first %d", f, count[i], first[i])
		}
	}
}

func drawPolicy(t *rapid.T) *ir.Policy {
	p := &ir.Policy{Name: "random"}
	for c := range rapid.IntRange(0, 3).Draw(t, "components") {
		comp := ir.Component{
			Name: fmt.Sprint("c", c), Weight: drawWeight(t), Cap: drawOptional(t), Span: places.Span(c, c+1),
		}
		for i := range rapid.IntRange(0, 6).Draw(t, "terms") {
			comp.Terms = append(comp.Terms, ir.Term{
				Name: fmt.Sprint("t", i), Weight: drawWeight(t), Cap: drawOptional(t), Factor: drawNumber(t, 3),
				Span: places.Span(i, i+1),
			})
		}
		p.Components = append(p.Components, comp)
	}
	p.Finish.Floor, p.Finish.Ceiling = drawOptional(t), drawOptional(t)
	for i := range rapid.IntRange(0, 2).Draw(t, "overrides") {
		p.Finish.Overrides = append(p.Finish.Overrides, ir.Override{
			Name:  fmt.Sprint("o", i),
			When:  ir.Scalar{Expr: drawExpr(t, schema.Bool, 2, true)},
			Value: ir.Scalar{Expr: drawExpr(t, schema.Double, 2, true)},
		})
	}
	for i := range rapid.IntRange(0, 2).Draw(t, "holds") {
		p.Holds = append(p.Holds, ir.Hold{Name: fmt.Sprint("h", i),
			When: ir.Scalar{Expr: drawExpr(t, schema.Bool, 3, false)}})
	}
	return p
}

func drawNumber(t *rapid.T, depth int) ir.Scalar {
	want := rapid.SampledFrom([]schema.Type{schema.Double, schema.Int, schema.Bool}).Draw(t, "type")
	return ir.Scalar{Expr: drawExpr(t, want, depth, false)}
}

func drawWeight(t *rapid.T) ir.Scalar {
	if rapid.IntRange(0, 2).Draw(t, "computed weight") > 0 {
		v := rapid.SampledFrom([]float64{0, 1, 1, 10, -0.5, 1e300}).Draw(t, "weight")
		return ir.Scalar{Expr: expr.NewConst(schema.DoubleValue(v), source.Span{})}
	}
	return drawNumber(t, 1)
}

func drawOptional(t *rapid.T) ir.Scalar {
	if rapid.Bool().Draw(t, "absent") {
		return ir.Scalar{}
	}
	return drawWeight(t)
}
