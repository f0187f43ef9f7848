package vm

import (
	"slices"

	"github.com/fairway-sched/fairway/runtime/program"
)

// step is an instruction made ready: operands in place, kernel chosen.
type step struct {
	instr  int
	shape  program.Shape
	dst    int32
	args   []int32 // indices of a frame's vecs: registers, then spread-out scalars
	strict bool    // any failed argument fails the result
	run    func(fr *frame, s *step)
}

// spread is a value of the whole run written out as a vector, for kernels that have
// no form with a scalar.
type spread struct {
	from  program.Reg
	to    int32
	shape program.Shape
}

// step binds one instruction: kernel, operands, and who handles errors.
func (m *Machine) step(i int) step {
	in := &m.prog.Instrs[i]
	s := step{instr: i, shape: m.prog.Regs[in.Dst].Shape, dst: int32(in.Dst), strict: true}
	for _, a := range in.Args {
		s.args = append(s.args, int32(a))
	}
	switch in.Op {
	case program.OpConst:
		s.run = loadConst
	case program.OpColumn:
		s.run = loadColumn
	case program.OpPresent:
		s.run = loadPresent
	case program.OpGather:
		s.run, s.strict = gather, false
	case program.OpCall:
		s.args, s.run, s.strict = nil, callBoxed, false
		for _, a := range in.Args {
			if !m.isColumn(a) {
				s.args = append(s.args, int32(a))
			}
		}
	case program.OpAnd, program.OpOr:
		s.run, s.strict = and, false
		if in.Op == program.OpOr {
			s.run = or
		}
		m.spreadAll(&s)
	case program.OpCond:
		s.run, s.strict = cond, false
		m.spreadArg(&s, 0)
		if m.storage(in.Dst) != program.Doubles || !m.once(in.Args[1]) || !m.once(in.Args[2]) {
			m.spreadAll(&s)
		}
	case "clamp_double_double_double":
		m.spreadArg(&s, 0)
		s.run = func(fr *frame, s *step) { clampLoop(fr, s) }
	case program.OpCapMul:
		s.run = runCapMul
		m.spreadArg(&s, 1)
	case program.OpCapSum, program.OpWeighSum:
		s.run = m.sum(in)
		m.spreadArg(&s, 0)
		for x := 2; x < len(s.args); x += termArgs[in.Op] {
			m.spreadArg(&s, x)
		}
	case program.OpTakeSum:
		s.run = m.sum(in)
		m.spreadArg(&s, 0)
	case program.OpTake:
		s.run = m.sum(in)
	default:
		s.run = m.form(in, &s)
	}
	return s
}

// form picks the variant of a function's kernel by which arguments are scalars.
func (m *Machine) form(in *program.Instr, s *step) func(*frame, *step) {
	k := guards[in.Op]
	if k == nil {
		k = kernels[in.Op]
	}
	run := k.vectors
	scalar := func(a int) bool { return s.shape.Level != program.Once && m.once(in.Args[a]) }
	switch {
	case k.right != nil && scalar(1):
		run = k.right
	case k.left != nil && scalar(0):
		run = k.left
	default:
		m.spreadAll(s)
	}
	if k.check == nil {
		return func(fr *frame, s *step) { run(fr, s) }
	}
	return func(fr *frame, s *step) {
		if run(fr, s) {
			k.check(fr, s)
		}
	}
}

func (m *Machine) spreadAll(s *step) {
	for i := range s.args {
		m.spreadArg(s, i)
	}
}

// spreadArg replaces an argument that holds for the whole run by a vector of it.
func (m *Machine) spreadArg(s *step, arg int) {
	from := program.Reg(s.args[arg])
	if int(from) >= len(m.prog.Regs) || s.shape.Level == program.Once || !m.once(from) {
		return
	}
	at := slices.IndexFunc(m.spread, func(have spread) bool { return have.from == from && have.shape == s.shape })
	if at < 0 {
		at = len(m.spread)
		m.spread = append(m.spread, spread{from: from, to: int32(len(m.prog.Regs) + at), shape: s.shape})
	}
	s.args[arg] = m.spread[at].to
}

// aliases reports a step that makes its register a window on a column.
func (m *Machine) aliases(s *step) bool {
	return m.isColumn(program.Reg(s.dst)) && m.storage(program.Reg(s.dst)) != program.Bools
}

func (m *Machine) isColumn(r program.Reg) bool { return m.prog.Instrs[m.def[r]].Op == program.OpColumn }

func (m *Machine) level(r program.Reg) program.Level { return m.prog.Regs[r].Shape.Level }

func (m *Machine) once(r program.Reg) bool { return m.level(r) == program.Once }

// byEntry reports an argument that is looked up in its dictionary for each row of the result.
func (m *Machine) byEntry(in *program.Instr, arg program.Reg) bool {
	return m.level(arg) == program.Dict && m.level(in.Dst) == program.Row
}

func (m *Machine) storage(r program.Reg) program.Storage {
	return program.StorageOf(m.prog.Regs[r].Type)
}
