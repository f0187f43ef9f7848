package vm

import (
	"slices"

	"github.com/fairway-sched/fairway/runtime/program"
)

// plan is the part of a program that keeping certain registers takes: every run
// leaves out what only others need.
type plan struct {
	keep   []program.Reg
	before []step // once and per dictionary entry, in program order
	rows   []step
	reads  []int // instructions that load columns, for kernels or for boxed calls
	placed []placed
	slots  [program.Storages]int // buffers needed of each storage
}

// placed says which of a worker's buffers a row register lives in.
type placed struct {
	dst     int32
	storage program.Storage
	slot    int
}

// plan selects the steps. It costs microseconds, which is why it is not kept.
// What is cut is there already.
func (m *Machine) plan(keep []program.Reg, cut []bool) *plan {
	p := &plan{keep: keep}
	need := m.needed(p, cut)
	for i := range m.steps {
		s := m.steps[i]
		dst := program.Reg(s.dst)
		switch {
		case !need[dst] || m.storage(dst) == program.NoStorage || cut != nil && cut[dst]:
			continue
		case s.shape.Level != program.Row:
			p.before = append(p.before, s)
			continue
		case m.isColumn(dst) && slices.Contains(keep, dst):
			s.run = copyColumn
		}
		p.rows = append(p.rows, s)
	}
	m.place(p)
	return p
}

// needed marks what the kept registers depend on, backwards. Columns that only
// a boxed call reads are bound but not loaded.
func (m *Machine) needed(p *plan, cut []bool) []bool {
	need, bound := make([]bool, len(m.prog.Regs)), make([]bool, len(m.prog.Regs))
	for _, r := range p.keep {
		need[r] = true
	}
	for i, in := range slices.Backward(m.prog.Instrs) {
		if need[in.Dst] && (cut == nil || !cut[in.Dst]) {
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

// place gives row registers the program's buffers, or one of their own.
// Kept registers are written where they are returned and loads need none.
func (m *Machine) place(p *plan) {
	slot := map[int]int{}
	for i := range p.rows {
		s := &p.rows[i]
		if m.aliases(s) || slices.Contains(p.keep, program.Reg(s.dst)) {
			continue
		}
		kind, buffer := m.storage(program.Reg(s.dst)), m.prog.Regs[s.dst].Buffer
		n, ok := slot[buffer]
		if !ok || buffer == 0 {
			n = p.slots[kind]
			p.slots[kind]++
			slot[buffer] = n
		}
		p.placed = append(p.placed, placed{dst: s.dst, storage: kind, slot: n})
	}
}
