package vm

import "math"

// Comparisons with NaN are false, != is true: what the processor does is what cel-go
// does (common/stdlib/standard.go).

func less[T value](d []uint8, a, b []T) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = bit(a[i] < b[i])
	}
}

func lessScalar[T value](d []uint8, a []T, s T) {
	a = a[:len(d)]
	for i := range d {
		d[i] = bit(a[i] < s)
	}
}

func scalarLess[T value](d []uint8, b []T, s T) {
	b = b[:len(d)]
	for i := range d {
		d[i] = bit(s < b[i])
	}
}

func lessEqual[T value](d []uint8, a, b []T) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = bit(a[i] <= b[i])
	}
}

func lessEqualScalar[T value](d []uint8, a []T, s T) {
	a = a[:len(d)]
	for i := range d {
		d[i] = bit(a[i] <= s)
	}
}

func scalarLessEqual[T value](d []uint8, b []T, s T) {
	b = b[:len(d)]
	for i := range d {
		d[i] = bit(s <= b[i])
	}
}

func equal[T value](d []uint8, a, b []T) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = bit(a[i] == b[i])
	}
}

func equalScalar[T value](d []uint8, a []T, s T) {
	a = a[:len(d)]
	for i := range d {
		d[i] = bit(a[i] == s)
	}
}

func unequal[T value](d []uint8, a, b []T) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = bit(a[i] != b[i])
	}
}

func unequalScalar[T value](d []uint8, a []T, s T) {
	a = a[:len(d)]
	for i := range d {
		d[i] = bit(a[i] != s)
	}
}

func toDouble(d []float64, a []int64) {
	a = a[:len(d)]
	for i := range d {
		d[i] = float64(a[i])
	}
}

func toInt(d []int64, a []float64) bool {
	a = a[:len(d)]
	var bad uint8
	for i := range d {
		x := a[i]
		bad |= bit(!(x > math.MinInt64 && x < math.MaxInt64))
		d[i] = int64(x)
	}
	return bad != 0
}

// truncateFails: cel-go refuses both ends of the range, −2^63 included.
func truncateFails(a float64) fault {
	if !(a > math.MinInt64 && a < math.MaxInt64) {
		return faultOverflow
	}
	return faultNone
}

// bit is 1 for true; the compiler makes it a flag, not a jump.
func bit(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}
