package vm

import (
	"errors"
	"fmt"
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/program"
)

// ask is something that an instruction must fulfil, so that it runs without looking again.
type ask struct {
	fits func(m *Machine, in *program.Instr) bool
	what string // is wrong where it does not fit
}

// result stands for whatever the result is held as.
const result = program.Storages

// asks are those of each operation that is no function.
var asks = map[string][]ask{
	program.OpConst: {{isConst, "a constant must have its register's type"}},
	program.OpColumn: {
		{isColumn, "a column is wanted"},
		{keepsShape, "the column enters in another shape"},
	},
	program.OpPresent: {
		{both(isColumn, takes(program.Bools, nil)), "a column and a bool are wanted"},
		{keepsShape, "the column enters in another shape"},
	},
	program.OpGather: {{gathers, "a dictionary's register goes to one of rows"}},
	program.OpCall: {
		{boxes, "an argument is no column and has no value"},
		{callsFunction, "a function of the program's calls is wanted"},
	},
	program.OpAnd: {{takes(program.Bools, list(program.Bools, program.Bools)), "two bools are wanted"}},
	program.OpOr:  {{takes(program.Bools, list(program.Bools, program.Bools)), "two bools are wanted"}},
	program.OpCond: {{takes(result, list(program.Bools, result, result)),
		"a bool and two values of the result's type are wanted"}},
	program.OpCapMul: {{takes(program.Doubles, list(program.Doubles, program.Doubles),
		list(program.Doubles, program.Doubles, program.Doubles)), "a weight, a double and perhaps a cap are wanted"}},

	program.OpCapSum:   {{sums, "a sum, and for each term a weight, a number and a cap are wanted"}},
	program.OpWeighSum: {{sums, "a sum, and for each term a weight and a number are wanted"}},
	program.OpTakeSum:  {{sums, "a sum, and registers of dictionaries to add are wanted"}},
	program.OpTake:     {{sums, "registers of dictionaries to add are wanted"}},

	program.OpFinite:   {aDouble},
	program.OpNumber:   {aDouble},
	program.OpStorable: {aDouble},
}

var aDouble = ask{takes(program.Doubles, list(program.Doubles)), "a double is wanted"}

// check makes sure that an instruction is one the machine can run: a known operation on registers of
// the right storage and level.
func (m *Machine) check(in *program.Instr) error {
	if err := m.checkLevels(in); err != nil {
		return err
	}
	list, ok := asks[in.Op]
	if fn := schema.FunctionByOverload(in.Op); !ok && fn != nil && kernels[in.Op] != nil {
		list, ok = []ask{{function(fn), fmt.Sprintf("the types are not %v to %s", fn.Params, fn.Result)}}, true
	}
	if !ok {
		return errors.New("there is no such operation")
	}
	for _, a := range list {
		if !a.fits(m, in) {
			return errors.New(a.what)
		}
	}
	return m.checkBuffer(in)
}

// checkLevels: a result is computed as often as its arguments change. Only
// gathers, sums and boxed calls read a dictionary's register from rows.
func (m *Machine) checkLevels(in *program.Instr) error {
	dst := m.prog.Regs[in.Dst].Shape
	varies := len(in.Args) == 0 || dst.Level == program.Once
	for _, a := range in.Args {
		arg := m.prog.Regs[a].Shape
		varies = varies || arg.Level != program.Once
		if arg.Level != program.Once && arg != dst && !(m.byEntry(in, a) && slices.Contains(readers, in.Op)) {
			return fmt.Errorf("register r%d changes more often than the result, or needs a gather", a)
		}
	}
	if !varies {
		return errors.New("no argument changes as often as the result")
	}
	return nil
}

// readers are the operations over rows that look their arguments up in dictionaries.
var readers = []string{
	program.OpGather, program.OpCall, program.OpCapSum, program.OpWeighSum, program.OpTakeSum, program.OpTake,
}

// checkBuffer: what shares a buffer is not read any more once another register has it. An argument's own is not
// free for the result yet: a kernel's check may read arguments again when the result is written.
func (m *Machine) checkBuffer(in *program.Instr) error {
	for _, a := range in.Args {
		if b := m.prog.Regs[a].Buffer; b != 0 && m.owner[b] != a {
			return fmt.Errorf("register r%d is read after its buffer was used again", a)
		}
	}
	dst := &m.prog.Regs[in.Dst]
	if dst.Buffer == 0 {
		return nil
	}
	before, used := m.owner[dst.Buffer]
	switch {
	case dst.Shape.Level != program.Row:
		return errors.New("only registers of rows share buffers")
	case used && program.StorageOf(m.prog.Regs[before].Type) != program.StorageOf(dst.Type):
		return errors.New("the buffer holds values of another type")
	case used && slices.Contains(in.Args, before):
		return errors.New("the result overwrites an argument")
	}
	m.owner[dst.Buffer] = in.Dst
	return nil
}

func list(of ...program.Storage) []program.Storage { return of }

// takes asks for arguments of one of the lists.
func takes(to program.Storage, lists ...[]program.Storage) func(*Machine, *program.Instr) bool {
	return func(m *Machine, in *program.Instr) bool {
		own := m.storage(in.Dst)
		if own == program.NoStorage || to != result && own != to {
			return false
		}
		for _, list := range lists {
			if slices.EqualFunc(in.Args, list, func(a program.Reg, want program.Storage) bool {
				return m.storage(a) == want || want == result && m.storage(a) == own
			}) {
				return true
			}
		}
		return false
	}
}

// function asks for the types of a function.
func function(fn *schema.Function) func(*Machine, *program.Instr) bool {
	var params []program.Storage
	for _, t := range fn.Params {
		params = append(params, program.StorageOf(t))
	}
	return takes(program.StorageOf(fn.Result), params)
}

func both(a, b func(*Machine, *program.Instr) bool) func(*Machine, *program.Instr) bool {
	return func(m *Machine, in *program.Instr) bool { return a(m, in) && b(m, in) }
}

func isConst(m *Machine, in *program.Instr) bool {
	return len(in.Args) == 0 && in.Value.Type == m.prog.Regs[in.Dst].Type
}

func isColumn(_ *Machine, in *program.Instr) bool { return len(in.Args) == 0 && in.Column != "" }

func keepsShape(m *Machine, in *program.Instr) bool {
	return m.prog.Regs[in.Dst].Shape == program.ShapeOf(in.Column)
}

func gathers(m *Machine, in *program.Instr) bool {
	return takes(result, list(result))(m, in) && m.byEntry(in, in.Args[0])
}

func boxes(m *Machine, in *program.Instr) bool {
	return !slices.ContainsFunc(in.Args, func(a program.Reg) bool {
		return m.storage(a) == program.NoStorage && !m.isColumn(a)
	})
}

func callsFunction(m *Machine, in *program.Instr) bool {
	return in.Call >= 0 && in.Call < len(m.prog.Calls) && m.prog.Calls[in.Call].Fn != nil &&
		m.storage(in.Dst) != program.NoStorage
}

func sums(m *Machine, in *program.Instr) bool { return m.sum(in) != nil }
