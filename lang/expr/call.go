package expr

import (
	"fmt"
	"math"

	"github.com/fairway-sched/fairway/lang/schema"
)

// call applies one function of schema.Functions. Arguments have the declared
// types, except that timestamps take the place of ints in comparisons.
func call(overload string, args []schema.Value) (schema.Value, error) {
	f := functions[overload]
	if f == nil {
		return schema.Value{}, fmt.Errorf("no function %s", overload)
	}
	return f(args)
}

// function is what an overload computes of its arguments.
type function func(args []schema.Value) (schema.Value, error)

var functions = map[string]function{
	"add_int64":      ints(addInts),
	"subtract_int64": ints(subtractInts),
	"multiply_int64": ints(multiplyInts),
	"divide_int64":   ints(divideInts),
	"modulo_int64":   ints(moduloInts),
	"negate_int64":   func(a []schema.Value) (schema.Value, error) { return integer(subtractInts(0, a[0].Int)) },
	"math_abs_int":   absInt,

	"add_double":      doubles(func(x, y float64) float64 { return x + y }),
	"subtract_double": doubles(func(x, y float64) float64 { return x - y }),
	"multiply_double": doubles(func(x, y float64) float64 { return x * y }),
	"divide_double":   doubles(func(x, y float64) float64 { return x / y }),
	"negate_double":   one(func(x float64) float64 { return -x }),

	"logical_not": func(a []schema.Value) (schema.Value, error) {
		return schema.BoolValue(a[0].Int == 0), nil
	},
	"less_int64":            compareInts(func(x, y int64) bool { return x < y }),
	"less_equals_int64":     compareInts(func(x, y int64) bool { return x <= y }),
	"greater_int64":         compareInts(func(x, y int64) bool { return x > y }),
	"greater_equals_int64":  compareInts(func(x, y int64) bool { return x >= y }),
	"equals_int64":          compareInts(func(x, y int64) bool { return x == y }),
	"equals_bool":           compareInts(func(x, y int64) bool { return x == y }),
	"not_equals_int64":      compareInts(func(x, y int64) bool { return x != y }),
	"not_equals_bool":       compareInts(func(x, y int64) bool { return x != y }),
	"less_double":           compareDoubles(func(x, y float64) bool { return x < y }),
	"less_equals_double":    compareDoubles(func(x, y float64) bool { return x <= y }),
	"greater_double":        compareDoubles(func(x, y float64) bool { return x > y }),
	"greater_equals_double": compareDoubles(func(x, y float64) bool { return x >= y }),
	"equals_double":         compareDoubles(func(x, y float64) bool { return x == y }),
	"not_equals_double":     compareDoubles(func(x, y float64) bool { return x != y }),

	"int64_to_double": func(a []schema.Value) (schema.Value, error) { return double(float64(a[0].Int)) },
	"double_to_int64": func(a []schema.Value) (schema.Value, error) { return doubleToInt(a[0].Double) },

	"math_@min_int_int": ints(func(x, y int64) (int64, error) { return min(x, y), nil }),
	"math_@max_int_int": ints(func(x, y int64) (int64, error) { return max(x, y), nil }),
	// The least of 0.0 and -0.0 is the first: they are equal.
	"math_@min_double_double": choose(func(x, y float64) bool { return x > y }),
	"math_@max_double_double": choose(func(x, y float64) bool { return x < y }),

	"math_ceil_double":  one(math.Ceil),
	"math_floor_double": one(math.Floor),
	"math_round_double": one(math.Round),
	"math_trunc_double": one(math.Trunc),
	"math_abs_double":   one(math.Abs),
	"math_sqrt_double":  one(math.Sqrt),
	"exp_double":        one(math.Exp),
	"ln_double":         one(math.Log),
	"log2_double":       one(math.Log2),
	"log10_double":      one(math.Log10),
	"pow_double_double": doubles(schema.Pow),
	"clamp_double_double_double": func(a []schema.Value) (schema.Value, error) {
		return double(schema.Clamp(a[0].Double, a[1].Double, a[2].Double))
	},
}

func one(of func(float64) float64) function {
	return func(a []schema.Value) (schema.Value, error) { return double(of(a[0].Double)) }
}

func doubles(of func(x, y float64) float64) function {
	return func(a []schema.Value) (schema.Value, error) { return double(of(a[0].Double, a[1].Double)) }
}

func ints(of func(x, y int64) (int64, error)) function {
	return func(a []schema.Value) (schema.Value, error) { return integer(of(a[0].Int, a[1].Int)) }
}

func compareInts(holds func(x, y int64) bool) function {
	return func(a []schema.Value) (schema.Value, error) { return schema.BoolValue(holds(a[0].Int, a[1].Int)), nil }
}

func compareDoubles(holds func(x, y float64) bool) function {
	return func(a []schema.Value) (schema.Value, error) {
		return schema.BoolValue(holds(a[0].Double, a[1].Double)), nil
	}
}

// choose gives the first of two numbers unless the second is better. It refuses NaN: math.least and math.greatest
// have no answer to it (cel-go ext/math.go by way of Compare), although < and > have: false
// (common/stdlib/standard.go).
func choose(second func(x, y float64) bool) function {
	return func(a []schema.Value) (schema.Value, error) {
		x, y := a[0], a[1]
		switch {
		case math.IsNaN(x.Double) || math.IsNaN(y.Double):
			return schema.Value{}, ErrNaNOrder
		case second(x.Double, y.Double):
			return y, nil
		}
		return x, nil
	}
}

func double(f float64) (schema.Value, error) { return schema.DoubleValue(f), nil }

func integer(i int64, err error) (schema.Value, error) {
	if err != nil {
		return schema.Value{}, err
	}
	return schema.IntValue(i), nil
}

// doubleToInt truncates toward zero. Both ends of the int range are excluded,
// even −2⁶³ which would fit (cel-go common/types/overflow.go).
func doubleToInt(f float64) (schema.Value, error) {
	if math.IsNaN(f) || f <= math.MinInt64 || f >= math.MaxInt64 {
		return schema.Value{}, ErrOverflow
	}
	return schema.IntValue(int64(f)), nil
}

// In the arithmetic of ints leaving the range is an error. Go's integers wrap, so overflow shows in the result's
// sign or size.

func addInts(x, y int64) (int64, error) {
	if z := x + y; (y >= 0) == (z >= x) {
		return z, nil
	}
	return 0, ErrOverflow
}

func subtractInts(x, y int64) (int64, error) {
	if z := x - y; (y >= 0) == (z <= x) {
		return z, nil
	}
	return 0, ErrOverflow
}

func multiplyInts(x, y int64) (int64, error) {
	z := x * y
	if x != 0 && (z/x != y || (x == -1 && y == math.MinInt64)) {
		return 0, ErrOverflow
	}
	return z, nil
}

func divideInts(x, y int64) (int64, error) {
	switch {
	case y == 0:
		return 0, ErrDivisionByZero
	case x == math.MinInt64 && y == -1:
		return 0, ErrOverflow
	}
	return x / y, nil
}

func moduloInts(x, y int64) (int64, error) {
	switch {
	case y == 0:
		return 0, ErrModulusByZero
	case x == math.MinInt64 && y == -1: // the remainder would fit, but cel-go's rule is the division's
		return 0, ErrOverflow
	}
	return x % y, nil
}

func absInt(a []schema.Value) (schema.Value, error) {
	if a[0].Int < 0 {
		return integer(subtractInts(0, a[0].Int))
	}
	return a[0], nil
}
