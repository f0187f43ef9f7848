package vm

import "math"

// A loop runs one instruction over a whole register. It reports whether some element may
// have failed (or needs the careful way); the kernel's check then looks at each.
type loop func(fr *frame, s *step) (suspect bool)

// kernel is the machine form of one function. vs and sv take their second or first argument
// from a register that holds one value for the whole run; where they are
// nil such a value is spread over a vector beforehand.
type kernel struct {
	vv, vs, sv loop
	check      func(fr *frame, s *step) // nil: cannot fail
}

// kernels maps the overload ids of schema.Functions to what computes them.
// A function added there needs a line here; a test compares the two.
var kernels = map[string]*kernel{
	"add_int64":       {vv: ints2(addIntVV), vs: intsVS(addIntVS), sv: intsSV(addIntVS), check: failing2(addFails)},
	"add_double":      {vv: doubles2(addVV), vs: doublesVS(addVS), sv: doublesSV(addVS)},
	"subtract_int64":  {vv: ints2(subtractIntVV), check: failing2(subtractFails)},
	"subtract_double": {vv: doubles2(subtractVV), vs: doublesVS(subtractVS), sv: doublesSV(subtractSV)},
	"multiply_int64":  {vv: ints2(multiplyIntVV), check: failing2(multiplyFails)},
	"multiply_double": {vv: doubles2(multiplyVV), vs: doublesVS(multiplyVS), sv: doublesSV(multiplyVS)},
	"divide_int64":    {vv: ints2(divideIntVV), check: failing2(divideFails)},
	"divide_double":   {vv: doubles2(divideVV), vs: doublesVS(divideVS), sv: doublesSV(divideSV)},
	"modulo_int64":    {vv: ints2(moduloIntVV), check: failing2(moduloFails)},
	"negate_int64":    {vv: ints1(negateInt), check: failing1(smallestFails)},
	"negate_double":   {vv: doubles1(negate)},
	"logical_not":     {vv: notLoop},

	"less_int64":            {vv: intOrder(lessVV[int64], false), vs: intOrderVS(lessVS[int64]), sv: intOrderSV(lessSV[int64])},
	"less_double":           {vv: doubleOrder(lessVV[float64], false), vs: doubleOrderVS(lessVS[float64]), sv: doubleOrderSV(lessSV[float64]), check: failing2(unordered)},
	"less_equals_int64":     {vv: intOrder(lessEqualVV[int64], false), vs: intOrderVS(lessEqualVS[int64]), sv: intOrderSV(lessEqualSV[int64])},
	"less_equals_double":    {vv: doubleOrder(lessEqualVV[float64], false), vs: doubleOrderVS(lessEqualVS[float64]), sv: doubleOrderSV(lessEqualSV[float64]), check: failing2(unordered)},
	"greater_int64":         {vv: intOrder(lessVV[int64], true), vs: intOrderVS(lessSV[int64]), sv: intOrderSV(lessVS[int64])},
	"greater_double":        {vv: doubleOrder(lessVV[float64], true), vs: doubleOrderVS(lessSV[float64]), sv: doubleOrderSV(lessVS[float64]), check: failing2(unordered)},
	"greater_equals_int64":  {vv: intOrder(lessEqualVV[int64], true), vs: intOrderVS(lessEqualSV[int64]), sv: intOrderSV(lessEqualVS[int64])},
	"greater_equals_double": {vv: doubleOrder(lessEqualVV[float64], true), vs: doubleOrderVS(lessEqualSV[float64]), sv: doubleOrderSV(lessEqualVS[float64]), check: failing2(unordered)},
	"equals_int64":          {vv: intOrder(equalVV[int64], false), vs: intOrderVS(equalVS[int64]), sv: intOrderSV(equalVS[int64])},
	"equals_double":         {vv: doubleEqual(equalVV[float64]), vs: doubleEqualVS(equalVS[float64]), sv: doubleEqualSV(equalVS[float64])},
	"equals_bool":           {vv: boolEqual(equalVV[uint8])},
	"not_equals_int64":      {vv: intOrder(unequalVV[int64], false), vs: intOrderVS(unequalVS[int64]), sv: intOrderSV(unequalVS[int64])},
	"not_equals_double":     {vv: doubleEqual(unequalVV[float64]), vs: doubleEqualVS(unequalVS[float64]), sv: doubleEqualSV(unequalVS[float64])},
	"not_equals_bool":       {vv: boolEqual(unequalVV[uint8])},

	"int64_to_double": {vv: intToDouble},
	"double_to_int64": {vv: doubleToInt, check: failing1(truncateFails)},

	"math_@min_double_double":    {vv: doubles2Suspect(minVV), vs: doublesVSSuspect(minVS), check: exact2(minExact)},
	"math_@min_int_int":          {vv: ints2(minIntVV)},
	"math_@max_double_double":    {vv: doubles2Suspect(maxVV), vs: doublesVSSuspect(maxVS), check: exact2(maxExact)},
	"math_@max_int_int":          {vv: ints2(maxIntVV)},
	"math_ceil_double":           {vv: each(math.Ceil)},
	"math_floor_double":          {vv: each(math.Floor)},
	"math_round_double":          {vv: each(math.Round)},
	"math_trunc_double":          {vv: each(math.Trunc)},
	"math_abs_double":            {vv: doubles1(abs)},
	"math_abs_int":               {vv: ints1(absInt), check: failing1(smallestFails)},
	"math_sqrt_double":           {vv: doubles1(sqrt)},
	"clamp_double_double_double": {vv: clampLoop},
	"pow_double_double":          {vv: each2(math.Pow)},
	"exp_double":                 {vv: each(math.Exp)},
	"ln_double":                  {vv: each(math.Log)},
	"log2_double":                {vv: each(math.Log2)},
	"log10_double":               {vv: each(math.Log10)},
}
