package vm

type ordered interface{ ~int64 | ~float64 | ~uint8 }

func lessVV[T ordered](d []uint8, a, b []T) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = bit(a[i] < b[i])
	}
}

func lessVS[T ordered](d []uint8, a []T, s T) {
	a = a[:len(d)]
	for i := range d {
		d[i] = bit(a[i] < s)
	}
}

func lessSV[T ordered](d []uint8, b []T, s T) {
	b = b[:len(d)]
	for i := range d {
		d[i] = bit(s < b[i])
	}
}

func lessEqualVV[T ordered](d []uint8, a, b []T) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = bit(a[i] <= b[i])
	}
}

func lessEqualVS[T ordered](d []uint8, a []T, s T) {
	a = a[:len(d)]
	for i := range d {
		d[i] = bit(a[i] <= s)
	}
}

func lessEqualSV[T ordered](d []uint8, b []T, s T) {
	b = b[:len(d)]
	for i := range d {
		d[i] = bit(s <= b[i])
	}
}

func equalVV[T ordered](d []uint8, a, b []T) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = bit(a[i] == b[i])
	}
}

func equalVS[T ordered](d []uint8, a []T, s T) {
	a = a[:len(d)]
	for i := range d {
		d[i] = bit(a[i] == s)
	}
}

func unequalVV[T ordered](d []uint8, a, b []T) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = bit(a[i] != b[i])
	}
}

func unequalVS[T ordered](d []uint8, a []T, s T) {
	a = a[:len(d)]
	for i := range d {
		d[i] = bit(a[i] != s)
	}
}

func hasNaN(a []float64) bool {
	var bad uint8
	for _, x := range a {
		bad |= bit(x != x)
	}
	return bad != 0
}

func unordered(a, b float64) fault {
	if a != a || b != b {
		return faultNaN
	}
	return faultNone
}
