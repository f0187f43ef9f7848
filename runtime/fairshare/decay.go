package fairshare

// blockRows is how many sums are kept at hand while the windows go by: they stay in the
// first cache.
const blockRows = 2048

// decay sums up what one kind of credential has used, older windows decayed: the current window
// plus Σ usage·weight of the older ones, added in this order from the newest to the oldest
// as Maui's FSFactor is, so that the last bits agree.
type decay struct {
	cells   [][]float64 // of the windows with usage, the current one last; as many as a multiple of sumWindows
	weights []float64
}

// sumWindows is how many windows are summed in one go.
const sumWindows = 8

func newDecay(cells [][]float64, windows []Window) decay {
	var d decay
	add := func(cells []float64, weight float64) {
		if cells != nil {
			d.cells, d.weights = append(d.cells, cells), append(d.weights, weight)
		}
	}
	for k := 1; k < len(cells); k++ {
		add(cells[k], windows[k].Weight)
	}
	add(cells[0], 1)
	for len(d.cells)%sumWindows > 0 {
		add(d.cells[0], 0) // adds nothing
	}
	return d
}

// sum sums the usage of the credentials from one on.
func (d *decay) sum(sums []float64, from int) {
	clear(sums)
	for k := 0; k < len(d.cells); k += sumWindows {
		add(sums, d.cells[k:k+sumWindows], d.weights[k:k+sumWindows], from)
	}
}

// add adds windows one after the other. The conversions keep processors from fusing a product with its
// sum, which would round differently.
func add(sums []float64, cells [][]float64, weights []float64, from int) {
	at := func(k int) []float64 { return cells[k][from:][:len(sums)] }
	a, b, c, d, e, f, g, h := at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7)
	w := (*[sumWindows]float64)(weights)
	wa, wb, wc, wd, we, wf, wg, wh := w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7]
	for i, s := range sums {
		s += float64(wa * a[i])
		s += float64(wb * b[i])
		s += float64(wc * c[i])
		s += float64(wd * d[i])
		s += float64(we * e[i])
		s += float64(wf * f[i])
		s += float64(wg * g[i])
		sums[i] = s + float64(wh*h[i])
	}
}
