package lint

import (
	"regexp"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/schema"
)

// What can be said of an expression without a job.

// constant is the value that an expression has for every job; nil if it may differ. A product with 0 is 0, and a
// choice between equals is none.
func constant(e *expr.Expr) *expr.Expr {
	switch {
	case e == nil:
		return nil
	case e.IsConst():
		return e
	case e.Op == expr.Cond:
		if a, b := constant(e.Args[1]), constant(e.Args[2]); a != nil && b != nil && a.String() == b.String() {
			return a
		}
	case e.Op == expr.Call && strings.HasPrefix(e.Func, "multiply_"):
		for _, x := range e.Args {
			if c := constant(x); c != nil && c.Value.Int == 0 && c.Value.Double == 0 {
				return c
			}
		}
	case e.Op == expr.Call && len(e.Args) == 1 && strings.HasSuffix(e.Func, "_to_double"):
		if c := constant(e.Args[0]); c != nil && c.Type == schema.Int {
			return expr.NewConst(schema.DoubleValue(float64(c.Value.Int)), e.Span)
		}
	}
	return nil
}

// never reports a condition that no job meets: false itself, one with two parts that exclude each other, or
// alternatives that are all so.
func never(e *expr.Expr) bool {
	switch {
	case e.IsConst():
		return e.Type == schema.Bool && e.Value.Int == 0
	case e.Op == expr.Or:
		return !slices.ContainsFunc(e.Args, func(x *expr.Expr) bool { return !never(x) })
	case e.Op != expr.And:
		return false
	}
	parts := conditions(e)
	for i, a := range parts {
		if never(a) || slices.ContainsFunc(parts[i+1:], func(b *expr.Expr) bool { return exclude(a, b) }) {
			return true
		}
	}
	return false
}

// conditions are the parts of a conjunction, also where it is written as several.
func conditions(e *expr.Expr) (list []*expr.Expr) {
	if e.Op != expr.And {
		return []*expr.Expr{e}
	}
	for _, a := range e.Args {
		list = append(list, conditions(a)...)
	}
	return list
}

// exclude reports comparisons of one column that cannot both hold: bounds that leave nothing between them, or
// two values at once.
func exclude(a, b *expr.Expr) bool {
	if x, v, ok := equality(a); ok {
		y, w, also := equality(b)
		return also && x == y && v != w
	}
	x, up, n, strict, ok := bound(a)
	y, alsoUp, m, alsoStrict, also := bound(b)
	if !ok || !also || x != y || up == alsoUp {
		return false
	}
	if !up {
		n, m = m, n // n is the lower bound
	}
	return n > m || n == m && (strict || alsoStrict)
}

// equalText is a comparison with a word, which is kept as its text: it is evaluated once for each word of the column.
var equalText = regexp.MustCompile(`^([a-z_]+\.[a-z_]+)\s*==\s*(?:'([^'\\]*)'|"([^"\\]*)")$`)

// equality takes a comparison of a column with one value apart.
func equality(e *expr.Expr) (what, value string, ok bool) {
	if m := equalText.FindStringSubmatch(strings.TrimSpace(e.Text)); e.Op == expr.Opaque && m != nil {
		return m[1], m[2] + m[3], true
	}
	if e.Op != expr.Call || !strings.HasPrefix(e.Func, "equals") || len(e.Args) != 2 {
		return "", "", false
	}
	left, right := e.Args[0], e.Args[1]
	if left.IsConst() {
		left, right = right, left
	}
	if left.Op != expr.Column || !right.IsConst() {
		return "", "", false
	}
	return left.String(), right.String(), true
}

// implies reports that b holds wherever a does: they are the same, b is one of a's conditions or all of
// b's follow from a, a is one of b's alternatives or all of a's lead to b, or both compare one column with numbers
// the same way round.
func implies(a, b *expr.Expr) bool {
	if a.String() == b.String() {
		return true
	}
	if b.Op == expr.And && !slices.ContainsFunc(b.Args, func(x *expr.Expr) bool { return !implies(a, x) }) {
		return true
	}
	if a.Op == expr.Or && !slices.ContainsFunc(a.Args, func(x *expr.Expr) bool { return !implies(x, b) }) {
		return true
	}
	if a.Op == expr.And && slices.ContainsFunc(a.Args, func(x *expr.Expr) bool { return implies(x, b) }) {
		return true
	}
	if b.Op == expr.Or && slices.ContainsFunc(b.Args, func(x *expr.Expr) bool { return implies(a, x) }) {
		return true
	}
	x, up, n, strict, ok := bound(a)
	y, alsoUp, m, alsoStrict, also := bound(b)
	if !ok || !also || x != y || up != alsoUp {
		return false
	}
	if n == m {
		return strict || !alsoStrict
	}
	return n > m == up
}

// bound takes a comparison with a number apart: up for > and >=.
func bound(e *expr.Expr) (what string, up bool, n float64, strict, ok bool) {
	if e.Op != expr.Call || len(e.Args) != 2 {
		return
	}
	up = strings.HasPrefix(e.Func, "greater_")
	if !up && !strings.HasPrefix(e.Func, "less_") {
		return
	}
	left, right := e.Args[0], e.Args[1]
	if left.IsConst() {
		left, right, up = right, left, !up
	}
	if !right.IsConst() || left.IsConst() {
		return
	}
	return left.String(), up, right.Value.Number(), !strings.Contains(e.Func, "_equals_"), true
}
