package vm

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
