package vm

import "math"

// Weighted, capped values and their sums: most of what a priority is. Every form adds
// in the declared order and rounds each product by itself, so all give the same
// bits. A cap that is not above zero is none, and no value is above infinity.

// limit turns "no cap" into a bound that nothing exceeds (Maui MPriority.c: a cap counts only
// above 0). Builtin min with it leaves NaN a NaN and −0.0 a −0.0.
func limit(c float64) float64 {
	if c > 0 {
		return c
	}
	return math.Inf(1)
}

// runCapMul computes w · min(cap, x) for any mix of scalars and vectors.
func runCapMul(fr *frame, s *step) {
	d, w, x := fr.v[s.dst].f, fr.v[s.args[0]].f, fr.v[s.args[1]].f
	x = x[:len(d)]
	caps := noCap
	if len(s.args) > 2 {
		caps = fr.v[s.args[2]].f
	}
	switch c := limit(at(caps, 0)); {
	case len(caps) > 1:
		for i := range d {
			d[i] = float64(at(w, i) * min(x[i], limit(caps[i])))
		}
	case len(w) == 1:
		k := w[0]
		for i := range d {
			d[i] = float64(k * min(x[i], c))
		}
	default:
		w = w[:len(d)]
		for i := range d {
			d[i] = float64(w[i] * min(x[i], c))
		}
	}
}

// runCapSum is runCapMul added to an accumulator.
func runCapSum(fr *frame, s *step) {
	d, acc, w, x := fr.v[s.dst].f, fr.v[s.args[0]].f, fr.v[s.args[1]].f, fr.v[s.args[2]].f
	acc, x = acc[:len(d)], x[:len(d)]
	caps := noCap
	if len(s.args) > 3 {
		caps = fr.v[s.args[3]].f
	}
	switch c := limit(at(caps, 0)); {
	case len(caps) > 1:
		for i := range d {
			d[i] = acc[i] + float64(at(w, i)*min(x[i], limit(caps[i])))
		}
	case len(w) == 1:
		capSum1(d, acc, x, w[0], c)
	default:
		w = w[:len(d)]
		for i := range d {
			d[i] = acc[i] + float64(w[i]*min(x[i], c))
		}
	}
}

var noCap = []float64{math.Inf(1)}

// capSum1 to capSum5 add several columns, doubles or ints, with one weight and one cap each.

type number interface{ float64 | int64 }

func capSum1[T number](d, acc []float64, x []T, w, c float64) {
	acc, x = acc[:len(d)], x[:len(d)]
	for i := range d {
		d[i] = acc[i] + float64(w*min(float64(x[i]), c))
	}
}

func capSum2[T number](d, acc []float64, x0, x1 []T, w, c *[maxTerms]float64) {
	acc, x0, x1 = acc[:len(d)], x0[:len(d)], x1[:len(d)]
	w0, w1, c0, c1 := w[0], w[1], c[0], c[1]
	for i := range d {
		t := acc[i] + float64(w0*min(float64(x0[i]), c0))
		d[i] = t + float64(w1*min(float64(x1[i]), c1))
	}
}

func capSum3[T number](d, acc []float64, x0, x1, x2 []T, w, c *[maxTerms]float64) {
	acc, x0, x1, x2 = acc[:len(d)], x0[:len(d)], x1[:len(d)], x2[:len(d)]
	w0, w1, w2, c0, c1, c2 := w[0], w[1], w[2], c[0], c[1], c[2]
	for i := range d {
		t := acc[i] + float64(w0*min(float64(x0[i]), c0))
		t += float64(w1 * min(float64(x1[i]), c1))
		d[i] = t + float64(w2*min(float64(x2[i]), c2))
	}
}

