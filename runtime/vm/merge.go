package vm

import (
	"slices"

	"github.com/fairway-sched/fairway/runtime/program"
)

// maxTerms is how many terms one pass over a block adds. More would run out of
// processor registers for the weights and caps.
const maxTerms = 4

// sumTerm is one term of a merged sum: a column with weight and cap, or a dictionary's
// values.
type sumTerm struct {
	dst    int32 // the register of the sum up to here
	x      int32 // the factor; for a table the dictionary register
	weight int32
	cap    int32 // noVec: none
	table  bool
}

const noVec int32 = -1

// chain is a sum in the making: accumulator + terms, in declared order.
type chain struct {
	start step // first link, for instruction and shape
	acc   int32
	terms []sumTerm
	last  int // position of the last link
}

// merge turns runs of additions to one accumulator into single passes. The sums keep their
// order, so the bits stay; what is saved is writing and reading the
// accumulator again for each term, and the gathered copies of dictionary values.
func (m *Machine) merge(p *plan) {
	uses, at := map[int32]int{}, map[int32]int{}
	for i := range p.rows {
		for _, a := range p.rows[i].args {
			uses[a]++
		}
		at[p.rows[i].dst] = i
	}
	for _, r := range p.keep {
		uses[int32(r)]++
	}
	chains, gone := map[int32]*chain{}, make([]bool, len(p.rows))
	for i := range p.rows {
		s := &p.rows[i]
		term, ok := m.link(p, s, uses, at, gone)
		if !ok {
			continue
		}
		acc := s.args[0]
		c := chains[acc]
		if c != nil && uses[acc] == 1 {
			delete(chains, acc)
		} else {
			first := step{args: []int32{acc}, shape: s.shape}
			m.spreadArg(p, &first, 0)
			c = &chain{start: *s, acc: first.args[0]}
		}
		c.terms, c.last, gone[i] = append(c.terms, term), i, true
		chains[s.dst] = c
	}
	ends := map[int]*chain{}
	for _, c := range chains {
		ends[c.last] = c
	}
	var rows []step
	for i, s := range p.rows {
		if c := ends[i]; c != nil {
			rows = append(rows, c.passes()...)
		} else if !gone[i] {
			rows = append(rows, s)
		}
	}
	p.rows = rows
}

// link recognises an addition that can join a chain: a capsum whose weight and cap hold for
// the whole run, or the sum with a gathered register that nothing else reads.
func (m *Machine) link(p *plan, s *step, uses, at map[int32]int, gone []bool) (sumTerm, bool) {
	once := func(a int32) bool { return int(a) < len(m.prog.Regs) && m.level(program.Reg(a)) == program.Once }
	in := &m.prog.Instrs[s.instr]
	switch in.Op {
	case program.OpCapSum:
		if !once(s.args[1]) || (len(s.args) > 3 && !once(s.args[3])) {
			return sumTerm{}, false
		}
		t := sumTerm{dst: s.dst, weight: s.args[1], x: s.args[2], cap: noVec}
		if len(s.args) > 3 {
			t.cap = s.args[3]
		}
		return t, true
	case "add_double":
		g, ok := at[s.args[1]]
		if !ok || m.prog.Instrs[p.rows[g].instr].Op != program.OpGather || uses[s.args[1]] != 1 {
			return sumTerm{}, false
		}
		gone[g] = true
		return sumTerm{dst: s.dst, x: p.rows[g].args[0], table: true}, true
	}
	return sumTerm{}, false
}

// passes cuts a chain into steps of at most maxTerms terms of one kind.
func (c *chain) passes() []step {
	var out []step
	for acc, rest := c.acc, c.terms; len(rest) > 0; {
		n := 1
		for n < len(rest) && n < maxTerms && rest[n].table == rest[0].table {
			n++
		}
		s := step{instr: c.start.instr, shape: c.start.shape, dst: rest[n-1].dst, terms: slices.Clone(rest[:n]), args: []int32{acc}}
		s.run = runCapSums
		if rest[0].table {
			s.run = runTakeSums
		}
		for _, t := range s.terms {
			s.args = append(s.args, t.x)
			if !t.table {
				s.args = append(s.args, t.weight)
			}
			if !t.table && t.cap != noVec {
				s.args = append(s.args, t.cap)
			}
		}
		out = append(out, s)
		acc, rest = s.dst, rest[n:]
	}
	return out
}

func runCapSums(fr *frame, s *step) {
	d, acc := fr.v[s.dst].f, fr.v[s.args[0]].f
	var x [maxTerms][]float64
	var w, c [maxTerms]float64
	for i, t := range s.terms {
		x[i], w[i], c[i] = fr.v[t.x].f, fr.v[t.weight].f[0], noCap[0]
		if t.cap != noVec {
			c[i] = limit(fr.v[t.cap].f[0])
		}
	}
	switch len(s.terms) {
	case 1:
		capSum1(d, acc, x[0], w[0], c[0])
	case 2:
		capSum2(d, acc, x[0], x[1], &w, &c)
	case 3:
		capSum3(d, acc, x[0], x[1], x[2], &w, &c)
	case 4:
		capSum4(d, acc, x[0], x[1], x[2], x[3], &w, &c)
	}
	fr.sumErrs(s)
}

func runTakeSums(fr *frame, s *step) {
	d, acc := fr.v[s.dst].f, fr.v[s.args[0]].f
	var t [maxTerms][]float64
	var k [maxTerms][]uint32
	for i, term := range s.terms {
		t[i], k[i] = fr.v[term.x].f, fr.run.codes(term.x, fr)
	}
	switch len(s.terms) {
	case 1:
		takeSum1(d, acc, t[0], k[0])
	case 2:
		takeSum2(d, acc, t[0], t[1], k[0], k[1])
	case 3:
		takeSum3(d, acc, t[0], t[1], t[2], k[0], k[1], k[2])
	case 4:
		takeSum4(d, acc, t[0], t[1], t[2], t[3], k[0], k[1], k[2], k[3])
	}
	fr.sumErrs(s)
}

// sumErrs gives a merged sum the first error of accumulator and terms, in order.
func (fr *frame) sumErrs(s *step) {
	mark := func(a int32, entry func(int) int) {
		err := fr.v[a].err
		if err == nil {
			return
		}
		for i := range fr.n {
			if e := errAt(err, entry(i)); e != 0 {
				fr.setErr(s, i, e)
			}
		}
	}
	row := func(i int) int { return i }
	mark(s.args[0], row)
	for _, t := range s.terms {
		if t.table {
			codes := fr.run.codes(t.x, fr)
			// A dictionary of one entry has one error, which at reads for every row.
			mark(t.x, func(i int) int { return int(codes[i]) })
			continue
		}
		mark(t.weight, row)
		mark(t.x, row)
		if t.cap != noVec {
			mark(t.cap, row)
		}
	}
}
