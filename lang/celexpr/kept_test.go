package celexpr

import (
	"testing"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// TestKept: what was compiled once is compiled again where a constant, a define or the version differs, and only there.
func TestKept(t *testing.T) {
	text := "param.A + (documented.d ? define.x : 1.0) + double(version)"
	span := source.NewFile("p", []byte(text)).Span(0, len(text))
	definition := func(text string) Define {
		return Define{Name: "x", Source: Source{Span: source.NewFile("x", []byte(text)).Span(0, len(text))}}
	}
	two := definition("2.0 * param.B")
	compile := func(a, b schema.Value, documented bool, version int64, d Define) string {
		t.Helper()
		env, diags := NewEnv(Options{Params: map[string]schema.Value{"A": a, "B": b},
			Documented: map[string]bool{"d": documented},
			Version:    version}).WithDefines([]Define{d})
		out, more := env.Compile(Source{Span: span}, WantNumber)
		if diags = append(diags, more...); len(diags) > 0 {
			t.Fatal(diags)
		}
		return out.Expr.String()
	}
	one, five := schema.DoubleValue(1), schema.DoubleValue(5)
	first := compile(one, one, true, 2205, two)
	for what, other := range map[string]string{
		"a param": compile(five, one, true, 2205, two), "a param of the define": compile(one, five, true, 2205, two),
		"a deviation": compile(one, one, false, 2205, two), "the version": compile(one, one, true, 2305, two),
		"the define": compile(one, one, true, 2205, definition("3.0 * param.B")),
	} {
		if other == first {
			t.Errorf("with another value of %s it is %s too", what, other)
		}
	}
	if again := compile(one, one, true, 2205, two); again != first {
		t.Errorf("%s, and again %s", first, again)
	}
}
