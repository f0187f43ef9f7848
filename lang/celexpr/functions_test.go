package celexpr

import (
	"slices"
	"testing"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/schema"
)

// TestExamples evaluates every documented example by cel-go, by the lowered
// form unfolded, and by what folding makes of it.
func TestExamples(t *testing.T) {
	for _, f := range schema.Functions {
		if len(f.Examples) == 0 {
			t.Errorf("%s has no example", f.Overload)
		}
		failing := false
		for _, example := range f.Examples {
			want := WantNumber
			if f.Result == schema.Bool {
				want = WantBool
			}
			src := sourceOf(example.Expr)
			l, _ := fixture.check(src, new(diag.List))
			if l == nil {
				t.Fatalf("%s does not compile", example.Expr)
			}
			lowered := l.value(l.ast.Expr(), nil)
			if !slices.Contains(overloadsOf(lowered), f.Overload) {
				t.Errorf("%s: %s does not use %s but %s", f.Name, example.Expr, f.Overload, lowered)
			}
			if lowered.Type != f.Result {
				t.Errorf("%s gives %s, declared %s", example.Expr, lowered.Type, f.Result)
			}
			v, err := expr.Eval(lowered, nil)
			outcome := show(v, err)
			if err != nil {
				outcome, failing = "error", true
			}
			if outcome != example.Want {
				t.Errorf("%s = %s, documented %s", example.Expr, outcome, example.Want)
			}
			program, err2 := l.plan(l.ast.Expr(), nil)
			if err2 != nil {
				t.Fatal(err2)
			}
			celValue, celErr := unbox(program.eval(nil), f.Result)
			if !same(v, err, celValue, celErr) {
				t.Errorf("%s = %s, cel-go says %s", example.Expr, show(v, err), show(celValue, celErr))
			}
			if c, _ := fixture.Compile(src, want); c == nil || expr.Fold(c.Expr).IsConst() == (example.Want == "error") {
				t.Errorf("%s is not folded rightly", example.Expr)
			}
		}
		if f.CanFail && !failing {
			t.Errorf("%s can fail, but no example shows it", f.Overload)
		}
		if !f.CanFail && failing {
			t.Errorf("%s fails, but is documented not to", f.Overload)
		}
	}
}

func overloadsOf(e *expr.Expr) []string {
	var ids []string
	e.Walk(func(n *expr.Expr) { ids = append(ids, n.Func) })
	return ids
}

// TestOwnFunctions: the functions that CEL lacks are declared from the table, and all of them.
func TestOwnFunctions(t *testing.T) {
	for id := range ownFunctions {
		if schema.FunctionByOverload(id) == nil {
			t.Errorf("%s is not in the table of functions", id)
		}
	}
}
