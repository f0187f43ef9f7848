package celexpr

import (
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
)

// The reasons are after "not-vectorized: " in reports.

func reasonForType(t *cel.Type) string {
	switch t.Kind() {
	case types.StringKind:
		return "a string"
	case types.ListKind:
		return "a list"
	case types.MapKind:
		return "a map"
	case types.TimestampKind:
		return "a timestamp"
	case types.DurationKind:
		return "a duration"
	case types.UintKind:
		return "an unsigned int"
	case types.DynKind:
		return "a value whose type depends on the row"
	}
	return "a value of type " + t.TypeName()
}

func (l *lowering) reasonForCall(c ast.CallExpr) string {
	name := c.FunctionName()
	switch {
	case name == operators.In:
		return "in over " + reasonForType(l.ast.GetType(c.Args()[1].ID()))
	case name == operators.Index:
		return "an index"
	}
	if op, ok := operators.FindReverse(name); ok && op != "" {
		return "operator " + op + " on " + reasonForType(l.ast.GetType(c.Args()[0].ID()))
	}
	name = strings.Replace(name, "@", "", 1)
	if name == "math.min" {
		name = "math.least"
	}
	if name == "math.max" {
		name = "math.greatest"
	}
	if c.IsMemberFunction() {
		return "method " + name
	}
	return "function " + name
}
