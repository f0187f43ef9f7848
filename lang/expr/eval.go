package expr

import (
	"errors"
	"fmt"

	"github.com/fairway-sched/fairway/lang/schema"
)

// The ways an expression can fail on a row. The texts are cel-go's own
// (common/types/err.go, double.go), so every evaluator says the same.
var (
	ErrOverflow       = errors.New("integer overflow")
	ErrDivisionByZero = errors.New("division by zero")
	ErrModulusByZero  = errors.New("modulus by zero")
	ErrNaNOrder       = errors.New("NaN values cannot be ordered")
)

// UnknownError is the failure of reading a column that has no value on a row.
type UnknownError struct{ Column schema.ColumnID }

func (e UnknownError) Error() string { return string(e.Column) + " is unknown" }

// Eval evaluates e on one row, slowly and obviously: the twin that the vector
// kernels must equal bit for bit. row gives the value of a column, a Value of
// type Invalid if it is unknown.
//
// Errors follow CEL: a call fails with the first of its arguments that failed;
// false && error is false and true || error is true in either order; of a
// condition only the chosen branch counts.
func Eval(e *Expr, row func(schema.ColumnID) schema.Value) (schema.Value, error) {
	switch e.Op {
	case Const:
		return e.Value, nil
	case Column:
		v := row(e.Column)
		if !v.Known() {
			return schema.Value{}, UnknownError{e.Column}
		}
		return v, nil
	case Present:
		return schema.BoolValue(row(e.Column).Known()), nil
	case And:
		return evalLogic(e.Args, row, false)
	case Or:
		return evalLogic(e.Args, row, true)
	case Cond:
		c, err := Eval(e.Args[0], row)
		if err != nil {
			return schema.Value{}, err
		}
		if c.Int != 0 {
			return Eval(e.Args[1], row)
		}
		return Eval(e.Args[2], row)
	case Opaque:
		args := make([]schema.Value, len(e.Args))
		for i, a := range e.Args {
			args[i] = row(a.Column) // unknown ones are the function's business
		}
		return e.Fn(args)
	case Call:
		args := make([]schema.Value, len(e.Args))
		var failed error
		for i, a := range e.Args {
			v, err := Eval(a, row)
			if err != nil && failed == nil {
				failed = err
			}
			args[i] = v
		}
		if failed != nil {
			return schema.Value{}, failed
		}
		return call(e.Func, args)
	}
	return schema.Value{}, fmt.Errorf("expression node of unknown kind %d", e.Op)
}

// evalLogic is && with decisive = false and || with decisive = true: one
// decisive argument decides, whatever failed beside it.
func evalLogic(args []*Expr, row func(schema.ColumnID) schema.Value, decisive bool) (schema.Value, error) {
	var failed error
	for _, a := range args {
		v, err := Eval(a, row)
		switch {
		case err != nil && failed == nil:
			failed = err
		case err == nil && (v.Int != 0) == decisive:
			return v, nil
		}
	}
	return schema.BoolValue(!decisive), failed
}
