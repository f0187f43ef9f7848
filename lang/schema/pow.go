package schema

import "math"

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
