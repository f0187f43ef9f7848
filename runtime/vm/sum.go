package vm

// The steps of merged sums: they find operands and leave the work to the kernels.

// capSums adds columns with a weight and perhaps a cap each.
func capSums[T number](fr *frame, s *step) {
	d, acc := fr.v[s.dst].f, fr.v[s.args[0]].f
	var x [maxTerms][]T
	var w, c [maxTerms]float64
	capped := false
	for i := range s.terms {
		t := &s.terms[i]
		x[i], w[i], c[i] = held[T](&fr.v[t.x]), fr.v[t.weight].f[0], fr.capOf(t)
		capped = capped || c[i] != noCap[0]
	}
	switch n := len(s.terms); {
	case !capped && n == 1:
		weigh1(d, acc, x[0], w[0])
	case !capped && n == 2:
		weigh2(d, acc, x[0], x[1], &w)
	case !capped && n == 3:
		weigh3(d, acc, x[0], x[1], x[2], &w)
	case !capped && n == 4:
		weigh4(d, acc, x[0], x[1], x[2], x[3], &w)
	case !capped:
		weigh5(d, acc, x[0], x[1], x[2], x[3], x[4], &w)
	case n == 1:
		capSum1(d, acc, x[0], w[0], c[0])
	case n == 2:
		capSum2(d, acc, x[0], x[1], &w, &c)
	case n == 3:
		capSum3(d, acc, x[0], x[1], x[2], &w, &c)
	case n == 4:
		capSum4(d, acc, x[0], x[1], x[2], x[3], &w, &c)
	default:
		capSum5(d, acc, x[0], x[1], x[2], x[3], x[4], &w, &c)
	}
	fr.sumErrs(s)
}

// weightedSum adds a column whose weight is a dictionary's value.
func weightedSum[T number](fr *frame, s *step) {
	t := &s.terms[0]
	capSumTake(fr.v[s.dst].f, fr.v[s.args[0]].f, held[T](&fr.v[t.x]), fr.v[t.weight].f, fr.run.codes(t.weight, fr), fr.capOf(t))
	fr.sumErrs(s)
}

// takeSums adds dictionaries' values, or begins a sum with them.
func takeSums(fr *frame, s *step) {
	d := fr.v[s.dst].f
	var t [maxTerms][]float64
	var k [maxTerms][]uint32
	for i, term := range s.terms {
		t[i], k[i] = fr.v[term.x].f, fr.run.codes(term.x, fr)
	}
	if s.begins() {
		switch len(s.terms) {
		case 2:
			take2(d, &t, &k)
		case 3:
			take3(d, &t, &k)
		case 4:
			take4(d, &t, &k)
		case 5:
			take5(d, &t, &k)
		}
		fr.sumErrs(s)
		return
	}
	switch acc := fr.v[s.args[0]].f; len(s.terms) {
	case 1:
		takeSum1(d, acc, &t, &k)
	case 2:
		takeSum2(d, acc, &t, &k)
	case 3:
		takeSum3(d, acc, &t, &k)
	case 4:
		takeSum4(d, acc, &t, &k)
	}
	fr.sumErrs(s)
}

// begins reports a pass without an accumulator: its first term stands for it.
func (s *step) begins() bool { return s.terms[0].dst == noVec }

func (fr *frame) capOf(t *sumTerm) float64 {
	if t.cap == noVec {
		return noCap[0]
	}
	return limit(fr.v[t.cap].f[0])
}

// sumErrs gives a merged sum the first error of accumulator and terms, in order.
func (fr *frame) sumErrs(s *step) {
	if !s.begins() {
		fr.markRows(s, s.args[0])
	}
	for i := range s.terms {
		switch t := &s.terms[i]; t.kind {
		case byEntry:
			fr.markEntries(s, t.x)
		case weighted, weightedInts:
			fr.markEntries(s, t.weight)
			fr.markRows(s, t.x)
			fr.markCap(s, t)
		default:
			fr.markRows(s, t.weight)
			fr.markRows(s, t.x)
			fr.markCap(s, t)
		}
	}
}

func (fr *frame) markRows(s *step, operand int32) {
	if err := fr.v[operand].err; err != nil {
		for i := range fr.n {
			if e := errAt(err, i); e != 0 {
				fr.setErr(s, i, e)
			}
		}
	}
}

func (fr *frame) markEntries(s *step, table int32) {
	if err := fr.v[table].err; err != nil {
		for i, code := range fr.run.codes(table, fr) {
			if e := err[code]; e != 0 {
				fr.setErr(s, i, e)
			}
		}
	}
}

func (fr *frame) markCap(s *step, t *sumTerm) {
	if t.cap != noVec {
		fr.markRows(s, t.cap)
	}
}
