package schema

import "math"

// Function is one overload that has a vector kernel. Name is how CEL writes it,
// Overload its id: cel-go's own id for standard functions, so that the checked
// expression names its kernel. A strict function fails if any argument failed.
type Function struct {
	Name     string
	Overload string
	Params   []Type
	Result   Type
	CanFail  bool // may fail although no argument did: overflow, division by zero, range
	Doc      string
	Examples []Example
}

// Example is a documented call; a test evaluates it with every evaluator.
// Want is the result as CEL writes it, or "error".
type Example struct{ Expr, Want string }

var (
	dd = []Type{Double, Double}
	ii = []Type{Int, Int}
	d1 = []Type{Double}
	i1 = []Type{Int}
)

// Functions lists every overload with a kernel, in documentation order. Equality has ids of our own per type
// because cel-go has a single polymorphic one; timestamps compare as ints.
// Logic (&& || ?:) is not here: it is not strict and has node kinds of its own.
var Functions = []Function{
	{"_+_", "add_int64", ii, Int, true, "Sum; overflow is an error.",
		[]Example{{"2 + 3", "5"}, {"9223372036854775807 + 1", "error"}}},
	{"_+_", "add_double", dd, Double, false, "Sum.", []Example{{"2.5 + 3.0", "5.5"}}},
	{"_-_", "subtract_int64", ii, Int, true, "Difference; overflow is an error.",
		[]Example{{"2 - 3", "-1"}, {"-9223372036854775807 - 2", "error"}}},
	{"_-_", "subtract_double", dd, Double, false, "Difference.", []Example{{"2.5 - 3.0", "-0.5"}}},
	{"_*_", "multiply_int64", ii, Int, true, "Product; overflow is an error.",
		[]Example{{"6 * 7", "42"}, {"4611686018427387904 * 2", "error"}}},
	{"_*_", "multiply_double", dd, Double, false, "Product.", []Example{{"0.5 * 7.0", "3.5"}}},
	{"_/_", "divide_int64", ii, Int, true,
		"Quotient truncated toward zero; division by zero is an error, and -2^63 / -1 an overflow.",
		[]Example{{"-7 / 2", "-3"}, {"1 / 0", "error"}, {"(-9223372036854775807 - 1) / -1", "error"}}},
	{"_/_", "divide_double", dd, Double, false, "Quotient; division by zero gives an infinity or NaN.",
		[]Example{{"1.0 / 4.0", "0.25"}, {"1.0 / 0.0", "+Inf"}, {"0.0 / 0.0", "NaN"}}},
	{"_%_", "modulo_int64", ii, Int, true,
		"Remainder with the sign of the dividend; division by zero is an error, and -2^63 % -1 an overflow.",
		[]Example{{"-7 % 2", "-1"}, {"7 % 0", "error"}, {"(-9223372036854775807 - 1) % -1", "error"}}},
	{"-_", "negate_int64", i1, Int, true, "Negation; overflow is an error.",
		[]Example{{"-(3)", "-3"}, {"-(-9223372036854775807 - 1)", "error"}}},
	{"-_", "negate_double", d1, Double, false, "Negation.", []Example{{"-(3.5)", "-3.5"}}},
	{"!_", "logical_not", []Type{Bool}, Bool, false, "Not.", []Example{{"!true", "false"}}},
	{"_<_", "less_int64", ii, Bool, false, "Less.", []Example{{"1 < 2", "true"}}},
	{"_<_", "less_double", dd, Bool, false, "Less; false if either is NaN.",
		[]Example{{"1.0 < 2.0", "true"}, {"double('NaN') < 1.0", "false"}}},
	{"_<=_", "less_equals_int64", ii, Bool, false, "Less or equal.", []Example{{"2 <= 2", "true"}}},
	{"_<=_", "less_equals_double", dd, Bool, false, "Less or equal; false if either is NaN.",
		[]Example{{"2.0 <= 2.0", "true"}, {"1.0 <= double('NaN')", "false"}}},
	{"_>_", "greater_int64", ii, Bool, false, "Greater.", []Example{{"1 > 2", "false"}}},
	{"_>_", "greater_double", dd, Bool, false, "Greater; false if either is NaN.",
		[]Example{{"1.0 > 2.0", "false"}, {"1.0 > double('NaN')", "false"}}},
	{"_>=_", "greater_equals_int64", ii, Bool, false, "Greater or equal.", []Example{{"2 >= 2", "true"}}},
	{"_>=_", "greater_equals_double", dd, Bool, false, "Greater or equal; false if either is NaN.",
		[]Example{{"2.0 >= 2.0", "true"}, {"1.0 >= double('NaN')", "false"}}},
	{"_==_", "equals_int64", ii, Bool, false, "Equal.", []Example{{"2 == 2", "true"}}},
	{"_==_", "equals_double", dd, Bool, false, "Equal; NaN equals nothing.",
		[]Example{{"2.0 == 2.0", "true"}, {"double('NaN') == double('NaN')", "false"}, {"0.0 == -0.0", "true"}}},
	{"_==_", "equals_bool", []Type{Bool, Bool}, Bool, false, "Equal.", []Example{{"true == false", "false"}}},
	{"_!=_", "not_equals_int64", ii, Bool, false, "Not equal.", []Example{{"2 != 2", "false"}}},
	{"_!=_", "not_equals_double", dd, Bool, false, "Not equal; NaN is not equal to anything, itself included.",
		[]Example{{"2.0 != 2.5", "true"}, {"double('NaN') != double('NaN')", "true"}}},
	{"_!=_", "not_equals_bool", []Type{Bool, Bool}, Bool, false, "Not equal.", []Example{{"true != false", "true"}}},
	{"double", "int64_to_double", i1, Double, false, "Nearest double.", []Example{{"double(3)", "3.0"}}},
	{"int", "double_to_int64", d1, Int, true,
		"Truncated toward zero; NaN, infinities and what is not strictly between -2^63 and 2^63 are an error.",
		[]Example{{"int(-2.7)", "-2"}, {"int(1e19)", "error"}, {"int(-9223372036854775808.0)", "error"},
			{"int(double('NaN'))", "error"}}},
	{"math.least", "math_@min_double_double", dd, Double, true,
		"The smaller, the first of equal ones (0.0 and -0.0); NaN is an error, unlike in < and >.",
		[]Example{{"math.least(1.0, 2.0)", "1.0"}, {"math.least(0.0, -0.0)", "0.0"},
			{"math.least(1.0, double('NaN'))", "error"}}},
	{"math.least", "math_@min_int_int", ii, Int, false, "The smaller.", []Example{{"math.least(1, 2)", "1"}}},
	{"math.greatest", "math_@max_double_double", dd, Double, true,
		"The larger, the first of equal ones (0.0 and -0.0); NaN is an error, unlike in < and >.",
		[]Example{{"math.greatest(1.0, 2.0)", "2.0"}, {"math.greatest(-0.0, 0.0)", "-0.0"},
			{"math.greatest(double('NaN'), 1.0)", "error"}}},
	{"math.greatest", "math_@max_int_int", ii, Int, false, "The larger.", []Example{{"math.greatest(1, 2)", "2"}}},
	{"math.ceil", "math_ceil_double", d1, Double, false, "Rounded up.", []Example{{"math.ceil(1.2)", "2.0"}}},
	{"math.floor", "math_floor_double", d1, Double, false, "Rounded down.", []Example{{"math.floor(1.8)", "1.0"}}},
	{"math.round", "math_round_double", d1, Double, false, "Rounded, halves away from zero.",
		[]Example{{"math.round(2.5)", "3.0"}, {"math.round(-2.5)", "-3.0"}, {"math.round(double('NaN'))", "NaN"}}},
	{"math.trunc", "math_trunc_double", d1, Double, false, "Truncated toward zero.",
		[]Example{{"math.trunc(-1.8)", "-1.0"}}},
	{"math.abs", "math_abs_double", d1, Double, false, "Absolute value.", []Example{{"math.abs(-1.5)", "1.5"}}},
	{"math.abs", "math_abs_int", i1, Int, true, "Absolute value; overflow is an error.",
		[]Example{{"math.abs(-3)", "3"}, {"math.abs(-9223372036854775807 - 1)", "error"}}},
	{"math.sqrt", "math_sqrt_double", d1, Double, false, "Square root; NaN below zero.",
		[]Example{{"math.sqrt(9.0)", "3.0"}, {"math.sqrt(-1.0)", "NaN"}}},
	{"clamp", "clamp_double_double_double", []Type{Double, Double, Double}, Double, false,
		"clamp(x, low, high): x, but at least low and at most high; high wins. NaN stays NaN, a NaN bound is no bound.",
		[]Example{{"clamp(5.0, 0.0, 1.0)", "1.0"}, {"clamp(1.0, 5.0, 2.0)", "2.0"}, {"clamp(double('NaN'), 0.0, 1.0)", "NaN"},
			{"clamp(3.0, double('NaN'), 1.0)", "1.0"}}},
	{"pow", "pow_double_double", dd, Double, false, "pow(x, y): x to the power y.",
		[]Example{{"pow(2.0, 10.0)", "1024.0"}}},
	{"exp", "exp_double", d1, Double, false, "e to the power x.", []Example{{"exp(0.0)", "1.0"}}},
	{"ln", "ln_double", d1, Double, false, "Natural logarithm; −infinity at 0, NaN below.",
		[]Example{{"ln(1.0)", "0.0"}, {"ln(0.0)", "-Inf"}, {"ln(-1.0)", "NaN"}}},
	{"log2", "log2_double", d1, Double, false, "Logarithm to base 2.", []Example{{"log2(8.0)", "3.0"}}},
	{"log10", "log10_double", d1, Double, false, "Logarithm to base 10.", []Example{{"log10(1000.0)", "3.0"}}},
}

