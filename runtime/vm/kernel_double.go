package vm

import (
	"math"

	"github.com/fairway-sched/fairway/lang/schema"
)

// Doubles. A product is always converted to float64 by name: without that, Go may
// fuse it with a following sum on some processors, and the last bit would depend on the machine.

func add(d, a, b []float64) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = a[i] + b[i]
	}
}

func addScalar(d, a []float64, s float64) {
	a = a[:len(d)]
	for i := range d {
		d[i] = a[i] + s
	}
}

func subtract(d, a, b []float64) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = a[i] - b[i]
	}
}

func subtractScalar(d, a []float64, s float64) {
	a = a[:len(d)]
	for i := range d {
		d[i] = a[i] - s
	}
}

func subtractFrom(d, b []float64, s float64) {
	b = b[:len(d)]
	for i := range d {
		d[i] = s - b[i]
	}
}

func multiply(d, a, b []float64) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = float64(a[i] * b[i])
	}
}

func multiplyScalar(d, a []float64, s float64) {
	a = a[:len(d)]
	for i := range d {
		d[i] = float64(a[i] * s)
	}
}

func divide(d, a, b []float64) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = a[i] / b[i]
	}
}

// divideScalar multiplies where that is the same: by the inverse of a power of two, which is exact.
func divideScalar(d, a []float64, s float64) {
	if fraction, exponent := math.Frexp(s); math.Abs(fraction) == 0.5 && exponent > -1000 && exponent < 1000 {
		multiplyScalar(d, a, 1/s)
		return
	}
	a = a[:len(d)]
	for i := range d {
		d[i] = a[i] / s
	}
}

func divideInto(d, b []float64, s float64) {
	b = b[:len(d)]
	for i := range d {
		d[i] = s / b[i]
	}
}

func negate(d, a []float64) {
	a = a[:len(d)]
	for i := range d {
		d[i] = -a[i]
	}
}

func abs(d, a []float64) {
	a = a[:len(d)]
	for i := range d {
		d[i] = math.Abs(a[i])
	}
}

func sqrt(d, a []float64) {
	a = a[:len(d)]
	for i := range d {
		d[i] = math.Sqrt(a[i])
	}
}

// powScalar is the power of all to one exponent. To a half it is the root of what is above zero and finite, as
// math.Pow has it; other numbers have rules of their own.
func powScalar(d, a []float64, s float64) {
	a = a[:len(d)]
	for i, x := range a {
		if s == 0.5 && x > 0 && x <= math.MaxFloat64 {
			d[i] = math.Sqrt(x)
		} else {
			d[i] = schema.Pow(x, s)
		}
	}
}
