package vm

import (
	"slices"

	"github.com/fairway-sched/fairway/runtime/program"
)

// maxTerms is how many terms one pass over a block adds. More would run out of
// processor registers for the weights and caps.
const maxTerms = 5

// termKind says where a term of a merged sum comes from; one pass adds terms of one kind.
type termKind uint8

const (
	doubles      termKind = iota // w · min(cap, x) of a double column or register
	ints                         // the same of ints, converted on the way
	weighted                     // doubles with a weight per dictionary entry
	weightedInts                 // ints with a weight per dictionary entry
	byEntry                      // a value per dictionary entry
)

// sumTerm is one term of a merged sum.
type sumTerm struct {
	kind   termKind
	dst    int32 // the register of the sum up to here
	x      int32 // the factor; byEntry: the dictionary register
	weight int32 // weighted: the dictionary register
	cap    int32 // noVec: none
}

const noVec int32 = -1

// chain is a sum in the making: accumulator + terms, in declared order.
type chain struct {
	instr int
	shape program.Shape
	acc   int32 // noVec: the first term, a value per entry, begins the sum
	terms []sumTerm
	last  int // position of the last link
}

// merger finds the chains of a plan's row steps.
type merger struct {
	m    *Machine
	p    *plan
	uses map[int32]int // of each operand, being kept counts
	at   map[int32]int // position of the step that makes it
	gone []bool        // steps that a chain takes over
}

// merge turns runs of additions to one accumulator into few passes. The sums keep their
// order, so the bits stay; what is saved is writing and reading the
// accumulator again for each term, gathered copies of dictionary values, and converted ints.
func (m *Machine) merge(p *plan) {
	g := &merger{m: m, p: p, uses: map[int32]int{}, at: map[int32]int{}, gone: make([]bool, len(p.rows))}
	for i := range p.rows {
		for _, a := range p.rows[i].args {
			g.uses[a]++
		}
		g.at[p.rows[i].dst] = i
	}
	for _, r := range p.keep {
		g.uses[int32(r)]++
	}
	chains, ends := map[int32]*chain{}, map[int]*chain{}
	for i := range p.rows {
		s := &p.rows[i]
		term, ok := g.link(s)
		if !ok {
			continue
		}
		acc := s.args[0]
		c := chains[acc]
		if c != nil && g.uses[acc] == 1 {
			delete(ends, c.last)
		} else {
			c = g.begin(s, term.kind)
		}
		c.terms, c.last, g.gone[i] = append(c.terms, term), i, true
		chains[s.dst], ends[i] = c, c
	}
	var rows []step
	for i, s := range p.rows {
		if c := ends[i]; c != nil {
			rows = append(rows, c.passes()...)
		} else if !g.gone[i] {
			rows = append(rows, s)
		}
	}
	p.rows = rows
}

// begin starts a chain at its first link.
func (g *merger) begin(s *step, first termKind) *chain {
	c := &chain{instr: s.instr, shape: s.shape, acc: noVec}
	if first == byEntry {
		if table, ok := g.absorb(s.args[0], program.OpGather); ok {
			c.terms = []sumTerm{{kind: byEntry, dst: noVec, x: table}}
			return c
		}
	}
	spread := step{args: []int32{s.args[0]}, shape: s.shape}
	g.m.spreadArg(g.p, &spread, 0)
	c.acc = spread.args[0]
	return c
}

// link recognises an addition that can join a chain: a capsum whose cap holds for
// the whole run and whose weight does too or belongs to a dictionary, and the sum with a
// gathered register.
func (g *merger) link(s *step) (sumTerm, bool) {
	t := sumTerm{dst: s.dst, cap: noVec}
	switch g.m.prog.Instrs[s.instr].Op {
	case program.OpCapSum:
		t.weight, t.x = s.args[1], s.args[2]
		if len(s.args) > 3 {
			t.cap = s.args[3]
		}
		if t.cap != noVec && !g.once(t.cap) {
			return t, false
		}
		if !g.once(t.weight) {
			table, ok := g.absorb(t.weight, program.OpGather)
			if !ok {
				return t, false
			}
			t.kind, t.weight = weighted, table
		}
		if from, ok := g.absorb(t.x, "int64_to_double"); ok {
			t.kind, t.x = t.kind+1, from
		}
		return t, true
	case "add_double":
		if table, ok := g.absorb(s.args[1], program.OpGather); ok {
			t.kind, t.x = byEntry, table
			return t, true
		}
	}
	return t, false
}

// absorb takes over the step that makes an operand, if it is of the given kind and nothing
// else reads its result, and gives that step's argument.
func (g *merger) absorb(operand int32, op string) (int32, bool) {
	i, ok := g.at[operand]
	if !ok || g.uses[operand] != 1 || g.m.prog.Instrs[g.p.rows[i].instr].Op != op {
		return noVec, false
	}
	g.gone[i] = true
	return g.p.rows[i].args[0], true
}

// once reports an operand that holds for the whole run, not its spread-out copy.
func (g *merger) once(operand int32) bool {
	return int(operand) < len(g.m.prog.Regs) && g.m.level(program.Reg(operand)) == program.Once
}

// passes cuts a chain into steps of at most maxTerms terms of one kind.
func (c *chain) passes() []step {
	var out []step
	for acc, rest := c.acc, c.terms; len(rest) > 0; {
		kind, n, most := rest[0].kind, 1, maxTerms
		switch {
		case kind == weighted || kind == weightedInts:
			most = 1
		case kind == byEntry && acc != noVec:
			most = maxTerms - 1
		}
		for n < len(rest) && n < most && rest[n].kind == kind {
			n++
		}
		s := step{instr: c.instr, shape: c.shape, dst: rest[n-1].dst, terms: slices.Clone(rest[:n])}
		if acc != noVec {
			s.args = append(s.args, acc)
		}
		for _, t := range s.terms {
			s.args = t.operands(s.args)
		}
		s.run = sums[kind]
		out = append(out, s)
		acc, rest = s.dst, rest[n:]
	}
	return out
}

var sums = [...]func(*frame, *step){
	doubles: capSums[float64], ints: capSums[int64], weighted: weightedSum[float64], weightedInts: weightedSum[int64], byEntry: takeSums,
}

// operands lists what the term reads, in the order in which its errors count.
func (t *sumTerm) operands(to []int32) []int32 {
	if t.kind != byEntry {
		to = append(to, t.weight)
	}
	to = append(to, t.x)
	if t.kind != byEntry && t.cap != noVec {
		to = append(to, t.cap)
	}
	return to
}