var functionByOverload = func() map[string]*Function {
	m := make(map[string]*Function, len(Functions))
	for i := range Functions {
		m[Functions[i].Overload] = &Functions[i]
	}
	return m
}()

// FunctionByOverload finds a function with a kernel, or nil.
func FunctionByOverload(overload string) *Function { return functionByOverload[overload] }

// Pow is what pow(x, y) calls. For whole exponents up to 64 it is
// rounded once, from a product kept to twice the precision, as the C library's pow
// is and Go's math.Pow is not: Maui's target factor 0.0001^-2 is 99999999.99999999,
// and its truncation to an integer shows the difference.
func Pow(x, y float64) float64 {
	n := math.Trunc(y)
	if n != y || math.Abs(n) > 64 || n == 0 || x == 0 || math.IsInf(x, 0) || math.IsNaN(x) {
		return math.Pow(x, y)
	}
	hi, lo := 1.0, 0.0
	for range int(math.Abs(n)) {
		hi, lo = mulDouble(hi, lo, x)
	}
	if math.IsInf(hi, 0) || math.IsNaN(hi) || math.Abs(hi) < 1e-290 {
		return math.Pow(x, y) // the error term is not exact out here
	}
	if n > 0 {
		return hi + lo
	}
	// 1/(hi+lo): one Newton step on the correctly rounded 1/hi.
	q := 1 / hi
	r := math.FMA(-q, hi, 1) - float64(q*lo)
	return q + float64(q*r)
}

// mulDouble multiplies the unevaluated sum hi+lo by x.
func mulDouble(hi, lo, x float64) (float64, float64) {
	p := float64(hi * x)
	e := math.FMA(hi, x, -p) + float64(lo*x)
	s := p + e
	return s, e - (s - p)
}
