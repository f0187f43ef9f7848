package tree

import "math"

// networkSize is how many keys one network sorts.
const networkSize = 8

// sortShort sorts the first n keys, which are below 1<<63, by networks: sequences of comparisons that are the
// same whatever the order is, so that a processor has nothing to guess. The order of levels is
// anybody's guess.
func sortShort(keys *[shortLevel + networkSize]uint64, n int) {
	size := networkSize
	for size < n {
		size *= 2
	}
	const last = math.MaxInt64
	*(*[networkSize]uint64)(keys[n:]) = [networkSize]uint64{last, last, last, last, last, last, last, last}
	for k := n + networkSize; k < size; k++ {
		keys[k] = last
	}
	for k := 0; k < size; k += networkSize {
		sortEight((*[networkSize]uint64)(keys[k:]))
	}
	for sorted := networkSize; sorted < size; sorted *= 2 {
		for k := 0; k < size; k += 2 * sorted {
			mergeHalves(keys[k : k+2*sorted])
		}
	}
}

// sortEight is Batcher's odd-even merge sort of eight.
func sortEight(keys *[networkSize]uint64) {
	a, b, c, d, e, f, g, h := keys[0], keys[1], keys[2], keys[3], keys[4], keys[5], keys[6], keys[7]
	a, b = min(a, b), max(a, b)
	c, d = min(c, d), max(c, d)
	e, f = min(e, f), max(e, f)
	g, h = min(g, h), max(g, h)

	a, c = min(a, c), max(a, c)
	b, d = min(b, d), max(b, d)
	e, g = min(e, g), max(e, g)
	f, h = min(f, h), max(f, h)
	b, c = min(b, c), max(b, c)
	f, g = min(f, g), max(f, g)

	a, e = min(a, e), max(a, e)
	b, f = min(b, f), max(b, f)
	c, g = min(c, g), max(c, g)
	d, h = min(d, h), max(d, h)
	c, e = min(c, e), max(c, e)
	d, f = min(d, f), max(d, f)
	b, c = min(b, c), max(b, c)
	d, e = min(d, e), max(d, e)
	f, g = min(f, g), max(f, g)
	// One by one: as an array they would go through memory once more.
	keys[0], keys[1], keys[2], keys[3], keys[4], keys[5], keys[6], keys[7] = a, b, c, d, e, f, g, h
}

// mergeHalves sorts keys whose halves are sorted, by Batcher's bitonic merge: the first half against
// the second one backwards, then halves of halves.
func mergeHalves(keys []uint64) {
	low, high := keys[:len(keys)/2], keys[len(keys)/2:]
	for k, other := 0, len(high)-1; k < len(low); k, other = k+1, other-1 {
		low[k], high[other] = min(low[k], high[other]), max(low[k], high[other])
	}
	for part := len(low); part > networkSize; part /= 2 {
		for k := 0; k < len(keys); k += part {
			low, high := keys[k:k+part/2], keys[k+part/2:k+part]
			for i := range low {
				low[i], high[i] = min(low[i], high[i]), max(low[i], high[i])
			}
		}
	}
	for k := 0; k < len(keys); k += networkSize {
		mergeEight((*[networkSize]uint64)(keys[k:]))
	}
}

// mergeEight is the end of a bitonic merge.
func mergeEight(keys *[networkSize]uint64) {
	a, b, c, d, e, f, g, h := keys[0], keys[1], keys[2], keys[3], keys[4], keys[5], keys[6], keys[7]
	a, e = min(a, e), max(a, e)
	b, f = min(b, f), max(b, f)
	c, g = min(c, g), max(c, g)
	d, h = min(d, h), max(d, h)

	a, c = min(a, c), max(a, c)
	b, d = min(b, d), max(b, d)
	e, g = min(e, g), max(e, g)
	f, h = min(f, h), max(f, h)

	a, b = min(a, b), max(a, b)
	c, d = min(c, d), max(c, d)
	e, f = min(e, f), max(e, f)
	g, h = min(g, h), max(g, h)
	keys[0], keys[1], keys[2], keys[3], keys[4], keys[5], keys[6], keys[7] = a, b, c, d, e, f, g, h
}
