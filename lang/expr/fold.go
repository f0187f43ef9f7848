package expr

import (
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
)

// Fold computes what does not depend on a row and drops branches that cannot
// be taken. Value and failure stay the same on every row: a constant
// expression that fails is left as it is (see Failing).
func Fold(e *Expr) *Expr {
	if e == nil || len(e.Args) == 0 && e.Op != Opaque {
		return e
	}
	args, constant, changed := make([]*Expr, len(e.Args)), true, false
	for i, a := range e.Args {
		args[i] = Fold(a)
		if e.Op == Cond && i == 0 && args[0].IsConst() { // the other branch may hold anything, even what would fail
			return Fold(e.Args[1+int(1-args[0].Value.Int)])
		}
		constant = constant && args[i].IsConst()
		changed = changed || args[i] != a
	}
	if changed {
		copied := *e
		copied.Args = args
		e = &copied
	}
	switch e.Op {
	case And:
		return foldLogic(e, false)
	case Or:
		return foldLogic(e, true)
	case Call, Opaque:
		if !constant {
			return e
		}
		if v, err := Eval(e, nil); err == nil {
			return NewConst(v, e.Span)
		}
	}
	return e
}

// foldLogic drops arguments that cannot decide; a decisive one wins even over
// errors, in either order, as in Eval.
func foldLogic(e *Expr, decisive bool) *Expr {
	var rest []*Expr
	for _, a := range e.Args {
		switch {
		case !a.IsConst():
			rest = append(rest, a)
		case (a.Value.Int != 0) == decisive:
			return NewConst(schema.BoolValue(decisive), e.Span)
		}
	}
	switch len(rest) {
	case len(e.Args):
		return e
	case 0:
		return NewConst(schema.BoolValue(!decisive), e.Span)
	case 1:
		return rest[0]
	}
	copied := *e
	copied.Args = rest
	return &copied
}

// Failure is a constant part that fails whenever it is evaluated.
type Failure struct {
	Expr *Expr
	Err  error
}

// Failing lists the constant parts of a folded expression that fail.
func Failing(e *Expr) []Failure {
	var list []Failure
	e.Walk(func(n *Expr) {
		if err := constantError(n); err != nil {
			list = append(list, Failure{n, err})
		}
	})
	return list
}

// AlwaysFails reports whether a folded expression fails on every row because
// of its constant parts.
func AlwaysFails(e *Expr) bool {
	switch e.Op {
	case Call:
		return constantError(e) != nil || slices.ContainsFunc(e.Args, AlwaysFails)
	case Opaque:
		return constantError(e) != nil
	case And, Or:
		return !slices.ContainsFunc(e.Args, func(a *Expr) bool { return !AlwaysFails(a) })
	case Cond:
		return AlwaysFails(e.Args[0]) || AlwaysFails(e.Args[1]) && AlwaysFails(e.Args[2])
	}
	return false
}

// constantError is the error of a call whose arguments are all constants.
func constantError(n *Expr) error {
	if n.Op != Call && n.Op != Opaque || slices.ContainsFunc(n.Args, func(a *Expr) bool { return !a.IsConst() }) {
		return nil
	}
	_, err := Eval(n, nil)
	return err
}
