package fairshare

// blockRows is how many sums are kept at hand while the windows go by: they stay in the
// first cache.
const blockRows = 2048

// decayed sums what each credential has used, older windows decayed: the current window
// plus Σ usage·weight of the older ones, added in this order from the newest to the oldest
// as Maui's FSFactor is, so that the last bits agree. Windows without usage are nil.
func decayed(cells [][]float64, windows []Window, sums []float64) {
	var older [][]float64
	var weights []float64
	for k := 1; k < len(cells); k++ {
		if cells[k] != nil {
			older, weights = append(older, cells[k]), append(weights, windows[k].Weight)
		}
	}
	for from := 0; from < len(sums); from += blockRows {
		to := min(from+blockRows, len(sums))
		block := sums[from:to]
		k := 0
		for ; k+4 <= len(older); k += 4 {
			add4(block, older[k][from:to], older[k+1][from:to], older[k+2][from:to], older[k+3][from:to],
				weights[k], weights[k+1], weights[k+2], weights[k+3])
		}
		for ; k < len(older); k++ {
			add1(block, older[k][from:to], weights[k])
		}
		if cells[0] != nil {
			add1(block, cells[0][from:to], 1)
		}
	}
}

// add4 adds four windows in one pass over the sums, one after the other. The conversions keep
// processors from fusing a product with its sum, which would round differently.
func add4(sums, a, b, c, d []float64, wa, wb, wc, wd float64) {
	a, b, c, d = a[:len(sums)], b[:len(sums)], c[:len(sums)], d[:len(sums)]
	for i := range sums {
		s := sums[i] + float64(wa*a[i])
		s += float64(wb * b[i])
		s += float64(wc * c[i])
		sums[i] = s + float64(wd*d[i])
	}
}

func add1(sums, a []float64, wa float64) {
	a = a[:len(sums)]
	for i := range sums {
		sums[i] += float64(wa * a[i])
	}
}
