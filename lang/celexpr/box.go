package celexpr

import (
	"fmt"
	"time"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"github.com/fairway-sched/fairway/lang/schema"
)

// celType is how CEL writes a type of ours.
func celType(t schema.Type) *cel.Type {
	switch t {
	case schema.Bool:
		return cel.BoolType
	case schema.Int:
		return cel.IntType
	case schema.Double:
		return cel.DoubleType
	case schema.String:
		return cel.StringType
	case schema.Timestamp:
		return cel.TimestampType
	case schema.Duration:
		return cel.DurationType
	case schema.StringList:
		return cel.ListType(cel.StringType)
	}
	return cel.DynType
}

// schemaType is the inverse of celType; Invalid for CEL's other types.
func schemaType(t *cel.Type) schema.Type {
	switch t.Kind() {
	case types.BoolKind:
		return schema.Bool
	case types.IntKind:
		return schema.Int
	case types.DoubleKind:
		return schema.Double
	case types.StringKind:
		return schema.String
	case types.TimestampKind:
		return schema.Timestamp
	case types.DurationKind:
		return schema.Duration
	case types.ListKind:
		if t.IsExactType(cel.ListType(cel.StringType)) {
			return schema.StringList
		}
	}
	return schema.Invalid
}

// box turns a known value into cel-go's form.
func box(v schema.Value) ref.Val {
	switch v.Type {
	case schema.Bool:
		return types.Bool(v.Int != 0)
	case schema.Int:
		return types.Int(v.Int)
	case schema.Double:
		return types.Double(v.Double)
	case schema.String:
		return types.String(v.Str)
	case schema.Timestamp:
		return types.Timestamp{Time: time.Unix(v.Int, 0).UTC()}
	case schema.Duration:
		return types.Duration{Duration: time.Duration(v.Int)}
	case schema.StringList:
		return types.NewStringList(types.DefaultTypeAdapter, v.List)
	}
	// INVARIANT: activation.ResolveName answers for unknown values itself.
	return types.NewErr("value is unknown")
}

// unbox turns a result into the declared type. A number whose type CEL only
// knows on evaluation (math.least(1, 2.5)) becomes a double here.
func unbox(v ref.Val, want schema.Type) (schema.Value, error) {
	switch v := v.(type) {
	case *types.Err: // cel-go wraps the cause, which is what a user wants to read
		return schema.Value{}, v.Unwrap()
	case types.Bool:
		if want == schema.Bool {
			return schema.BoolValue(bool(v)), nil
		}
	case types.Int:
		switch want {
		case schema.Int:
			return schema.IntValue(int64(v)), nil
		case schema.Double:
			return schema.DoubleValue(float64(v)), nil
		}
	case types.Uint:
		if want == schema.Double {
			return schema.DoubleValue(float64(v)), nil
		}
	case types.Double:
		if want == schema.Double {
			return schema.DoubleValue(float64(v)), nil
		}
	case types.String:
		if want == schema.String {
			return schema.StringValue(string(v)), nil
		}
	case types.Timestamp:
		if want == schema.Timestamp {
			return schema.TimestampValue(v.Unix()), nil
		}
	case types.Duration:
		if want == schema.Duration {
			return schema.Value{Type: schema.Duration, Int: int64(v.Duration)}, nil
		}
	case traits.Lister:
		if want == schema.StringList {
			return unboxStrings(v)
		}
	}
	return schema.Value{}, fmt.Errorf("the result is of type %s where %s is wanted", v.Type().TypeName(), want)
}

// unboxStrings copies a list; the checker has seen that it holds strings, but
// concatenation with dynamic lists is only known on evaluation.
func unboxStrings(l traits.Lister) (schema.Value, error) {
	list := []string{}
	for it := l.Iterator(); it.HasNext() == types.True; {
		s, ok := it.Next().(types.String)
		if !ok {
			return schema.Value{}, fmt.Errorf("the list holds something that is not a string")
		}
		list = append(list, string(s))
	}
	return schema.ListValue(list), nil
}
