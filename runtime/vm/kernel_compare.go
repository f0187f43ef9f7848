package vm

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