func capSum4[T number](d, acc []float64, x0, x1, x2, x3 []T, w, c *[maxTerms]float64) {
	acc, x0, x1, x2, x3 = acc[:len(d)], x0[:len(d)], x1[:len(d)], x2[:len(d)], x3[:len(d)]
	w0, w1, w2, w3, c0, c1, c2, c3 := w[0], w[1], w[2], w[3], c[0], c[1], c[2], c[3]
	for i := range d {
		t := acc[i] + float64(w0*min(float64(x0[i]), c0))
		t += float64(w1 * min(float64(x1[i]), c1))
		t += float64(w2 * min(float64(x2[i]), c2))
		d[i] = t + float64(w3*min(float64(x3[i]), c3))
	}
}

func capSum5[T number](d, acc []float64, x0, x1, x2, x3, x4 []T, w, c *[maxTerms]float64) {
	acc, x0, x1, x2, x3, x4 = acc[:len(d)], x0[:len(d)], x1[:len(d)], x2[:len(d)], x3[:len(d)], x4[:len(d)]
	w0, w1, w2, w3, w4, c0, c1, c2, c3, c4 := w[0], w[1], w[2], w[3], w[4], c[0], c[1], c[2], c[3], c[4]
	for i := range d {
		t := acc[i] + float64(w0*min(float64(x0[i]), c0))
		t += float64(w1 * min(float64(x1[i]), c1))
		t += float64(w2 * min(float64(x2[i]), c2))
		t += float64(w3 * min(float64(x3[i]), c3))
		d[i] = t + float64(w4*min(float64(x4[i]), c4))
	}
}

// capSumTake adds a column whose weight depends on the row's dictionary entry.
func capSumTake[T number](d, acc []float64, x []T, w []float64, k []uint32, c float64) {
	acc, x, k = acc[:len(d)], x[:len(d)], k[:len(d)]
	for i := range d {
		d[i] = acc[i] + float64(w[k[i]]*min(float64(x[i]), c))
	}
}

// takeSum1 to takeSum4 add values that were computed once per dictionary entry.

func takeSum1(d, acc []float64, t *[maxTerms][]float64, k *[maxTerms][]uint32) {
	t0, k0, acc := t[0], k[0][:len(d)], acc[:len(d)]
	for i := range d {
		d[i] = acc[i] + t0[k0[i]]
	}
}

func takeSum2(d, acc []float64, t *[maxTerms][]float64, k *[maxTerms][]uint32) {
	t0, t1, k0, k1, acc := t[0], t[1], k[0][:len(d)], k[1][:len(d)], acc[:len(d)]
	for i := range d {
		d[i] = acc[i] + t0[k0[i]] + t1[k1[i]]
	}
}

func takeSum3(d, acc []float64, t *[maxTerms][]float64, k *[maxTerms][]uint32) {
	t0, t1, t2, k0, k1, k2, acc := t[0], t[1], t[2], k[0][:len(d)], k[1][:len(d)], k[2][:len(d)], acc[:len(d)]
	for i := range d {
		d[i] = acc[i] + t0[k0[i]] + t1[k1[i]] + t2[k2[i]]
	}
}

func takeSum4(d, acc []float64, t *[maxTerms][]float64, k *[maxTerms][]uint32) {
	t0, t1, t2, t3, acc := t[0], t[1], t[2], t[3], acc[:len(d)]
	k0, k1, k2, k3 := k[0][:len(d)], k[1][:len(d)], k[2][:len(d)], k[3][:len(d)]
	for i := range d {
		d[i] = acc[i] + t0[k0[i]] + t1[k1[i]] + t2[k2[i]] + t3[k3[i]]
	}
}

// take2 to take5 begin a sum with such values.

func take2(d []float64, t *[maxTerms][]float64, k *[maxTerms][]uint32) {
	t0, t1, k0, k1 := t[0], t[1], k[0][:len(d)], k[1][:len(d)]
	for i := range d {
		d[i] = t0[k0[i]] + t1[k1[i]]
	}
}

