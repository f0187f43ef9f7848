package optimize

import (
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/program"
)

// kind says where a term of a merged sum comes from; one pass adds terms of one kind.
type kind uint8

const (
	doubles      kind = iota // w · min(cap, x) of a double column or register
	ints                     // the same of ints, converted on the way
	weighted                 // doubles with a weight per dictionary entry
	weightedInts             // ints with a weight per dictionary entry
	byEntry                  // a value per dictionary entry
)

// term is one term of a merged sum.
type term struct {
	kind   kind
	dst    program.Reg // the sum up to here
	x      program.Reg // the factor; byEntry: the dictionary register
	weight program.Reg // weighted: the dictionary register
	cap    program.Reg // NoReg: none
}

// chain is a sum in the making: accumulator + terms, in declared order.
type chain struct {
	first program.Instr
	acc   program.Reg // NoReg: the first term, a value per entry, begins the sum
	terms []term
	last  int // position of the last link
}

// merger finds the chains of row instructions.
type merger struct {
	p    *program.Program
	list []program.Instr
	uses []int       // of each register, being kept counts
	at   []int       // position of the instruction that makes it
	zero program.Reg // a constant that as a cap is none; NoReg if there is none
}

// merge turns runs of additions to one accumulator into few passes. The sums keep their
// order, so the bits stay; what is saved is writing and reading the
// accumulator again for each term, gathered copies of dictionary values, and converted ints.
func merge(p *program.Program, list []program.Instr) []program.Instr {
	g := &merger{p: p, list: list, uses: make([]int, len(p.Regs)), at: make([]int, len(p.Regs)), zero: program.NoReg}
	for i, in := range list {
		for _, a := range in.Args {
			g.uses[a]++
		}
		g.at[in.Dst] = i
		none := in.Op == program.OpConst && in.Value.Type == schema.Double && in.Value.Double <= 0
		if none && g.zero == program.NoReg {
			g.zero = in.Dst
		}
	}
	for _, r := range p.Kept() {
		g.uses[r]++
	}
	chains, ends, links := map[program.Reg]*chain{}, map[int]*chain{}, make([]bool, len(list))
	for i, in := range list {
		t, ok := g.link(in)
		if !ok {
			continue
		}
		acc := in.Args[0]
		c := chains[acc]
		if c != nil && g.uses[acc] == 1 {
			delete(ends, c.last)
		} else {
			c = g.begin(in, t.kind)
		}
		c.terms, c.last, links[i] = append(c.terms, t), i, true
		chains[in.Dst], ends[i] = c, c
	}
	var out []program.Instr
	for i, in := range list {
		if c := ends[i]; c != nil {
			out = append(out, g.passes(c)...)
		} else if !links[i] {
			out = append(out, in)
		}
	}
	return out
}

// begin starts a chain at its first link.
func (g *merger) begin(in program.Instr, first kind) *chain {
	if first == byEntry {
		if table, ok := g.absorb(in.Args[0], program.OpGather); ok {
			return &chain{first: in, acc: program.NoReg, terms: []term{{kind: byEntry, dst: program.NoReg, x: table}}}
		}
	}
	return &chain{first: in, acc: in.Args[0]}
}

// link recognises an addition that can join a chain: a weighted sum whose cap holds for
// the whole run and whose weight does too or belongs to a dictionary, and the sum with a
// gathered register.
func (g *merger) link(in program.Instr) (term, bool) {
	t := term{dst: in.Dst, cap: program.NoReg}
	if g.p.Regs[in.Dst].Shape.Level != program.Row || len(in.Args) > 4 { // it has several terms already
		return t, false
	}
	switch in.Op {
	case program.OpCapSum, program.OpWeighSum:
		t.weight, t.x = in.Args[1], in.Args[2]
		if in.Op == program.OpCapSum {
			t.cap = in.Args[3]
		}
		if t.cap != program.NoReg && !g.once(t.cap) {
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
		if table, ok := g.absorb(in.Args[1], program.OpGather); ok {
			t.kind, t.x = byEntry, table
			return t, true
		}
	}
	return t, false
}

// absorb takes over the instruction that makes an operand for each row, if it is of the given kind and nothing
// else reads its result, and gives that instruction's argument.
func (g *merger) absorb(r program.Reg, op string) (program.Reg, bool) {
	if in := g.list[g.at[r]]; in.Op == op && g.uses[r] == 1 && g.p.Regs[r].Shape.Level == program.Row {
		return in.Args[0], true
	}
	return program.NoReg, false
}

func (g *merger) once(r program.Reg) bool { return g.p.Regs[r].Shape.Level == program.Once }

// passes cuts a chain into instructions of at most MaxTerms terms of one kind. With a cap in one term all
// have one.
func (g *merger) passes(c *chain) []program.Instr {
	var out []program.Instr
	canFill := g.zero != program.NoReg && g.at[g.zero] < c.last
	for acc, rest := c.acc, c.terms; len(rest) > 0; {
		n, most := 1, program.MaxTerms
		switch kind := rest[0].kind; {
		case kind == weighted || kind == weightedInts:
			most = 1
		case kind == byEntry && acc != program.NoReg:
			most = program.MaxTerms - 1
		}
		for n < min(len(rest), most) && rest[n].kind == rest[0].kind &&
			(canFill || rest[n].capped() == rest[0].capped()) {
			n++
		}
		in := program.Instr{Dst: rest[n-1].dst, Span: c.first.Span}
		if acc != program.NoReg {
			in.Args = append(in.Args, acc)
		}
		in.Op, in.Args = g.terms(in.Args, rest[:n])
		out = append(out, in)
		acc, rest = in.Dst, rest[n:]
	}
	return out
}

// terms are the operation and the arguments that add the terms.
func (g *merger) terms(args []program.Reg, terms []term) (string, []program.Reg) {
	capped := slices.ContainsFunc(terms, term.capped)
	for _, t := range terms {
		switch {
		case t.kind == byEntry:
			args = append(args, t.x)
		case !capped:
			args = append(args, t.weight, t.x)
		case t.capped():
			args = append(args, t.weight, t.x, t.cap)
		default:
			args = append(args, t.weight, t.x, g.zero)
		}
	}
	switch {
	case terms[0].kind == byEntry && terms[0].dst == program.NoReg:
		return program.OpTake, args
	case terms[0].kind == byEntry:
		return program.OpTakeSum, args
	case capped:
		return program.OpCapSum, args
	}
	return program.OpWeighSum, args
}

func (t term) capped() bool { return t.kind != byEntry && t.cap != program.NoReg }
