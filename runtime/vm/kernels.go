package vm

import (
	"math"

	"github.com/fairway-sched/fairway/lang/schema"
)

// A loop runs one instruction over a whole register. It reports whether some element may
// have failed (or needs the careful way); the kernel's check then looks at each.
type loop func(fr *frame, s *step) (suspect bool)

// kernel is the machine form of one function. right and left take their second or
// first argument from a register that holds one value for the whole run; where
// they are nil such a value is spread over a vector beforehand.
type kernel struct {
	vectors, right, left loop
	check                func(fr *frame, s *step) // nil: cannot fail
}

// kernels maps the overload ids of schema.Functions to what computes them.
// A function added there needs a line here; a test compares the two.
var kernels = map[string]*kernel{
	"add_int64":       {tryTwo(addInt), tryRight(addIntScalar), tryLeft(addIntScalar), failingTwo(addFails)},
	"add_double":      {two(add), right(addScalar), left(addScalar), nil},
	"subtract_int64":  {tryTwo(subtractInt), nil, nil, failingTwo(subtractFails)},
	"subtract_double": {two(subtract), right(subtractScalar), left(subtractFrom), nil},
	"multiply_int64":  {tryTwo(multiplyInt), nil, nil, failingTwo(multiplyFails)},
	"multiply_double": {two(multiply), right(multiplyScalar), left(multiplyScalar), nil},
	"divide_int64":    {tryTwo(divideInt), nil, nil, failingTwo(divideFails)},
	"divide_double":   {two(divide), right(divideScalar), left(divideInto), nil},
	"modulo_int64":    {tryTwo(moduloInt), nil, nil, failingTwo(moduloFails)},
	"negate_int64":    {tryOne(negateInt), nil, nil, failing(smallestFails)},
	"negate_double":   {one(negate), nil, nil, nil},
	"logical_not":     {one(not), nil, nil, nil},

	"less_int64":        {two(less[int64]), right(lessScalar[int64]), left(scalarLess[int64]), nil},
	"less_double":       {two(less[float64]), right(lessScalar[float64]), left(scalarLess[float64]), nil},
	"less_equals_int64": {two(lessEqual[int64]), right(lessEqualScalar[int64]), left(scalarLessEqual[int64]), nil},
	"less_equals_double": {two(lessEqual[float64]), right(lessEqualScalar[float64]), left(scalarLessEqual[float64]),
		nil},
	"greater_int64":        {swapped(less[int64]), right(scalarLess[int64]), left(lessScalar[int64]), nil},
	"greater_double":       {swapped(less[float64]), right(scalarLess[float64]), left(lessScalar[float64]), nil},
	"greater_equals_int64": {swapped(lessEqual[int64]), right(scalarLessEqual[int64]), left(lessEqualScalar[int64]), nil},
	"greater_equals_double": {swapped(lessEqual[float64]), right(scalarLessEqual[float64]), left(lessEqualScalar[float64]),
		nil},
	"equals_int64":      {two(equal[int64]), right(equalScalar[int64]), left(equalScalar[int64]), nil},
	"equals_double":     {two(equal[float64]), right(equalScalar[float64]), left(equalScalar[float64]), nil},
	"equals_bool":       {two(equal[uint8]), right(equalScalar[uint8]), left(equalScalar[uint8]), nil},
	"not_equals_int64":  {two(unequal[int64]), right(unequalScalar[int64]), left(unequalScalar[int64]), nil},
	"not_equals_double": {two(unequal[float64]), right(unequalScalar[float64]), left(unequalScalar[float64]), nil},
	"not_equals_bool":   {two(unequal[uint8]), right(unequalScalar[uint8]), left(unequalScalar[uint8]), nil},

	"int64_to_double": {one(toDouble), nil, nil, nil},
	"double_to_int64": {tryOne(toInt), nil, nil, failing(truncateFails)},

	"math_@min_double_double":    {tryTwo(smaller), tryRight(smallerScalar), nil, exactly(smallerExact)},
	"math_@min_int_int":          {two(smallerInt), nil, nil, nil},
	"math_@max_double_double":    {tryTwo(larger), tryRight(largerScalar), nil, exactly(largerExact)},
	"math_@max_int_int":          {two(largerInt), nil, nil, nil},
	"math_ceil_double":           {each(math.Ceil), nil, nil, nil},
	"math_floor_double":          {each(math.Floor), nil, nil, nil},
	"math_round_double":          {each(math.Round), nil, nil, nil},
	"math_trunc_double":          {each(math.Trunc), nil, nil, nil},
	"math_abs_double":            {one(abs), nil, nil, nil},
	"math_abs_int":               {tryOne(absInt), nil, nil, failing(smallestFails)},
	"math_sqrt_double":           {one(sqrt), nil, nil, nil},
	"clamp_double_double_double": {clampLoop, nil, nil, nil},
	"pow_double_double":          {eachTwo(schema.Pow), right(powScalar), nil, nil},
	"exp_double":                 {each(math.Exp), nil, nil, nil},
	"ln_double":                  {each(math.Log), nil, nil, nil},
	"log2_double":                {each(math.Log2), nil, nil, nil},
	"log10_double":               {each(math.Log10), nil, nil, nil},
}
