// Package vm runs a program over columns: what comes in is a program.Program and
// the columns it reads, what goes out is a vector for each register asked for and
// the rows where something failed. The engine calls it, and runtime/family where clocks have moved.
//
// Registers that hold for the whole run or for one dictionary entry are computed
// first, over their own few values. The rest runs over blocks of rows, an instruction a
// time, so that what one instruction writes is still in the cache when the next
// reads it. Blocks are independent: the result is the same for any number of workers.
//
// Failure is CEL's: an error is a value of its row, passes through strict functions, and
// may be absorbed by logic. The slow twin of this package is lang/expr's Eval.
package vm

import (
	"fmt"
	"slices"
	"sync"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/program"
)

// BlockRows is the number of rows a block has. A register of doubles takes 16 KB
// then: short enough for several to stay in the first cache, long enough that the
// cost of choosing a kernel vanishes.
const BlockRows = 2048

// Machine is a loaded program: every instruction bound to its kernel. It is
// immutable and may run several bindings at once.
type Machine struct {
	prog   *program.Program
	steps  []step // an instruction each
	spread []spread
	def    []int               // per register: the instruction that defines it
	owner  map[int]program.Reg // while it is loaded, the register that has each buffer
}

// Binding is what a program runs over. A column that enters per row has Rows entries; a
// credential's column has one entry per dictionary entry of the job column that joins
// it, which must be bound too; what holds for the whole run has one entry.
type Binding struct {
	Rows    int
	Columns map[schema.ColumnID]*column.Column
}

// Load checks a program and binds its instructions. What the compiler made always
// loads; an error names the instruction of a program that it did not make.
func Load(p *program.Program) (*Machine, error) {
	m := &Machine{prog: p, def: make([]int, len(p.Regs)), owner: map[int]program.Reg{}}
	for r := range m.def {
		m.def[r] = -1
	}
	for i := range p.Instrs {
		if err := m.load(i); err != nil {
			return nil, fmt.Errorf("instruction %d (%s): %w", i, p.Instrs[i].Op, err)
		}
	}
	return m, nil
}

// load checks one instruction and binds it. Everything before it is checked
// already, so that registers can be trusted.
func (m *Machine) load(i int) error {
	in := &m.prog.Instrs[i]
	if in.Dst < 0 || int(in.Dst) >= len(m.def) {
		return fmt.Errorf("there is no register r%d", in.Dst)
	}
	if m.def[in.Dst] >= 0 {
		return fmt.Errorf("register r%d is assigned twice", in.Dst)
	}
	for _, a := range in.Args {
		if a < 0 || int(a) >= len(m.def) || m.def[a] < 0 {
			return fmt.Errorf("register r%d is read before it is assigned", a)
		}
	}
	if err := m.check(in); err != nil {
		return err
	}
	m.def[in.Dst] = i
	m.steps = append(m.steps, m.step(i))
	return nil
}

// Run executes what the registers in keep need, on at most workers goroutines, and
// returns them in the same order. The error is for a binding that lacks a column the program reads.
func (m *Machine) Run(b Binding, keep []program.Reg, workers int) (*Output, error) {
	return m.RunAfter(nil, nil, b, keep, workers)
}

// RunAfter is Run, and takes from an earlier run what is the same: of this program or another one, over these rows
// or others. The spans say which of them both have; without, those of the same index. The output is that of Run,
// and may share memory with the earlier one.
func (m *Machine) RunAfter(before *Output, spans []column.Span, b Binding, keep []program.Reg, workers int) (*Output,
	error) {
	for _, r := range keep {
		if r < 0 || int(r) >= len(m.def) || m.def[r] < 0 {
			return nil, fmt.Errorf("there is no register r%d to keep", r)
		}
	}
	plan := m.plan(keep, nil)
	run, err := newRun(m, plan, b, workers)
	if err != nil {
		return nil, err
	}
	if before != nil {
		run.reuse = newReuse(run, before.run, before.codes, spans)
		if more := run.reuse.frontier(); len(more) > 0 {
			run.plan = m.plan(append(slices.Clone(keep), more...), nil)
		}
	}
	run.prepare()
	if run.reuse != nil {
		run.takeRows()
	}
	run.layOutAll()
	if run.reuse != nil {
		run.fillTaken()
	}

	blocks := (b.Rows + BlockRows - 1) / BlockRows
	workers = max(1, min(workers, blocks))
	tallies := make([]*tally, workers)
	var wg sync.WaitGroup
	for w := range workers {
		from, to := blocks*w/workers*BlockRows, min(b.Rows, blocks*(w+1)/workers*BlockRows)
		shard := func() {
			tallies[w] = run.rows(from, to)
		}
		if w == workers-1 {
			shard()
			continue
		}
		wg.Add(1)
		go func() { defer wg.Done(); shard() }()
	}
	wg.Wait()
	run.reuse = nil
	return run.output(tallies), nil
}
