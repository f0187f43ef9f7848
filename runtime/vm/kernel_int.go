package vm

import (
	"math"
	"math/bits"
)

// Ints. Each loop gathers in one word whether anything overflowed, which costs
// next to nothing; only then is the block looked at element by element.

// A sum overflows when both sides have the sign that the result has not.
func addInt(d, a, b []int64) bool {
	a, b = a[:len(d)], b[:len(d)]
	var over int64
	for i := range d {
		x, y := a[i], b[i]
		r := x + y
		over |= (x ^ r) & (y ^ r)
		d[i] = r
	}
	return over < 0
}

func addIntScalar(d, a []int64, s int64) bool {
	a = a[:len(d)]
	var over int64
	for i := range d {
		x := a[i]
		r := x + s
		over |= (x ^ r) & (s ^ r)
		d[i] = r
	}
	return over < 0
}

func addFails(a, b int64) fault {
	if r := a + b; (a^r)&(b^r) < 0 {
		return faultOverflow
	}
	return faultNone
}

// A difference overflows when the sides differ in sign and the result left the first's.
func subtractInt(d, a, b []int64) bool {
	a, b = a[:len(d)], b[:len(d)]
	var over int64
	for i := range d {
		x, y := a[i], b[i]
		r := x - y
		over |= (x ^ y) & (x ^ r)
		d[i] = r
	}
	return over < 0
}

func subtractFails(a, b int64) fault {
	if r := a - b; (a^b)&(a^r) < 0 {
		return faultOverflow
	}
	return faultNone
}

func multiplyInt(d, a, b []int64) bool {
	a, b = a[:len(d)], b[:len(d)]
	var over uint64
	for i := range d {
		high, low := multiply128(a[i], b[i])
		// It fits when the upper half is nothing but the lower half's sign.
		over |= high ^ uint64(int64(low)>>63)
		d[i] = int64(low)
	}
	return over != 0
}

// multiply128 is the signed product: the unsigned one with its upper half corrected.
func multiply128(a, b int64) (high, low uint64) {
	high, low = bits.Mul64(uint64(a), uint64(b))
	high -= uint64(a>>63&b) + uint64(b>>63&a)
	return high, low
}

func multiplyFails(a, b int64) fault {
	if high, low := multiply128(a, b); high != uint64(int64(low)>>63) {
		return faultOverflow
	}
	return faultNone
}

// The divisor decides, so this loop has to branch; a division costs more than that.
func divideInt(d, a, b []int64) bool {
	a, b = a[:len(d)], b[:len(d)]
	bad := false
	for i := range d {
		if b[i] == 0 {
			bad, d[i] = true, 0
			continue
		}
		bad = bad || (b[i] == -1 && a[i] == math.MinInt64)
		d[i] = a[i] / b[i]
	}
	return bad
}

func divideFails(a, b int64) fault {
	switch {
	case b == 0:
		return faultDivision
	case b == -1 && a == math.MinInt64:
		return faultOverflow
	}
	return faultNone
}

func moduloInt(d, a, b []int64) bool {
	a, b = a[:len(d)], b[:len(d)]
	bad := false
	for i := range d {
		if b[i] == 0 {
			bad, d[i] = true, 0
			continue
		}
		bad = bad || (b[i] == -1 && a[i] == math.MinInt64)
		d[i] = a[i] % b[i]
	}
	return bad
}

// moduloFails: the smallest int by −1 overflows in CEL although its remainder is 0.
func moduloFails(a, b int64) fault {
	switch {
	case b == 0:
		return faultModulus
	case b == -1 && a == math.MinInt64:
		return faultOverflow
	}
	return faultNone
}

func negateInt(d, a []int64) bool {
	a = a[:len(d)]
	var over uint8
	for i := range d {
		over |= bit(a[i] == math.MinInt64)
		d[i] = -a[i]
	}
	return over != 0
}

func absInt(d, a []int64) bool {
	a = a[:len(d)]
	var over uint8
	for i := range d {
		x := a[i]
		over |= bit(x == math.MinInt64)
		sign := x >> 63
		d[i] = (x ^ sign) - sign
	}
	return over != 0
}

// smallestFails: the smallest int has no counterpart above zero.
func smallestFails(a int64) fault {
	if a == math.MinInt64 {
		return faultOverflow
	}
	return faultNone
}
