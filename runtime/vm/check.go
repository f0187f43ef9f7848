package vm

import (
	"errors"
	"fmt"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/program"
)

// check makes sure that an instruction is one the machine can run without looking
// again: a known operation on registers of the right storage and level.
func (m *Machine) check(in *program.Instr) (*kernel, error) {
	dst := m.prog.Regs[in.Dst]
	to := storageOf(dst.Type)
	var from []storage
	for _, a := range in.Args {
		from = append(from, storageOf(m.prog.Regs[a].Type))
	}
	if err := m.checkLevels(in); err != nil {
		return nil, err
	}
	switch in.Op {
	case program.OpConst:
		return nil, firstError(want(len(from) == 0 && in.Value.Type == dst.Type, "a constant must have its register's type"))
	case program.OpColumn:
		return nil, firstError(want(len(from) == 0 && in.Column != "", "a column is wanted"),
			want(dst.Shape == program.ShapeOf(in.Column), "the column enters in another shape"))
	case program.OpPresent:
		return nil, firstError(want(len(from) == 0 && in.Column != "" && to == boolStorage, "a column and a bool are wanted"),
			want(dst.Shape == program.ShapeOf(in.Column), "the column enters in another shape"))
	case program.OpGather:
		ok := len(from) == 1 && from[0] == to && to != noStorage && m.level(in.Args[0]) == program.Dict && dst.Shape.Level == program.Row
		return nil, firstError(want(ok, "a dictionary's register goes to one of rows"))
	case program.OpCall:
		for i, s := range from {
			if s == noStorage && !m.isColumn(in.Args[i]) {
				return nil, fmt.Errorf("argument %d is no column and has no value", i)
			}
		}
		ok := in.Call >= 0 && in.Call < len(m.prog.Calls) && m.prog.Calls[in.Call].Fn != nil && to != noStorage
		return nil, firstError(want(ok, "a function of the program's calls is wanted"))
	case program.OpAnd, program.OpOr:
		return nil, firstError(want(same(from, boolStorage, boolStorage) && to == boolStorage, "two bools are wanted"))
	case program.OpCond:
		return nil, firstError(want(to != noStorage && same(from, boolStorage, to, to), "a bool and two values of the result's type are wanted"))
	case program.OpCapMul:
		ok := same(from, doubleStorage, doubleStorage) || same(from, doubleStorage, doubleStorage, doubleStorage)
		return nil, firstError(want(ok && to == doubleStorage, "a weight, a double and perhaps a cap are wanted"))
	case program.OpCapSum:
		ok := same(from, doubleStorage, doubleStorage, doubleStorage) || same(from, doubleStorage, doubleStorage, doubleStorage, doubleStorage)
		return nil, firstError(want(ok && to == doubleStorage, "a sum, a weight, a double and perhaps a cap are wanted"))
	}
	if k := guards[in.Op]; k != nil {
		return k, firstError(want(same(from, doubleStorage) && to == doubleStorage, "a double is wanted"))
	}
	fn, k := schema.FunctionByOverload(in.Op), kernels[in.Op]
	if fn == nil || k == nil {
		return nil, errors.New("there is no such operation")
	}
	var params []storage
	for _, t := range fn.Params {
		params = append(params, storageOf(t))
	}
	return k, firstError(want(same(from, params...) && to == storageOf(fn.Result), "the types are not "+fmt.Sprint(fn.Params)+" to "+fn.Result.String()))
}

// checkLevels: a result is computed as often as its arguments change. Only
// gathers and boxed calls read a dictionary's register from rows.
func (m *Machine) checkLevels(in *program.Instr) error {
	dst := m.prog.Regs[in.Dst].Shape
	varies := len(in.Args) == 0 || dst.Level == program.Once
	for _, a := range in.Args {
		arg := m.prog.Regs[a].Shape
		varies = varies || arg.Level != program.Once
		switch {
		case arg.Level == program.Once, arg == dst:
		case arg.Level == program.Dict && dst.Level == program.Row && (in.Op == program.OpGather || in.Op == program.OpCall):
		default:
			return fmt.Errorf("register r%d changes more often than the result, or needs a gather", a)
		}
	}
	if !varies {
		return errors.New("no argument changes as often as the result")
	}
	return nil
}

func same(have []storage, wanted ...storage) bool {
	if len(have) != len(wanted) {
		return false
	}
	for i := range have {
		if have[i] != wanted[i] {
			return false
		}
	}
	return true
}

// want makes a requirement an error.
func want(ok bool, message string) error {
	if ok {
		return nil
	}
	return errors.New(message)
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
