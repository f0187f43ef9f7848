package vm

import (
	"math"

	"github.com/fairway-sched/fairway/runtime/program"
)

// The steps of sums: they find operands and leave the work to the kernels.

// maxTerms is how many terms the longest kernels add.
const maxTerms = program.MaxTerms

// termArgs are the arguments of each term of a weighted sum: weight and factor, perhaps a cap.
var termArgs = map[string]int{program.OpCapSum: 3, program.OpWeighSum: 2}

// sum chooses what runs a sum; nil if nothing can.
func (m *Machine) sum(in *program.Instr) func(*frame, *step) {
	n, begins := len(in.Args), in.Op == program.OpTake
	switch {
	case n < 2 || m.storage(in.Dst) != program.Doubles:
		return nil
	case !begins && (m.storage(in.Args[0]) != program.Doubles || m.byEntry(in, in.Args[0])):
		return nil
	}
	switch in.Op {
	case program.OpTake:
		if n <= maxTerms && m.areTables(in, in.Args) {
			return takeAll
		}
	case program.OpTakeSum:
		if n <= maxTerms && m.areTables(in, in.Args[1:]) {
			return takeSums
		}
	default:
		if width := termArgs[in.Op]; (n-1)%width == 0 && n/width <= maxTerms {
			return m.weighedSum(in, width)
		}
	}
	return nil
}

// areTables reports doubles of dictionaries that rows look up.
func (m *Machine) areTables(in *program.Instr, regs []program.Reg) bool {
	for _, r := range regs {
		if m.storage(r) != program.Doubles || !m.byEntry(in, r) {
			return false
		}
	}
	return true
}

// weighedSum: several terms share a pass if weights and caps hold for the whole run and the factors are of one
// storage. A single one may have a weight of each dictionary entry, or weight and cap of its own in each row.
func (m *Machine) weighedSum(in *program.Instr, width int) func(*frame, *step) {
	terms := in.Args[1:]
	x := m.storage(terms[1])
	each := func(part int, is func(program.Reg) bool) bool {
		for i := part; part < width && i < len(terms); i += width {
			if !is(terms[i]) {
				return false
			}
		}
		return true
	}
	weight := func(r program.Reg) bool { return m.storage(r) == program.Doubles }
	bound := func(r program.Reg) bool { return m.storage(r) == program.Doubles && !m.byEntry(in, r) }
	factor := func(r program.Reg) bool { return m.storage(r) == x && !m.byEntry(in, r) }
	if !each(0, weight) || !each(1, factor) || !each(2, bound) {
		return nil
	}
	caps, single := each(2, m.once), len(terms) == width
	switch byEntry := m.byEntry(in, terms[0]); {
	case each(0, m.once) && caps:
		return forms(x, capSums[float64], capSums[int64])
	case single && byEntry && caps:
		return forms(x, entrySum[float64], entrySum[int64])
	case single && !byEntry:
		return forms(x, runCapSum, nil)
	}
	return nil
}

// forms chooses by how the factors are held.
func forms(x program.Storage, doubles, ints func(*frame, *step)) func(*frame, *step) {
	switch x {
	case program.Doubles:
		return doubles
	case program.Ints:
		return ints
	}
	return nil
}

// capSums adds columns with a weight and perhaps a cap each.
func capSums[T number](fr *frame, s *step) {
	d, acc := fr.v[s.dst].f, fr.v[s.args[0]].f
	var x [maxTerms][]T
	var w, c [maxTerms]float64
	capped, n := false, 0
	for width := s.width(fr); n*width+1 < len(s.args); n++ {
		term := s.args[n*width+1:][:width]
		w[n], x[n], c[n] = fr.v[term[0]].f[0], held[T](&fr.v[term[1]]), noCap[0]
		if width > 2 {
			c[n] = limit(fr.v[term[2]].f[0])
		}
		capped = capped || c[n] != noCap[0]
	}
	switch {
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
}

func (s *step) width(fr *frame) int { return termArgs[fr.run.m.prog.Instrs[s.instr].Op] }

// entrySum adds a column whose weight is a dictionary's value.
func entrySum[T number](fr *frame, s *step) {
	c := math.Inf(1)
	if len(s.args) > 3 {
		c = limit(fr.v[s.args[3]].f[0])
	}
	weight := s.args[1]
	capSumTake(fr.v[s.dst].f, fr.v[s.args[0]].f, held[T](&fr.v[s.args[2]]), fr.v[weight].f, fr.run.codes(weight, fr), c)
}

// takeSums adds dictionaries' values.
func takeSums(fr *frame, s *step) {
	d, acc := fr.v[s.dst].f, fr.v[s.args[0]].f
	t, k := fr.tables(s.args[1:])
	switch len(s.args) - 1 {
	case 1:
		takeSum1(d, acc, &t, &k)
	case 2:
		takeSum2(d, acc, &t, &k)
	case 3:
		takeSum3(d, acc, &t, &k)
	case 4:
		takeSum4(d, acc, &t, &k)
	}
}

// takeAll begins a sum with dictionaries' values.
func takeAll(fr *frame, s *step) {
	d := fr.v[s.dst].f
	t, k := fr.tables(s.args)
	switch len(s.args) {
	case 2:
		take2(d, &t, &k)
	case 3:
		take3(d, &t, &k)
	case 4:
		take4(d, &t, &k)
	case 5:
		take5(d, &t, &k)
	}
}

// tables are the values of dictionary registers and the rows' entries in them.
func (fr *frame) tables(regs []int32) (t [maxTerms][]float64, k [maxTerms][]uint32) {
	for i, r := range regs {
		t[i], k[i] = fr.v[r].f, fr.run.codes(r, fr)
	}
	return t, k
}
