package vm

import "math"

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
