package celexpr

import (
	"strings"

	"github.com/google/cel-go/common/types"
)

// wrongResult reports an expression of a type its place cannot use.
func wrongResult(l *lowering, want Want) {
	e := l.ast.Expr()
	have := l.ast.GetType(e.ID())
	span := l.text.span(e)
	name := plain(have.TypeName())
	if have.Kind() == types.ListKind {
		name = "list"
	}
	d := l.list.Errorf(codeResultType, span, "this is %s where %s is wanted", article(name), want)
	written := l.text.of(e)
	// Parentheses always: the text may be a condition or arithmetic of any rank.
	offer := func(fixed string) {
		d.Note("write %s", strings.Join(strings.Fields(fixed), " "))
		if l.text.raw() {
			d.Suggest(span, fixed)
		}
	}
	number := have.Kind() == types.IntKind || have.Kind() == types.DoubleKind
	switch {
	case want == WantNumber && have.Kind() == types.BoolKind:
		offer("(" + written + ") ? 1.0 : 0.0")
	case want == WantBool && have.Kind() == types.IntKind:
		offer("(" + written + ") != 0")
	case want == WantBool && have.Kind() == types.DoubleKind:
		offer("(" + written + ") != 0.0")
	case want == WantString && (number || have.Kind() == types.BoolKind):
		offer("string(" + written + ")")
	case have.Kind() == types.UintKind:
		offer("double(" + written + ")")
	case have.Kind() == types.DurationKind:
		offer("(" + written + ").getSeconds()")
	case have.Kind() == types.TimestampKind:
		d.Note("int(…) gives its epoch seconds, now - … the seconds since as a duration")
	default:
		d.Note("the result may come from a comparison, arithmetic or ? :")
	}
}

// article puts a or an before the name of a type.
func article(name string) string {
	if strings.ContainsRune("aeiou", rune(name[0])) && name != "uint" {
		return "an " + name
	}
	return "a " + name
}
