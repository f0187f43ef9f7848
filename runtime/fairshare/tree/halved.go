package tree

import "math"

// maxHalvings is up to where halved is used: what it returns is no subnormal number.
const maxHalvings = 1000

// halved is 2^−x for x from 0 to maxHalvings, to the last bit what math.Exp2 makes of it without the
// help of an assembler: a power of two times the exponential of what x is off from a whole number, by
// the rational function of fdlibm's exp.
func halved(x float64) float64 {
	const (
		ln2High = 6.93147180369123816490e-01
		ln2Low  = 1.90821492927058770002e-10
		p1      = 1.66666666666666657415e-01
		p2      = -2.77777777770155933842e-03
		p3      = 6.61375632143793436117e-05
		p4      = -1.65339022054652515390e-06
		p5      = 4.13813679705723846039e-08
	)
	n := int(x + 0.5)
	rest := float64(n) - x
	high, low := float64(rest*ln2High), -float64(rest*ln2Low)
	r := high - low
	t := float64(r * r)
	c := r - float64(t*(p1+float64(t*(p2+float64(t*(p3+float64(t*(p4+float64(t*p5)))))))))
	y := 1 - ((low - float64(r*c)/(2-c)) - high)
	return y * math.Float64frombits(uint64(1023-n)<<52)
}