func take3(d []float64, t *[maxTerms][]float64, k *[maxTerms][]uint32) {
	t0, t1, t2, k0, k1, k2 := t[0], t[1], t[2], k[0][:len(d)], k[1][:len(d)], k[2][:len(d)]
	for i := range d {
		d[i] = t0[k0[i]] + t1[k1[i]] + t2[k2[i]]
	}
}

func take4(d []float64, t *[maxTerms][]float64, k *[maxTerms][]uint32) {
	t0, t1, t2, t3 := t[0], t[1], t[2], t[3]
	k0, k1, k2, k3 := k[0][:len(d)], k[1][:len(d)], k[2][:len(d)], k[3][:len(d)]
	for i := range d {
		d[i] = t0[k0[i]] + t1[k1[i]] + t2[k2[i]] + t3[k3[i]]
	}
}

func take5(d []float64, t *[maxTerms][]float64, k *[maxTerms][]uint32) {
	t0, t1, t2, t3, t4 := t[0], t[1], t[2], t[3], t[4]
	k0, k1, k2, k3, k4 := k[0][:len(d)], k[1][:len(d)], k[2][:len(d)], k[3][:len(d)], k[4][:len(d)]
	for i := range d {
		d[i] = t0[k0[i]] + t1[k1[i]] + t2[k2[i]] + t3[k3[i]] + t4[k4[i]]
	}
}

// weigh1 to weigh5 are capSum1 to capSum5 without caps: what most sites write, and
// half the work.

func weigh1[T number](d, acc []float64, x []T, w float64) {
	acc, x = acc[:len(d)], x[:len(d)]
	for i := range d {
		d[i] = acc[i] + float64(w*float64(x[i]))
	}
}

func weigh2[T number](d, acc []float64, x0, x1 []T, w *[maxTerms]float64) {
	acc, x0, x1 = acc[:len(d)], x0[:len(d)], x1[:len(d)]
	w0, w1 := w[0], w[1]
	for i := range d {
		t := acc[i] + float64(w0*float64(x0[i]))
		d[i] = t + float64(w1*float64(x1[i]))
	}
}

func weigh3[T number](d, acc []float64, x0, x1, x2 []T, w *[maxTerms]float64) {
	acc, x0, x1, x2 = acc[:len(d)], x0[:len(d)], x1[:len(d)], x2[:len(d)]
	w0, w1, w2 := w[0], w[1], w[2]
	for i := range d {
		t := acc[i] + float64(w0*float64(x0[i]))
		t += float64(w1 * float64(x1[i]))
		d[i] = t + float64(w2*float64(x2[i]))
	}
}

func weigh4[T number](d, acc []float64, x0, x1, x2, x3 []T, w *[maxTerms]float64) {
	acc, x0, x1, x2, x3 = acc[:len(d)], x0[:len(d)], x1[:len(d)], x2[:len(d)], x3[:len(d)]
	w0, w1, w2, w3 := w[0], w[1], w[2], w[3]
	for i := range d {
		t := acc[i] + float64(w0*float64(x0[i]))
		t += float64(w1 * float64(x1[i]))
		t += float64(w2 * float64(x2[i]))
		d[i] = t + float64(w3*float64(x3[i]))
	}
}

func weigh5[T number](d, acc []float64, x0, x1, x2, x3, x4 []T, w *[maxTerms]float64) {
	acc, x0, x1, x2, x3, x4 = acc[:len(d)], x0[:len(d)], x1[:len(d)], x2[:len(d)], x3[:len(d)], x4[:len(d)]
	w0, w1, w2, w3, w4 := w[0], w[1], w[2], w[3], w[4]
	for i := range d {
		t := acc[i] + float64(w0*float64(x0[i]))
		t += float64(w1 * float64(x1[i]))
		t += float64(w2 * float64(x2[i]))
		t += float64(w3 * float64(x3[i]))
		d[i] = t + float64(w4*float64(x4[i]))
	}
}
