package expr

import (
	"fmt"
	"math"

	"github.com/fairway-sched/fairway/lang/schema"
)

// call applies one function of schema.Functions. Arguments have the declared
// types, except that timestamps stand in for ints in comparisons.
func call(overload string, args []schema.Value) (schema.Value, error) {
	a := args[0]
	b := args[len(args)-1]
	switch overload {
	case "add_int64", "subtract_int64", "multiply_int64", "divide_int64", "modulo_int64":
		return integer(intArithmetic(overload, a.Int, b.Int))
	case "negate_int64":
		return integer(intArithmetic("subtract_int64", 0, a.Int))
	case "math_abs_int":
		if a.Int < 0 {
			return integer(intArithmetic("subtract_int64", 0, a.Int))
		}
		return a, nil

	case "add_double":
		return double(a.Double + b.Double)
	case "subtract_double":
		return double(a.Double - b.Double)
	case "multiply_double":
		return double(a.Double * b.Double)
	case "divide_double":
		return double(a.Double / b.Double)
	case "negate_double":
		return double(-a.Double)

	case "logical_not":
		return schema.BoolValue(a.Int == 0), nil
	case "less_int64":
		return schema.BoolValue(a.Int < b.Int), nil
	case "less_equals_int64":
		return schema.BoolValue(a.Int <= b.Int), nil
	case "greater_int64":
		return schema.BoolValue(a.Int > b.Int), nil
	case "greater_equals_int64":
		return schema.BoolValue(a.Int >= b.Int), nil
	case "less_double":
		return schema.BoolValue(a.Double < b.Double), nil
	case "less_equals_double":
		return schema.BoolValue(a.Double <= b.Double), nil
	case "greater_double":
		return schema.BoolValue(a.Double > b.Double), nil
	case "greater_equals_double":
		return schema.BoolValue(a.Double >= b.Double), nil
	case "equals_int64", "equals_bool":
		return schema.BoolValue(a.Int == b.Int), nil
	case "equals_double":
		return schema.BoolValue(a.Double == b.Double), nil
	case "not_equals_int64", "not_equals_bool":
		return schema.BoolValue(a.Int != b.Int), nil
	case "not_equals_double":
		return schema.BoolValue(a.Double != b.Double), nil

	case "int64_to_double":
		return double(float64(a.Int))
	case "double_to_int64":
		return doubleToInt(a.Double)

	case "math_@min_int_int":
		return schema.IntValue(min(a.Int, b.Int)), nil
	case "math_@max_int_int":
		return schema.IntValue(max(a.Int, b.Int)), nil
	case "math_@min_double_double":
		if a.Double > b.Double {
			return ordered(a, b, b)
		}
		return ordered(a, b, a) // least(0.0, -0.0) is 0.0: equal, so the first
	case "math_@max_double_double":
		if a.Double < b.Double {
			return ordered(a, b, b)
		}
		return ordered(a, b, a)

	case "math_ceil_double":
		return double(math.Ceil(a.Double))
	case "math_floor_double":
		return double(math.Floor(a.Double))
	case "math_round_double":
		return double(math.Round(a.Double))
	case "math_trunc_double":
		return double(math.Trunc(a.Double))
	case "math_abs_double":
		return double(math.Abs(a.Double))
	case "math_sqrt_double":
		return double(math.Sqrt(a.Double))
	case "clamp_double_double_double":
		return double(clamp(a.Double, args[1].Double, b.Double))
	case "pow_double_double":
		return double(schema.Pow(a.Double, b.Double))
	case "exp_double":
		return double(math.Exp(a.Double))
	case "ln_double":
		return double(math.Log(a.Double))
	case "log2_double":
		return double(math.Log2(a.Double))
	case "log10_double":
		return double(math.Log10(a.Double))
	}
	return schema.Value{}, fmt.Errorf("no function %s", overload)
}

func double(f float64) (schema.Value, error) { return schema.DoubleValue(f), nil }

func integer(i int64, err error) (schema.Value, error) {
	if err != nil {
		return schema.Value{}, err
	}
	return schema.IntValue(i), nil
}

// ordered refuses NaN: math.least and math.greatest have no answer to it
// (cel-go ext/math.go by way of Compare), although < and > have: false
// (common/stdlib/standard.go).
func ordered(a, b, result schema.Value) (schema.Value, error) {
	if math.IsNaN(a.Double) || math.IsNaN(b.Double) {
		return schema.Value{}, ErrNaNOrder
	}
	return result, nil
}

// clamp is our own function: NaN stays NaN, a NaN bound is no bound.
func clamp(x, low, high float64) float64 {
	if x < low {
		x = low
	}
	if x > high {
		x = high
	}
	return x
}

// doubleToInt truncates toward zero. Both ends of the int range are excluded,
// even −2⁶³ which would fit (cel-go common/types/overflow.go).
func doubleToInt(f float64) (schema.Value, error) {
	if math.IsNaN(f) || f <= math.MinInt64 || f >= math.MaxInt64 {
		return schema.Value{}, ErrOverflow
	}
	return schema.IntValue(int64(f)), nil
}

// intArithmetic is int64 arithmetic in which leaving the range is an error.
// Go's integers wrap, so overflow shows in the result's sign or size.
func intArithmetic(overload string, x, y int64) (int64, error) {
	switch overload {
	case "add_int64":
		if z := x + y; (y >= 0) == (z >= x) {
			return z, nil
		}
		return 0, ErrOverflow
	case "subtract_int64":
		if z := x - y; (y >= 0) == (z <= x) {
			return z, nil
		}
		return 0, ErrOverflow
	case "multiply_int64":
		z := x * y
		if x != 0 && (z/x != y || (x == -1 && y == math.MinInt64)) {
			return 0, ErrOverflow
		}
		return z, nil
	case "divide_int64":
		if y == 0 {
			return 0, ErrDivisionByZero
		}
		if x == math.MinInt64 && y == -1 {
			return 0, ErrOverflow
		}
		return x / y, nil
	}
	if y == 0 {
		return 0, ErrModulusByZero
	}
	if x == math.MinInt64 && y == -1 { // the remainder would fit, but cel-go's rule is the division's
		return 0, ErrOverflow
	}
	return x % y, nil
}
