package schema

import (
	_ "embed" // the table
	"math"
	"slices"
	"strings"
)

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

//go:embed functions.txt
var functionText string

// Functions lists every overload with a kernel, in documentation order: the lines of functions.txt.
var Functions = func() (list []Function) {
	for line := range strings.Lines(functionText) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		cells := strings.Split(line, "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		f := Function{Name: cells[0], Overload: cells[1], Result: typeNamed(cells[3]), CanFail: cells[4] == "fails",
			Doc: cells[5]}
		for name := range strings.FieldsSeq(cells[2]) {
			f.Params = append(f.Params, typeNamed(name))
		}
		for example := range strings.SplitSeq(cells[6], "; ") {
			expr, want, _ := strings.Cut(example, " => ")
			f.Examples = append(f.Examples, Example{expr, want})
		}
		list = append(list, f)
	}
	return list
}()

func typeNamed(name string) Type { return Type(slices.Index(typeNames, name)) }

var functionByOverload = func() map[string]*Function {
	m := make(map[string]*Function, len(Functions))
	for i := range Functions {
		m[Functions[i].Overload] = &Functions[i]
	}
	return m
}()

// FunctionByOverload finds a function with a kernel, or nil.
func FunctionByOverload(overload string) *Function { return functionByOverload[overload] }

// Clamp is what clamp(x, low, high) calls. It compares, because min and max differ for NaN, which stays NaN here and as a
// bound is none.
func Clamp(x, low, high float64) float64 {
	if x < low {
		x = low
	}
	if x > high {
		x = high
	}
	return x
}

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
