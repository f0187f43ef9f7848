package vm

// The adapters give typed loops the common form, so that a kernel is a plain
// function over slices and the table of kernels stays a table.

func doubles1(l func(d, a []float64)) loop {
	return func(fr *frame, s *step) bool { l(fr.v[s.dst].f, fr.v[s.args[0]].f); return false }
}

func doubles2(l func(d, a, b []float64)) loop {
	return func(fr *frame, s *step) bool {
		l(fr.v[s.dst].f, fr.v[s.args[0]].f, fr.v[s.args[1]].f)
		return false
	}
}

func doublesVS(l func(d, a []float64, s float64)) loop {
	return func(fr *frame, s *step) bool {
		l(fr.v[s.dst].f, fr.v[s.args[0]].f, fr.v[s.args[1]].f[0])
		return false
	}
}

func doublesSV(l func(d, b []float64, s float64)) loop {
	return func(fr *frame, s *step) bool {
		l(fr.v[s.dst].f, fr.v[s.args[1]].f, fr.v[s.args[0]].f[0])
		return false
	}
}

func doubles2Suspect(l func(d, a, b []float64) bool) loop {
	return func(fr *frame, s *step) bool {
		return l(fr.v[s.dst].f, fr.v[s.args[0]].f, fr.v[s.args[1]].f)
	}
}

func doublesVSSuspect(l func(d, a []float64, s float64) bool) loop {
	return func(fr *frame, s *step) bool {
		return l(fr.v[s.dst].f, fr.v[s.args[0]].f, fr.v[s.args[1]].f[0])
	}
}

func ints1(l func(d, a []int64) bool) loop {
	return func(fr *frame, s *step) bool { return l(fr.v[s.dst].i, fr.v[s.args[0]].i) }
}

func ints2(l func(d, a, b []int64) bool) loop {
	return func(fr *frame, s *step) bool {
		return l(fr.v[s.dst].i, fr.v[s.args[0]].i, fr.v[s.args[1]].i)
	}
}

func intsVS(l func(d, a []int64, s int64) bool) loop {
	return func(fr *frame, s *step) bool {
		return l(fr.v[s.dst].i, fr.v[s.args[0]].i, fr.v[s.args[1]].i[0])
	}
}

func intsSV(l func(d, b []int64, s int64) bool) loop {
	return func(fr *frame, s *step) bool {
		return l(fr.v[s.dst].i, fr.v[s.args[1]].i, fr.v[s.args[0]].i[0])
	}
}

// intOrder compares; swapped makes a > b of b < a.
func intOrder(l func(d []uint8, a, b []int64), swapped bool) loop {
	return func(fr *frame, s *step) bool {
		a, b := fr.v[s.args[0]].i, fr.v[s.args[1]].i
		if swapped {
			a, b = b, a
		}
		l(fr.v[s.dst].b, a, b)
		return false
	}
}

func intOrderVS(l func(d []uint8, a []int64, s int64)) loop {
	return func(fr *frame, s *step) bool {
		l(fr.v[s.dst].b, fr.v[s.args[0]].i, fr.v[s.args[1]].i[0])
		return false
	}
}

func intOrderSV(l func(d []uint8, b []int64, s int64)) loop {
	return func(fr *frame, s *step) bool {
		l(fr.v[s.dst].b, fr.v[s.args[1]].i, fr.v[s.args[0]].i[0])
		return false
	}
}

// doubleOrder compares and suspects when a NaN is about, which has no order in CEL.
func doubleOrder(l func(d []uint8, a, b []float64), swapped bool) loop {
	return func(fr *frame, s *step) bool {
		a, b := fr.v[s.args[0]].f, fr.v[s.args[1]].f
		if swapped {
			a, b = b, a
		}
		d := fr.v[s.dst].b
		l(d, a, b)
		return hasNaN(a[:len(d)]) || hasNaN(b[:len(d)])
	}
}

