package celexpr

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/lang/expr"
)

// TestGolden compiles every expression of lower.txt and semantics.txt, shows
// the lowered form, what was not vectorised and why, and its value on each
// row; and requires that cel-go alone gives the same.
func TestGolden(t *testing.T) {
	for _, name := range []string{"lower.txt", "semantics.txt"} {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			for _, line := range cases(t, name) {
				out.WriteString(line + "\n")
				if line == "" || line[0] == '#' {
					continue
				}
				out.WriteString(lowered(t, line[3:], prompts[line[:3]]))
			}
			golden(t, name, out.String())
		})
	}
}

func lowered(t *testing.T, text string, want Want) string {
	var out strings.Builder
	src := sourceOf(text)
	c, list := fixture.Compile(src, want)
	for _, d := range list {
		fmt.Fprintf(&out, "   %s: %s [%s]\n", d.Severity, d.Message, d.Code)
	}
	if c == nil {
		return out.String()
	}
	c.Expr = expr.Fold(c.Expr)
	fmt.Fprintf(&out, "   = %s\n", c.Expr)
	c.Expr.Walk(func(e *expr.Expr) {
		if e.Op == expr.Opaque {
			fmt.Fprintf(&out, "   not-vectorized: %s, reads %v\n", e.Reason, e.Columns())
		}
	})
	reference := oracle(t, src, want)
	var values []string
	for _, r := range fixtureRows {
		got, gotErr := expr.Eval(c.Expr, r.get)
		celValue, celErr := reference(r)
		if !same(got, gotErr, celValue, celErr) {
			t.Errorf("%s: %s, but cel-go gives %s", text, show(got, gotErr), show(celValue, celErr))
		}
		values = append(values, show(got, gotErr))
	}
	if len(c.Expr.Columns()) == 0 {
		values = values[:1]
	}
	fmt.Fprintf(&out, "   : %s\n", strings.Join(values, " | "))
	return out.String()
}
