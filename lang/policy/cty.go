package policy

import (
	"math"
	"math/big"

	"github.com/zclconf/go-cty/cty"

	"github.com/fairway-sched/fairway/lang/schema"
)

// This file is the border to cty, the value type of HCL expressions: no cty
// value leaves the package.

// fromCty reads a constant without wanting a type: a whole number is an int,
// any other a double. A null is the unknown Value. Elements of lists are strings or
// whole numbers, which become text, because names and ids may look like numbers.
func fromCty(v cty.Value) (out schema.Value, fault string) {
	v, _ = v.UnmarkDeep()
	switch {
	case v.IsNull():
		return schema.Value{}, ""
	case !v.IsWhollyKnown():
		return out, "not known"
	case v.Type() == cty.String:
		return schema.StringValue(v.AsString()), ""
	case v.Type() == cty.Bool:
		return schema.BoolValue(v.True()), ""
	case v.Type() == cty.Number:
		return fromNumber(v.AsBigFloat())
	case isSequence(v.Type()):
		list := []string{}
		for it := v.ElementIterator(); it.Next(); {
			_, e := it.Element()
			item, fault := fromCty(e)
			switch {
			case fault == "" && item.Type == schema.String:
				list = append(list, item.Str)
			case fault == "" && item.Type == schema.Int:
				list = append(list, plain(item))
			default:
				return out, "a list whose elements are not all strings"
			}
		}
		return schema.ListValue(list), ""
	case isMapping(v.Type()):
		return out, "a map, where one value is wanted"
	}
	return out, "of a type that has no use here"
}

// fromNumber rounds to a double once; big.Float holds 512 bits until then.
func fromNumber(f *big.Float) (schema.Value, string) {
	if i, accuracy := f.Int64(); accuracy == big.Exact {
		return schema.IntValue(i), ""
	}
	d, _ := f.Float64()
	if math.IsInf(d, 0) {
		return schema.Value{}, "out of the range of numbers"
	}
	return schema.DoubleValue(d), ""
}

// toCty is the value a param has in expressions: durations and timestamps are
// numbers of seconds, an unknown value is null.
func toCty(v schema.Value) cty.Value {
	switch v.Type {
	case schema.Bool:
		return cty.BoolVal(v.Int != 0)
	case schema.Int, schema.Timestamp:
		return cty.NumberIntVal(v.Int)
	case schema.Duration:
		return cty.NumberFloatVal(float64(v.Int) / 1e9)
	case schema.Double:
		if math.IsNaN(v.Double) {
			return cty.NullVal(cty.Number)
		}
		return cty.NumberFloatVal(v.Double)
	case schema.String:
		return cty.StringVal(v.Str)
	case schema.StringList:
		items := make([]cty.Value, len(v.List))
		for i, s := range v.List {
			items[i] = cty.StringVal(s)
		}
		return cty.TupleVal(items)
	}
	return cty.NullVal(cty.DynamicPseudoType)
}

func isSequence(t cty.Type) bool { return t.IsListType() || t.IsSetType() || t.IsTupleType() }

func isMapping(t cty.Type) bool { return t.IsMapType() || t.IsObjectType() }

// weight is a rough size of a value: characters, elements and digits. Locals
// that feed each other may double it each time, so it is bounded.
func weight(v cty.Value) int {
	switch {
	case v.IsNull() || !v.IsKnown():
		return 1
	case v.Type() == cty.String:
		return len(v.AsString())
	case v.Type() == cty.Number:
		exponent := v.AsBigFloat().MantExp(nil)
		return max(exponent, -exponent)
	case v.CanIterateElements():
		sum := 1
		for it := v.ElementIterator(); it.Next(); {
			k, e := it.Element()
			sum += weight(e)
			if k.Type() == cty.String {
				sum += len(k.AsString())
			}
		}
		return sum
	}
	return 1
}
