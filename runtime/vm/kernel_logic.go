package vm

import "math"

func not(d, a []uint8) {
	a = a[:len(d)]
	for i := range d {
		d[i] = a[i] ^ 1
	}
}

// and: false on either side decides, else the first error is, else true.
func and(fr *frame, s *step) { decide(fr, s, 0) }

// or is and with true deciding.
func or(fr *frame, s *step) { decide(fr, s, 1) }

// decide computes the plain result first, which is right wherever nothing failed, and
// goes over the rows again only if something did.
func decide(fr *frame, s *step, decisive uint8) {
	va, vb := &fr.v[s.args[0]], &fr.v[s.args[1]]
	d := fr.v[s.dst].b
	a, b := va.b[:len(d)], vb.b[:len(d)]
	if decisive == 0 {
		for i := range d {
			d[i] = a[i] & b[i]
		}
	} else {
		for i := range d {
			d[i] = a[i] | b[i]
		}
	}
	if va.err == nil && vb.err == nil {
		return
	}
	for i := range d {
		ea, eb := errAt(va.err, i), errAt(vb.err, i)
		switch {
		case ea == 0 && a[i] == decisive, eb == 0 && b[i] == decisive:
			d[i] = decisive
		case ea != 0:
			fr.setErr(s, i, ea)
		case eb != 0:
			fr.setErr(s, i, eb)
		}
	}
}

// cond chooses element by element without a jump. Only the chosen side's error counts.
func cond(fr *frame, s *step) {
	vc, va, vb := &fr.v[s.args[0]], &fr.v[s.args[1]], &fr.v[s.args[2]]
	dst := &fr.v[s.dst]
	switch {
	case dst.f != nil:
		chooseDoubles(dst.f, vc.b, va.f, vb.f)
	case dst.i != nil:
		chooseInts(dst.i, vc.b, va.i, vb.i)
	default:
		chooseBools(dst.b, vc.b, va.b, vb.b)
	}
	if vc.err == nil && va.err == nil && vb.err == nil {
		return
	}
	for i := range fr.n {
		e := errAt(vc.err, i)
		switch {
		case e != 0:
		case at(vc.b, i) != 0:
			e = errAt(va.err, i)
		default:
			e = errAt(vb.err, i)
		}
		if e != 0 {
			fr.setErr(s, i, e)
		}
	}
}

// chooseDoubles selects by bits: −0.0 and NaN payloads pass unchanged. Two constants, the
// form of every condition that counts 1 or 0, are a table of two.
func chooseDoubles(d []float64, c []uint8, a, b []float64) {
	c = c[:len(d)]
	if len(a) == 1 && len(b) == 1 && len(d) > 1 {
		pair := [2]float64{b[0], a[0]}
		for i := range d {
			d[i] = pair[c[i]&1]
		}
		return
	}
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		x, y := math.Float64bits(a[i]), math.Float64bits(b[i])
		d[i] = math.Float64frombits(y ^ (x^y)&-uint64(c[i]))
	}
}

func chooseInts(d []int64, c []uint8, a, b []int64) {
	c, a, b = c[:len(d)], a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = b[i] ^ (a[i]^b[i])&-int64(c[i])
	}
}

func chooseBools(d, c, a, b []uint8) {
	c, a, b = c[:len(d)], a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = b[i] ^ (a[i]^b[i])&-c[i]
	}
}
