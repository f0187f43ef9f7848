// Package optimize makes the program that the machine runs of what codegen generates: products become part of
// sums, sums share passes, what nothing reads is gone, and rows share memory. What its parts name
// keeps every bit: products are rounded by themselves and added in the declared order.
package optimize

import (
	"slices"

	"github.com/fairway-sched/fairway/runtime/program"
)

// Explained is the program with every register that its parts name. Passes that are left out by name change its form
// and its speed alone.
func Explained(p *program.Program, leftOut ...string) *program.Program {
	out := *p
	return run(&out, leftOut)
}

// Scores is the program without what only explanations need: of components and overrides
// the names and sources are left.
func Scores(p *program.Program, leftOut ...string) *program.Program {
	out := *p
	score, priority, limits, holds, admission := p.Score, p.Priority, p.Limits, p.Holds, p.Admission
	out.Rename(func(program.Reg) program.Reg { return program.NoReg })
	out.Score, out.Priority, out.Limits, out.Holds = score, priority, limits, holds
	out.Admission, out.Fused = admission, true
	for i := range out.Components {
		for k := range out.Components[i].Terms {
			out.Components[i].Terms[k].Defines = nil
		}
	}
	return run(&out, leftOut)
}

// pass is one step, from a list of instructions to another. Registers keep their numbers.
type pass struct {
	name string
	run  func(p *program.Program, in []program.Instr) []program.Instr
}

// passes in order.
var passes = []pass{
	{"rewrite", rewrite}, // what sums make superfluous is needed no more
	{"bounds", bounds},   // which asks what sums can be
	{"drop", drop},
	{"merge", merge}, // which counts who reads a register, and leaves gathers and conversions that nothing reads
	{"drop", drop},
}

// sharing is the name of the last step, which is none of instructions.
const sharing = "share"

// Passes are the names of what can be left out.
func Passes() (names []string) {
	for _, p := range passes {
		if !slices.Contains(names, p.name) {
			names = append(names, p.name)
		}
	}
	return append(names, sharing)
}

// run passes the instructions on, closes the gaps and gives out buffers.
func run(p *program.Program, leftOut []string) *program.Program {
	list := p.Instrs
	for _, pass := range passes {
		if !slices.Contains(leftOut, pass.name) {
			list = pass.run(p, list)
		}
	}
	renumber(p, list)
	if !slices.Contains(leftOut, sharing) {
		share(p)
	}
	return p
}

// drop leaves out what is not needed. Columns stay: whether an input is missing does not
// depend on the form of the program.
func drop(p *program.Program, list []program.Instr) []program.Instr {
	need := make([]bool, len(p.Regs))
	for _, r := range p.Kept() {
		need[r] = true
	}
	var out []program.Instr
	for _, in := range slices.Backward(list) {
		if !need[in.Dst] && in.Op != program.OpColumn && in.Op != program.OpPresent {
			continue
		}
		for _, a := range in.Args {
			need[a] = true
		}
		out = append(out, in)
	}
	slices.Reverse(out)
	return out
}

// renumber puts the list into the program and closes the gaps among its registers and calls.
func renumber(p *program.Program, list []program.Instr) {
	to, regs, calls := make([]program.Reg, len(p.Regs)), p.Regs, p.Calls
	p.Instrs, p.Regs, p.Calls = list, make([]program.Register, len(list)), nil
	for i := range list {
		in := &list[i]
		p.Regs[i], to[in.Dst], in.Dst = regs[in.Dst], program.Reg(i), program.Reg(i)
		in.Args = slices.Clone(in.Args)
		for k, a := range in.Args {
			in.Args[k] = to[a]
		}
		if in.Op == program.OpCall {
			p.Calls = append(p.Calls, calls[in.Call])
			in.Call = len(p.Calls) - 1
		}
	}
	p.Rename(func(r program.Reg) program.Reg { return to[r] })
}

// share gives registers of rows buffers, each used again once nothing reads it any more. Those that
// the program is for have memory of their own, and columns need none.
func share(p *program.Program) {
	last := make([]int, len(p.Regs)) // the instruction that reads each register last
	for i, in := range p.Instrs {
		for _, a := range in.Args {
			last[a] = i
		}
	}
	for _, r := range p.Kept() {
		last[r] = len(p.Instrs)
	}
	buffers := 0
	var free [program.Storages][]int
	for i, in := range p.Instrs {
		reg := &p.Regs[in.Dst]
		kind := program.StorageOf(reg.Type)
		if reg.Shape.Level == program.Row && kind != program.NoStorage && last[in.Dst] < len(p.Instrs) &&
			(in.Op != program.OpColumn || kind == program.Bools) {
			if n := len(free[kind]); n > 0 {
				reg.Buffer, free[kind] = free[kind][n-1], free[kind][:n-1]
			} else {
				buffers++
				reg.Buffer = buffers
			}
		}
		// Freed after the result has its place: a kernel may read arguments again
		// when the result is written.
		for k, a := range in.Args {
			if b := p.Regs[a].Buffer; b > 0 && last[a] == i && !slices.Contains(in.Args[:k], a) {
				kind := program.StorageOf(p.Regs[a].Type)
				free[kind] = append(free[kind], b)
			}
		}
	}
}