func doubleOrderVS(l func(d []uint8, a []float64, s float64)) loop {
	return func(fr *frame, s *step) bool {
		d, a, k := fr.v[s.dst].b, fr.v[s.args[0]].f, fr.v[s.args[1]].f[0]
		l(d, a, k)
		return k != k || hasNaN(a[:len(d)])
	}
}

func doubleOrderSV(l func(d []uint8, b []float64, s float64)) loop {
	return func(fr *frame, s *step) bool {
		d, k, b := fr.v[s.dst].b, fr.v[s.args[0]].f[0], fr.v[s.args[1]].f
		l(d, b, k)
		return k != k || hasNaN(b[:len(d)])
	}
}

func doubleEqual(l func(d []uint8, a, b []float64)) loop {
	return func(fr *frame, s *step) bool {
		l(fr.v[s.dst].b, fr.v[s.args[0]].f, fr.v[s.args[1]].f)
		return false
	}
}

func doubleEqualVS(l func(d []uint8, a []float64, s float64)) loop {
	return func(fr *frame, s *step) bool {
		l(fr.v[s.dst].b, fr.v[s.args[0]].f, fr.v[s.args[1]].f[0])
		return false
	}
}

func doubleEqualSV(l func(d []uint8, b []float64, s float64)) loop {
	return func(fr *frame, s *step) bool {
		l(fr.v[s.dst].b, fr.v[s.args[1]].f, fr.v[s.args[0]].f[0])
		return false
	}
}

func boolEqual(l func(d, a, b []uint8)) loop {
	return func(fr *frame, s *step) bool {
		l(fr.v[s.dst].b, fr.v[s.args[0]].b, fr.v[s.args[1]].b)
		return false
	}
}

func each(fn func(float64) float64) loop {
	return func(fr *frame, s *step) bool {
		d, a := fr.v[s.dst].f, fr.v[s.args[0]].f
		a = a[:len(d)]
		for i := range d {
			d[i] = fn(a[i])
		}
		return false
	}
}

func each2(fn func(a, b float64) float64) loop {
	return func(fr *frame, s *step) bool {
		d, a, b := fr.v[s.dst].f, fr.v[s.args[0]].f, fr.v[s.args[1]].f
		a, b = a[:len(d)], b[:len(d)]
		for i := range d {
			d[i] = fn(a[i], b[i])
		}
		return false
	}
}

// failing1 makes the check of a function of one argument: fails gives the fault
// of an element, faultNone for none.
func failing1[T float64 | int64](fails func(a T) fault) func(*frame, *step) {
	return func(fr *frame, s *step) {
		a := values[T](&fr.v[s.args[0]])
		for i := range fr.n {
			if f := fails(a[i]); f != faultNone {
				fr.fail(s, i, f)
			}
		}
	}
}

func failing2[T float64 | int64](fails func(a, b T) fault) func(*frame, *step) {
	return func(fr *frame, s *step) {
		a, b := values[T](&fr.v[s.args[0]]), values[T](&fr.v[s.args[1]])
		for i := range fr.n {
			if f := fails(at(a, i), at(b, i)); f != faultNone {
				fr.fail(s, i, f)
			}
		}
	}
}

// exact2 redoes every element the careful way and marks those that fail.
func exact2(one func(a, b float64) (float64, fault)) func(*frame, *step) {
	return func(fr *frame, s *step) {
		d, a, b := fr.v[s.dst].f, fr.v[s.args[0]].f, fr.v[s.args[1]].f
		for i := range d {
			x, f := one(at(a, i), at(b, i))
			d[i] = x
			if f != faultNone {
				fr.fail(s, i, f)
			}
		}
	}
}

func values[T float64 | int64](v *vec) []T {
	if x, ok := any(v.f).([]T); ok {
		return x
	}
	return any(v.i).([]T)
}

// at reads element i of a vector or the one value of a scalar.
func at[T any](v []T, i int) T {
	if len(v) == 1 {
		return v[0]
	}
	return v[i]
}
