package vm

// The adapters give typed loops the common form, so that a kernel is a plain
// function over slices and the table of kernels stays a table. R is what a
// result is held as, T an argument.

type value interface{ float64 | int64 | uint8 }

// held is the slice of a register that holds values of type T.
func held[T value](v *vec) []T {
	if p, ok := any(&v.f).(*[]T); ok {
		return *p
	}
	if p, ok := any(&v.i).(*[]T); ok {
		return *p
	}
	return *any(&v.b).(*[]T)
}

func one[R, T value](l func(d []R, a []T)) loop {
	return func(fr *frame, s *step) bool {
		l(held[R](&fr.v[s.dst]), held[T](&fr.v[s.args[0]]))
		return false
	}
}

func two[R, T value](l func(d []R, a, b []T)) loop {
	return func(fr *frame, s *step) bool {
		l(held[R](&fr.v[s.dst]), held[T](&fr.v[s.args[0]]), held[T](&fr.v[s.args[1]]))
		return false
	}
}

// swapped makes a > b of b < a.
func swapped[R, T value](l func(d []R, a, b []T)) loop {
	return two(func(d []R, a, b []T) { l(d, b, a) })
}

// right and left take a scalar on that side.
func right[R, T value](l func(d []R, a []T, s T)) loop {
	return func(fr *frame, s *step) bool {
		l(held[R](&fr.v[s.dst]), held[T](&fr.v[s.args[0]]), held[T](&fr.v[s.args[1]])[0])
		return false
	}
}

func left[R, T value](l func(d []R, b []T, s T)) loop {
	return func(fr *frame, s *step) bool {
		l(held[R](&fr.v[s.dst]), held[T](&fr.v[s.args[1]]), held[T](&fr.v[s.args[0]])[0])
		return false
	}
}

// The try forms are for loops that may come upon a failure.

func tryOne[R, T value](l func(d []R, a []T) bool) loop {
	return func(fr *frame, s *step) bool { return l(held[R](&fr.v[s.dst]), held[T](&fr.v[s.args[0]])) }
}

func tryTwo[T value](l func(d, a, b []T) bool) loop {
	return func(fr *frame, s *step) bool {
		return l(held[T](&fr.v[s.dst]), held[T](&fr.v[s.args[0]]), held[T](&fr.v[s.args[1]]))
	}
}

func tryRight[T value](l func(d, a []T, s T) bool) loop {
	return func(fr *frame, s *step) bool {
		return l(held[T](&fr.v[s.dst]), held[T](&fr.v[s.args[0]]), held[T](&fr.v[s.args[1]])[0])
	}
}

func tryLeft[T value](l func(d, b []T, s T) bool) loop {
	return func(fr *frame, s *step) bool {
		return l(held[T](&fr.v[s.dst]), held[T](&fr.v[s.args[1]]), held[T](&fr.v[s.args[0]])[0])
	}
}

// each calls a function of the standard library, for what has no faster way.
func each(fn func(float64) float64) loop {
	return one(func(d, a []float64) {
		for i := range d {
			d[i] = fn(a[i])
		}
	})
}

func eachTwo(fn func(a, b float64) float64) loop {
	return two(func(d, a, b []float64) {
		for i := range d {
			d[i] = fn(a[i], b[i])
		}
	})
}

// failing makes the check of a function of one argument: fails gives the fault
// of an element.
func failing[T value](fails func(a T) fault) func(*frame, *step) {
	return func(fr *frame, s *step) {
		a := held[T](&fr.v[s.args[0]])
		for i := range fr.n {
			if f := fails(a[i]); f != faultNone {
				fr.fail(s, i, f)
			}
		}
	}
}

func failingTwo[T value](fails func(a, b T) fault) func(*frame, *step) {
	return func(fr *frame, s *step) {
		a, b := held[T](&fr.v[s.args[0]]), held[T](&fr.v[s.args[1]])
		for i := range fr.n {
			if f := fails(at(a, i), at(b, i)); f != faultNone {
				fr.fail(s, i, f)
			}
		}
	}
}

// exactly redoes every element the careful way and marks those that fail.
func exactly(careful func(a, b float64) (float64, fault)) func(*frame, *step) {
	return func(fr *frame, s *step) {
		d, a, b := fr.v[s.dst].f, fr.v[s.args[0]].f, fr.v[s.args[1]].f
		for i := range d {
			x, f := careful(at(a, i), at(b, i))
			d[i] = x
			if f != faultNone {
				fr.fail(s, i, f)
			}
		}
	}
}

// at reads element i of a vector or the one value of a scalar.
func at[T any](v []T, i int) T {
	if len(v) == 1 {
		return v[0]
	}
	return v[i]
}
