// Package celexpr turns the text of a CEL expression inside a policy file into
// an expr.Expr, and is the only package that imports cel-go.
//
// In goes the text with its place in the file, the policy's constants and the
// type the place wants; out comes a checked and lowered expression, or
// diagnostics that point at the bytes to edit. The compiler's lowering calls it for
// every factor, weight, cap, condition and override:
//
//	text ─ parse (cel-go) ─ names ─ check (cel-go) ─ lower ─► Compiled
//
// names (names.go, columns.go) comes before the type checker: it replaces
// param.X, each.key, documented.X and version by their values and every
// object.column by one identifier, so that constants fold, that one CEL environment serves all
// policies, and that a wrong name is reported by somebody who knows both
// schedulers' vocabulary.
//
// lower (lower.go, overload.go) gives each node with a kernel an expr node
// named by cel-go's overload id. What has none becomes one Opaque node, which
// runs cel-go on the boxed values of the columns it reads (opaque.go): strings, lists,
// times of day, macros over columns, numbers of dynamic type. It is correct and slow, or quick
// where it reads one dictionary column only. Nothing valid is refused, with one exception: an object
// is not a value (`[job]`), and a macro variable must not hide one.
//
// Failure is CEL's: reading an unknown column, int overflow, division of ints by
// zero, int() out of range and math.least of NaN fail; division of doubles and
// comparisons never do, even of NaN. testdata/semantics.txt lists what cel-go was seen to do.
package celexpr
