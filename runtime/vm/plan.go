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
	terms  []sumTerm // of a fragment
}

// plan is what keeping certain registers takes. It is made for each run: which
// values must survive decides what may be merged and which memory can be used again.
type plan struct {
	keep   []program.Reg
	before []step // once and per dictionary entry, in program order
	rows   []step
	spread []spread
	reads  []int // instructions that load columns, for kernels or for boxed calls
	placed []placed
	slots  [boolStorage + 1]int // buffers needed of each storage
	vecs   int
}

// spread is a value of the whole run written out as a vector, for kernels that have
// no form with a scalar.
type spread struct {
	from  program.Reg
	to    int32
	shape program.Shape
}

// placed says which of a worker's buffers a row register lives in.
type placed struct {
	dst     int32
	storage storage
	slot    int
}

// plan selects and orders the steps. It costs microseconds, which is why it is not kept.
func (m *Machine) plan(keep []program.Reg) *plan {
	p := &plan{keep: keep, vecs: len(m.prog.Regs)}
	need := m.needed(p)
	for i := range m.prog.Instrs {
		in := &m.prog.Instrs[i]
		if !need[in.Dst] || storageOf(m.prog.Regs[in.Dst].Type) == noStorage {
			continue
		}
		s := m.step(p, i)
		if s.shape.Level == program.Row {
			p.rows = append(p.rows, s)
		} else {
			p.before = append(p.before, s)
		}
	}
	m.merge(p)
	m.place(p)
	return p
}

// needed marks what the kept registers depend on, backwards. Columns that only
// a boxed call reads are bound but not loaded.
func (m *Machine) needed(p *plan) []bool {
	need, bound := make([]bool, len(m.prog.Regs)), make([]bool, len(m.prog.Regs))
	for _, r := range p.keep {
		need[r] = true
	}
	for i, in := range slices.Backward(m.prog.Instrs) {
		if need[in.Dst] {
			for _, a := range in.Args {
				if in.Op == program.OpCall && m.isColumn(a) {
					bound[a] = true
				} else {
					need[a] = true
				}
			}
		}
		if (need[in.Dst] || bound[in.Dst]) && (in.Op == program.OpColumn || in.Op == program.OpPresent) {
			p.reads = append(p.reads, i)
		}
	}
	slices.Reverse(p.reads)
	return need
}

func (m *Machine) isColumn(r program.Reg) bool { return m.prog.Instrs[m.def[r]].Op == program.OpColumn }

func (m *Machine) level(r program.Reg) program.Level { return m.prog.Regs[r].Shape.Level }

// step resolves one instruction: kernel, operands, and who handles errors.
func (m *Machine) step(p *plan, i int) step {
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
		if s.shape.Level == program.Row && slices.Contains(p.keep, in.Dst) {
			s.run = copyColumn
		}
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
		m.spreadAll(p, &s)
	case program.OpCond:
		s.run, s.strict = cond, false
		if storageOf(m.prog.Regs[in.Dst].Type) != doubleStorage || m.level(in.Args[1]) != program.Once || m.level(in.Args[2]) != program.Once {
			m.spreadAll(p, &s)
		} else {
			m.spreadArg(p, &s, 0)
		}
	case "clamp_double_double_double":
		m.spreadArg(p, &s, 0)
		s.run = func(fr *frame, s *step) { clampLoop(fr, s) }
	case program.OpCapMul:
		s.run = runCapMul
		m.spreadArg(p, &s, 1)
	case program.OpCapSum:
		s.run = runCapSum
		m.spreadArg(p, &s, 0)
		m.spreadArg(p, &s, 2)
	default:
		s.run = m.form(p, i, &s)
	}
	return s
}

// aliases reports a step that makes its register a window on a column.
func (m *Machine) aliases(s *step) bool {
	return m.prog.Instrs[s.instr].Op == program.OpColumn && storageOf(m.prog.Regs[s.dst].Type) != boolStorage
}

// form picks the variant of a function's kernel by which arguments are scalars.
func (m *Machine) form(p *plan, i int, s *step) func(*frame, *step) {
	k := m.kernels[i]
	run := k.vectors
	scalar := func(a int) bool {
		return s.shape.Level != program.Once && m.level(m.prog.Instrs[i].Args[a]) == program.Once
	}
	switch {
	case k.right != nil && scalar(1):
		run = k.right
	case k.left != nil && scalar(0):
		run = k.left
	default:
		m.spreadAll(p, s)
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

func (m *Machine) spreadAll(p *plan, s *step) {
	for i := range s.args {
		m.spreadArg(p, s, i)
	}
}

// spreadArg replaces an argument that holds for the whole run by a vector of it.
func (m *Machine) spreadArg(p *plan, s *step, arg int) {
	from := program.Reg(s.args[arg])
	if int(from) >= len(m.prog.Regs) || s.shape.Level == program.Once || m.level(from) != program.Once {
		return
	}
	at := slices.IndexFunc(p.spread, func(have spread) bool { return have.from == from && have.shape == s.shape })
	if at < 0 {
		at = len(p.spread)
		p.spread = append(p.spread, spread{from: from, to: int32(p.vecs), shape: s.shape})
		p.vecs++
	}
	s.args[arg] = p.spread[at].to
}

// place gives row registers buffers, each used again once nothing reads it any more.
// Kept registers are written where they are returned and loads need none.
func (m *Machine) place(p *plan) {
	last := map[int32]int{}
	for i := range p.rows {
		for _, a := range p.rows[i].args {
			last[a] = i
		}
	}
	slot := map[int32]int{}
	var free [boolStorage + 1][]int
	for i := range p.rows {
		s := &p.rows[i]
		kind := storageOf(m.prog.Regs[s.dst].Type)
		if !m.aliases(s) && !slices.Contains(p.keep, program.Reg(s.dst)) {
			n := p.slots[kind]
			if f := free[kind]; len(f) > 0 {
				n = f[len(f)-1]
				free[kind] = f[:len(f)-1]
			} else {
				p.slots[kind]++
			}
			slot[s.dst] = n
			p.placed = append(p.placed, placed{dst: s.dst, storage: kind, slot: n})
		}
		// Freed after the result has its place: a check may read arguments again
		// when the result is written.
		for _, a := range s.args {
			if n, ok := slot[a]; ok && last[a] == i {
				kind := storageOf(m.prog.Regs[a].Type)
				free[kind] = append(free[kind], n)
				delete(slot, a)
			}
		}
	}
}
