package optimize

import (
	"math"
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/program"
)

// rewrite leaves out what changes nothing, such as weights of 1, and makes products part of the sums that add them.
func rewrite(p *program.Program, list []program.Instr) []program.Instr {
	n := len(p.Regs)
	f := &rewriter{p: p, def: make([]program.Instr, n), uses: make([]int, n),
		positive: make([]bool, n), same: make([]program.Reg, n)}
	for r := range f.same {
		f.same[r] = program.Reg(r)
	}
	for _, in := range list {
		for _, a := range in.Args {
			f.uses[a]++
		}
	}
	for _, r := range p.Kept() {
		f.uses[r]++
	}
	var out []program.Instr
	for _, in := range list {
		in.Args = slices.Clone(in.Args)
		for i, a := range in.Args {
			in.Args[i] = f.same[a]
		}
		in = f.rewrite(in)
		f.def[in.Dst] = in
		f.positive[in.Dst] = f.neverNegativeZero(in)
		out = append(out, in)
	}
	p.Rename(func(r program.Reg) program.Reg { return f.same[r] })
	return out
}

type rewriter struct {
	p        *program.Program
	def      []program.Instr // per register, as rewritten
	uses     []int           // per register, in the program as it was: a product that something else reads must stay
	same     []program.Reg   // what a register is replaced by
	positive []bool          // never −0.0
}

// rewrite simplifies one instruction, or makes its register stand for another.
func (f *rewriter) rewrite(in program.Instr) program.Instr {
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
func (f *rewriter) replace(r, by program.Reg) {
	if f.shape(r) == f.shape(by) {
		f.same[r] = by
		f.uses[by] += f.uses[r] - 1
	}
}

// fuseSum turns acc + w·min(cap, x) into one instruction if nothing else reads
// the product. A plain product is one without cap.
func (f *rewriter) fuseSum(in program.Instr) program.Instr {
	acc := in.Args[0]
	in.Args[1] = f.lone(acc, in.Args[1])
	product := f.def[in.Args[1]]
	factors := product.Args
	switch product.Op {
	case program.OpCapMul, "multiply_double":
	case program.OpCapSum, program.OpWeighSum: // of a component of one term
		if !f.isConst(product.Args[0], 0) || !f.positive[acc] || len(factors) > 4 {
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
	op := program.OpWeighSum
	if len(factors) > 2 {
		op = program.OpCapSum
	}
	return program.Instr{Op: op, Dst: in.Dst, Args: args, Span: in.Span}
}

// lone is the term of a sum 0 + v that has no other, as it enters an accumulator. With and
// without the 0 they differ only in the sign of a zero, which disappears, weighted or not,
// in a sum that is not −0.0 itself.
func (f *rewriter) lone(acc, r program.Reg) program.Reg {
	in := f.def[r]
	if in.Op == "add_double" && f.positive[acc] && f.isConst(in.Args[0], 0) && f.shape(in.Args[1]) == f.shape(r) {
		return in.Args[1]
	}
	return r
}

// neverNegativeZero: a sum is −0.0 only if both sides are.
func (f *rewriter) neverNegativeZero(in program.Instr) bool {
	switch in.Op {
	case program.OpConst:
		return in.Value.Type == schema.Double && !(in.Value.Double == 0 && math.Signbit(in.Value.Double))
	case "add_double":
		return f.positive[in.Args[0]] || f.positive[in.Args[1]]
	case program.OpCond:
		return f.positive[in.Args[1]] && f.positive[in.Args[2]]
	case "int64_to_double":
		return true
	case program.OpCapSum, program.OpWeighSum, program.OpGather, program.OpFinite, program.OpNumber, program.OpStorable:
		return f.positive[in.Args[0]]
	}
	return false
}

func (f *rewriter) isConst(r program.Reg, v float64) bool {
	in := f.def[r]
	return in.Op == program.OpConst && in.Value.Type == schema.Double && in.Value.Double == v
}

func (f *rewriter) shape(r program.Reg) program.Shape { return f.p.Regs[r].Shape }
