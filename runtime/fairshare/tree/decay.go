package tree

import "math"

// ln2Short is the logarithm of 2 as priority_multifactor.c has it. Together with
// cutting the exponential after its first term it leaves 0.50007 after a half-life of
// a week and 0.49806 after one of a minute.
const ln2Short = 0.693

// smallestNormal is DBL_MIN: a longer pause decays usage no further than this.
const smallestNormal = 0x1p-1022

// DecayPerSecond is what is left of usage after a second. A half-life of 0
// (PriorityDecayHalfLife=0) is no decay.
func DecayPerSecond(halfLifeSeconds int64) float64 {
	if halfLifeSeconds <= 0 {
		return 1
	}
	return 1 - ln2Short/float64(halfLifeSeconds)
}

// DecayFactor is what is left after some seconds. Time that runs backwards decays
// nothing.
func DecayFactor(halfLifeSeconds, elapsedSeconds int64) float64 {
	if elapsedSeconds <= 0 {
		return 1
	}
	return max(power(DecayPerSecond(halfLifeSeconds), elapsedSeconds), smallestNormal)
}

// Decay is what is left after some seconds.
func (c *Clock) Decay(elapsedSeconds int64) float64 {
	if c.Exact && c.HalfLifeSeconds > 0 && elapsedSeconds > 0 {
		return max(math.Exp2(-float64(elapsedSeconds)/float64(c.HalfLifeSeconds)), smallestNormal)
	}
	return DecayFactor(c.HalfLifeSeconds, elapsedSeconds)
}

// power is x to the n-th, rounded once, as the C library's pow: over a million
// seconds the rounding of each squaring would add up to what state files show.
// hi + lo carry twice the digits.
func power(x float64, n int64) float64 {
	result, square := [2]float64{1, 0}, [2]float64{x, 0}
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			result = multiply(result, square)
		}
		square = multiply(square, square)
	}
	return result[0]
}

func multiply(a, b [2]float64) [2]float64 {
	hi := a[0] * b[0]
	lo := math.FMA(a[0], b[0], -hi) + (float64(a[0]*b[1]) + float64(a[1]*b[0]))
	sum := hi + lo
	return [2]float64{sum, lo - (sum - hi)}
}

// Decay multiplies everything that is not kept; keep is by row, nil keeps nothing.
// QOS with the flag NoDecay are kept, associations never.
func (u *Usage) Decay(factor float64, keep []bool) {
	u.columns(func(column []float64) {
		if keep == nil {
			for i := range column {
				column[i] *= factor
			}
			return
		}
		for i := range column {
			if !keep[i] {
				column[i] *= factor
			}
		}
	})
}

// Clear sets all usage to zero, that of NoDecay QOS too.
func (u *Usage) Clear() { u.columns(func(column []float64) { clear(column) }) }

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
