package codegen

import (
	"math"
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/program"
)

// Fuse makes the form of a program that only scores: weighting and adding become one
// instruction, and what only explanations need is gone. Score, priority and flags keep
// every bit: fused or not, products are rounded by themselves and sums added in
// the declared order.
func Fuse(p *program.Program) *program.Program {
	f := &fuser{from: p, def: make([]program.Instr, len(p.Regs)), uses: make([]int, len(p.Regs)), positive: make([]bool, len(p.Regs))}
	f.same = make([]program.Reg, len(p.Regs))
	for r := range f.same {
		f.same[r] = program.Reg(r)
	}
	f.count()
	for _, in := range p.Instrs {
		in.Args = slices.Clone(in.Args)
		for i, a := range in.Args {
			in.Args[i] = f.same[a]
		}
		in = f.rewrite(in)
		f.def[in.Dst] = in
		f.out = append(f.out, in)
		f.positive[in.Dst] = f.neverNegativeZero(in)
	}
	return f.renumber()
}

type fuser struct {
	from     *program.Program
	def      []program.Instr // per register, as rewritten
	uses     []int           // per register, in the program as it was
	same     []program.Reg   // what a register is replaced by
	positive []bool          // never −0.0
	out      []program.Instr
}

// count finds out what is read once only: a product that somebody else reads must stay.
func (f *fuser) count() {
	for _, in := range f.from.Instrs {
		for _, a := range in.Args {
			f.uses[a]++
		}
	}
	for _, r := range roots(f.from) {
		f.uses[r]++
	}
}

// roots are the registers that a fused program is for.
func roots(p *program.Program) []program.Reg {
	regs := []program.Reg{p.Score, p.Priority}
	for _, flags := range [][]program.Flag{p.Overrides, p.Holds} {
		for _, flag := range flags {
			regs = append(regs, flag.When)
		}
	}
	for _, l := range p.Limits {
		if l.When != program.NoReg {
			regs = append(regs, l.When)
		}
	}
	return regs
}

// rewrite simplifies one instruction, or makes its register stand for another.
func (f *fuser) rewrite(in program.Instr) program.Instr {
	switch in.Op {
	case program.OpCapMul:
		// 1.0 · x is x: the usual weight of a component that only groups.
		if len(in.Args) == 2 && f.isConst(in.Args[0], 1) {
			f.replace(in.Dst, in.Args[1])
		}
	case program.OpCond:
		if c := f.def[in.Args[0]]; c.Op == program.OpConst {
			f.replace(in.Dst, in.Args[2-c.Value.Int])
		}
	case "add_double":
		// 0 + x is x unless x is −0.0: a component all of whose weights are 0 adds nothing.
		switch a, b := in.Args[0], in.Args[1]; {
		case f.isConst(b, 0) && f.positive[a]:
			f.replace(in.Dst, a)
		case f.isConst(a, 0) && f.positive[b]:
			f.replace(in.Dst, b)
		case f.shape(in.Dst).Level == program.Row:
			return f.fuseSum(in)
		}
	}
	return in
}

// replace lets another register of the same shape stand for r.
func (f *fuser) replace(r, by program.Reg) {
	if f.shape(r) == f.shape(by) {
		f.same[r] = by
	}
}

// fuseSum turns acc + w·min(cap, x) into one instruction if nothing else reads
// the product. A plain product is one without cap.
func (f *fuser) fuseSum(in program.Instr) program.Instr {
	acc := in.Args[0]
	in.Args[1] = f.lone(acc, in.Args[1])
	product := f.def[in.Args[1]]
	factors := product.Args
	switch product.Op {
	case program.OpCapMul, "multiply_double":
	case program.OpCapSum: // fused already, of a component of one term
		if !f.isConst(product.Args[0], 0) || !f.positive[acc] {
			return in
		}
		factors = factors[1:]
	default:
		return in
	}
	if f.uses[product.Dst] != 1 {
		return in
	}
	args := append([]program.Reg{acc}, factors...)
	args[2] = f.lone(acc, args[2])
	return program.Instr{Op: program.OpCapSum, Dst: in.Dst, Args: args, Span: in.Span}
}

