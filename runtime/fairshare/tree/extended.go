package tree

import (
	"math"
	"math/bits"
)

// extended is a number as the x87 unit keeps a long double: 64 bits of mantissa,
// rounded to nearest, ties to even. Its exponent is wider, so nothing overflows.
// Zero has the mantissa 0; there are no infinities.
type extended struct {
	mantissa uint64 // the top bit is set unless zero
	exponent int32  // value = ±mantissa × 2^exponent
	negative bool
}

// extend converts a finite number, which loses nothing.
func extend(x float64) extended {
	if x == 0 {
		return extended{}
	}
	fraction, exponent := math.Frexp(math.Abs(x))
	return extended{uint64(math.Ldexp(fraction, 64-11)) << 11, int32(exponent) - 64, x < 0}
}

// float64 rounds once more, as a conversion of long double to double does.
func (a extended) float64() float64 {
	kept, lost := a.mantissa>>11, a.mantissa&(1<<11-1)
	const half = 1 << 10
	if lost > half || lost == half && kept&1 == 1 {
		kept++
	}
	x := math.Ldexp(float64(kept), int(a.exponent)+11)
	if a.negative {
		return -x
	}
	return x
}

// rounded is mantissa × 2^exponent with what lies below it: more or less than half
// of its last bit.
func rounded(mantissa uint64, exponent int32, negative bool, up, tie bool) extended {
	if up || tie && mantissa&1 == 1 {
		if mantissa++; mantissa == 0 {
			mantissa, exponent = 1<<63, exponent+1
		}
	}
	return extended{mantissa, exponent, negative}
}

// div is a/b; b is not zero.
func (a extended) div(b extended) extended {
	if a.mantissa == 0 {
		return extended{}
	}
	high, low, exponent := a.mantissa, uint64(0), a.exponent-b.exponent-64
	if a.mantissa >= b.mantissa { // else the quotient would need 65 bits
		high, low, exponent = a.mantissa>>1, a.mantissa<<63, exponent+1
	}
	quotient, rest := bits.Div64(high, low, b.mantissa)
	other := b.mantissa - rest // half of the divisor is where they are the same
	return rounded(quotient, exponent, a.negative != b.negative, rest > other, rest == other)
}

func (a extended) mul(b extended) extended {
	if a.mantissa == 0 || b.mantissa == 0 {
		return extended{}
	}
	high, low := bits.Mul64(a.mantissa, b.mantissa)
	exponent := a.exponent + b.exponent + 64
	if high>>63 == 0 {
		high, low, exponent = high<<1|low>>63, low<<1, exponent-1
	}
	return rounded(high, exponent, a.negative != b.negative, low > 1<<63, low == 1<<63)
}

// add works on 128 bits: 64 of the larger number, 64 below. What of the smaller one
// lies even lower only matters as being there.
func (a extended) add(b extended) extended {
	if a.mantissa == 0 {
		return b
	}
	if b.mantissa == 0 {
		return a
	}
	if a.exponent < b.exponent || a.exponent == b.exponent && a.mantissa < b.mantissa {
		a, b = b, a
	}
	high, low, sticky := shiftRight(b.mantissa, uint(a.exponent-b.exponent))
	exponent := a.exponent
	if a.negative == b.negative {
		sum, carry := bits.Add64(a.mantissa, high, 0)
		if carry == 1 { // then b was moved by less than 64, and the last bit of low is free
			low = low>>1 | sum<<63
			sum, exponent = sum>>1|1<<63, exponent+1
		}
		return rounded(sum, exponent, a.negative, low > 1<<63 || low == 1<<63 && sticky, low == 1<<63 && !sticky)
	}
	if sticky { // take one more away, and say that it is less than that
		var carry uint64
		low, carry = bits.Add64(low, 1, 0)
		high += carry
	}
	low, borrow := bits.Sub64(0, low, 0)
	high, _ = bits.Sub64(a.mantissa, high, borrow)
	if high == 0 && low == 0 {
		return extended{}
	}
	if high == 0 {
		high, low, exponent = low, 0, exponent-64
	}
	if n := bits.LeadingZeros64(high); n > 0 {
		high, low, exponent = high<<n|low>>(64-n), low<<n, exponent-int32(n)
	}
	return rounded(high, exponent, a.negative, low > 1<<63 || low == 1<<63 && sticky, low == 1<<63 && !sticky)
}

// shiftRight moves a mantissa down into 128 bits; sticky: something fell out.
func shiftRight(mantissa uint64, n uint) (high, low uint64, sticky bool) {
	switch {
	case n == 0:
		return mantissa, 0, false
	case n < 64:
		return mantissa >> n, mantissa << (64 - n), false
	case n == 64:
		return 0, mantissa, false
	case n < 128:
		return 0, mantissa >> (n - 64), mantissa<<(128-n) != 0
	}
	return 0, 0, true
}

func (a extended) neg() extended {
	a.negative = !a.negative && a.mantissa != 0
	return a
}

// cmp compares numbers that are not negative.
func (a extended) cmp(b extended) int {
	switch {
	case a == b:
		return 0
	case a.mantissa == 0 || b.mantissa != 0 &&
		(a.exponent < b.exponent || a.exponent == b.exponent && a.mantissa < b.mantissa):
		return -1
	}
	return 1
}
