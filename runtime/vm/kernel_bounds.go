package vm

import "math"

// The smaller and the larger as cel-go has them: of equals the first is the
// result, and NaN is an error. The processor's own minimum is one instruction
// but takes −0.0 for smaller than +0.0 and lets NaN through; it differs for no other values, so
// a block that holds one of those is done again exactly.

func smaller(d, a, b []float64) bool {
	a, b = a[:len(d)], b[:len(d)]
	var odd uint8
	for i := range d {
		x, y := a[i], b[i]
		odd |= oddDouble(x) | oddDouble(y)
		d[i] = min(x, y)
	}
	return odd != 0
}

func smallerScalar(d, a []float64, s float64) bool {
	a = a[:len(d)]
	odd := oddDouble(s)
	for i := range d {
		x := a[i]
		odd |= oddDouble(x)
		d[i] = min(x, s)
	}
	return odd != 0
}

func larger(d, a, b []float64) bool {
	a, b = a[:len(d)], b[:len(d)]
	var odd uint8
	for i := range d {
		x, y := a[i], b[i]
		odd |= oddDouble(x) | oddDouble(y)
		d[i] = max(x, y)
	}
	return odd != 0
}

func largerScalar(d, a []float64, s float64) bool {
	a = a[:len(d)]
	odd := oddDouble(s)
	for i := range d {
		x := a[i]
		odd |= oddDouble(x)
		d[i] = max(x, s)
	}
	return odd != 0
}

const negativeZero = 1 << 63 // its bits

// oddDouble is 1 for NaN and −0.0. Shifting the sign out leaves NaNs above infinity; −0.0 is the
// one value whose bits are the sign alone.
func oddDouble(x float64) uint8 {
	const infinityShifted = 0x7FF << 53
	u := math.Float64bits(x)
	return bit(u == negativeZero) | bit(u<<1 > infinityShifted)
}

// smallerExact and largerExact are the definitions: the second only if it is really smaller.
func smallerExact(a, b float64) (float64, fault) {
	if b < a {
		return b, unordered(a, b)
	}
	return a, unordered(a, b)
}

func largerExact(a, b float64) (float64, fault) {
	if b > a {
		return b, unordered(a, b)
	}
	return a, unordered(a, b)
}

// unordered refuses NaN (cel-go ext/math.go asks Compare, which does).
func unordered(a, b float64) fault {
	if a != a || b != b {
		return faultNaN
	}
	return faultNone
}

func smallerInt(d, a, b []int64) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = min(a[i], b[i])
	}
}

func largerInt(d, a, b []int64) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = max(a[i], b[i])
	}
}

// clampLoop: at least low, then at most high. NaN stays NaN and a NaN bound bounds nothing.
func clampLoop(fr *frame, s *step) bool {
	d, a, low, high := fr.v[s.dst].f, fr.v[s.args[0]].f, fr.v[s.args[1]].f, fr.v[s.args[2]].f
	if len(low) == 1 && len(high) == 1 && !clampScalars(d, a, low[0], high[0]) {
		return false
	}
	for i := range d {
		d[i] = clamp(at(a, i), at(low, i), at(high, i))
	}
	return false
}

// clampScalars is for bounds that hold for the whole run. It reports whether it met a
// value that it may have got wrong: only −0.0 is, for NaN passes through both.
func clampScalars(d, a []float64, low, high float64) bool {
	if oddDouble(low)|oddDouble(high) != 0 {
		return true
	}
	a = a[:len(d)]
	var odd uint8
	for i := range d {
		x := a[i]
		odd |= bit(math.Float64bits(x) == negativeZero)
		d[i] = min(max(x, low), high)
	}
	return odd != 0
}

// clamp is the definition that the fast loop must equal.
func clamp(x, low, high float64) float64 {
	if x < low {
		x = low
	}
	if x > high {
		x = high
	}
	return x
}