// lone is the term of a sum 0 + v that has no other, as it enters an accumulator. With and
// without the 0 they differ only in the sign of a zero, which disappears, weighted or not,
// in a sum that is not −0.0 itself.
func (f *fuser) lone(acc, r program.Reg) program.Reg {
	in := f.def[r]
	if in.Op == "add_double" && f.positive[acc] && f.isConst(in.Args[0], 0) && f.shape(in.Args[1]) == f.shape(r) {
		return in.Args[1]
	}
	return r
}

// neverNegativeZero: a sum is −0.0 only if both sides are.
func (f *fuser) neverNegativeZero(in program.Instr) bool {
	switch in.Op {
	case program.OpConst:
		return in.Value.Type == schema.Double && !(in.Value.Double == 0 && math.Signbit(in.Value.Double))
	case "add_double":
		return f.positive[in.Args[0]] || f.positive[in.Args[1]]
	case program.OpCapSum, program.OpGather, program.OpFinite, program.OpNumber, program.OpStorable:
		return f.positive[in.Args[0]]
	}
	return false
}

func (f *fuser) isConst(r program.Reg, v float64) bool {
	in := f.def[r]
	return in.Op == program.OpConst && in.Value.Type == schema.Double && in.Value.Double == v
}

func (f *fuser) shape(r program.Reg) program.Shape { return f.from.Regs[r].Shape }

// renumber drops what no root needs and closes the gaps. Columns stay: whether an input is missing does not
// depend on the form of the program.
func (f *fuser) renumber() *program.Program {
	need := make([]bool, len(f.from.Regs))
	for _, r := range roots(f.from) {
		need[f.same[r]] = true
	}
	for _, in := range slices.Backward(f.out) {
		if in.Op == program.OpColumn || in.Op == program.OpPresent {
			need[in.Dst] = true
		}
		if need[in.Dst] {
			for _, a := range in.Args {
				need[a] = true
			}
		}
	}
	p := *f.from
	p.Fused, p.Components, p.Regs, p.Instrs, p.Calls = true, nil, nil, nil, nil
	to := make([]program.Reg, len(need))
	for _, in := range f.out {
		if !need[in.Dst] {
			continue
		}
		to[in.Dst] = program.Reg(len(p.Regs))
		p.Regs = append(p.Regs, f.from.Regs[in.Dst])
		in.Dst = to[in.Dst]
		for i, a := range in.Args {
			in.Args[i] = to[a]
		}
		if in.Op == program.OpCall {
			p.Calls = append(p.Calls, f.from.Calls[in.Call])
			in.Call = len(p.Calls) - 1
		}
		p.Instrs = append(p.Instrs, in)
	}
	renamed := func(r program.Reg) program.Reg { return to[f.same[r]] }
	p.Score, p.Priority = renamed(p.Score), renamed(p.Priority)
	p.Overrides, p.Holds = slices.Clone(p.Overrides), slices.Clone(p.Holds)
	for i := range p.Overrides {
		p.Overrides[i].When = renamed(p.Overrides[i].When)
	}
	for i := range p.Holds {
		p.Holds[i].When = renamed(p.Holds[i].When)
	}
	p.Limits = slices.Clone(p.Limits)
	for i := range p.Limits {
		if p.Limits[i].When != program.NoReg {
			p.Limits[i].When = renamed(p.Limits[i].When)
		}
	}
	p.Components = shown(f.from.Components)
	return &p
}

// shown keeps names and sources of the components, without registers.
func shown(components []program.Component) []program.Component {
	out := slices.Clone(components)
	for i := range out {
		c := &out[i]
		c.Weight.Reg, c.Cap.Reg, c.Sum, c.Value = program.NoReg, program.NoReg, program.NoReg, program.NoReg
		c.Terms = slices.Clone(c.Terms)
		for j := range c.Terms {
			t := &c.Terms[j]
			t.Defines = nil
			t.Weight.Reg, t.Cap.Reg, t.Factor.Reg, t.Value = program.NoReg, program.NoReg, program.NoReg, program.NoReg
		}
	}
	return out
}
