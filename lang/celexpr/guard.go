package celexpr

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/functions"
	"github.com/google/cel-go/common/overloads"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/interpreter"
)

// extensions are the functions of cel-go's extensions that expressions may call. Those that look at each pair of what
// they get, or make a text for each, look at the sizes first: cel-go counts a call when it is over.
var extensions = sync.OnceValues(func() ([]cel.EnvOption, error) {
	options := plainExtensions()
	env, err := cel.NewCustomEnv(options...)
	if err != nil {
		return nil, err
	}
	for name, f := range env.Functions() {
		if !slices.Contains(multiplying, name) {
			continue
		}
		bindings, err := f.Bindings()
		if err != nil {
			return nil, err
		}
		for _, o := range f.OverloadDecls() {
			at := slices.IndexFunc(bindings, func(b *functions.Overload) bool { return b.Operator == o.ID() })
			if at < 0 {
				continue
			}
			declare := cel.Overload
			if o.IsMemberFunction() {
				declare = cel.MemberOverload
			}
			overload := declare(o.ID(), o.ArgTypes(), o.ResultType(), guarded(bindings[at]))
			options = append(options, cel.Function(name, overload))
		}
	}
	return options, nil
})

// tooCostly ends an evaluation as cel-go ends one that costs too much.
var tooCostly = interpreter.EvalCancelledError{Cause: interpreter.CostLimitExceeded, Message: errCostly.Error()}

// multiplying are the functions whose work, or what they make, is the product of the sizes of what they get.
var multiplying = []string{
	"replace", "join", "distinct", "flatten", "sets.contains", "sets.equivalent", "sets.intersects",
}

// guarded is a function that refuses to do more than an evaluation may.
func guarded(b *functions.Overload) cel.OverloadOpt {
	do := func(args ...ref.Val) ref.Val {
		work := 1
		for _, a := range args {
			work = min(work, mostCost) * (1 + weight(a, mostCost))
		}
		if len(args) == 1 && b.Operator == "list_distinct" {
			work *= work
		}
		if work > mostCost {
			panic(tooCostly)
		}
		switch {
		case b.Unary != nil && len(args) == 1:
			return b.Unary(args[0])
		case b.Binary != nil && len(args) == 2:
			return b.Binary(args[0], args[1])
		}
		return b.Function(args...)
	}
	switch {
	case b.Unary != nil:
		return cel.UnaryBinding(func(a ref.Val) ref.Val { return do(a) })
	case b.Binary != nil:
		return cel.BinaryBinding(func(a, c ref.Val) ref.Val { return do(a, c) })
	}
	return cel.FunctionBinding(do)
}

// weight is how much there is in a value, or most if there is more: of texts the bytes, of lists the elements with all
// that is in them, however often one value is in it.
func weight(v ref.Val, most int) int {
	switch v := v.(type) {
	case types.String:
		return min(len(v), most)
	case traits.Lister:
		sum := 0
		for it := v.Iterator(); sum < most && it.HasNext() == types.True; {
			sum += 1 + weight(it.Next(), most-sum)
		}
		return min(sum, most)
	}
	return 0
}

// joined counts the shorter of two lists that are joined, which cel-go does not: a list that is joined with itself
// again and again is beyond all bounds within few steps. A macro adds its elements one by one.
type joined struct{}

func (joined) CallCost(_, overload string, args []ref.Val, _ ref.Val) *uint64 {
	if overload != overloads.AddList {
		return nil
	}
	a, isList := args[0].(traits.Lister)
	b, both := args[1].(traits.Lister)
	if !isList || !both {
		return nil
	}
	if b.Size().(types.Int) < a.Size().(types.Int) {
		a = b
	}
	cost := uint64(1 + weight(a, mostCost))
	return &cost
}

// mostNested bounds what is in a list of lists that an expression makes. Such a list may have the same one in it again
// and again, so that little memory holds what takes for ever to compare.
const mostNested = 10_000

// shallow makes lists of lists stay below mostNested.
func shallow(i interpreter.InterpretableV2) (interpreter.InterpretableV2, error) {
	if c, ok := i.(interpreter.InterpretableConstructor); ok && c.Type() == types.ListType {
		return &list{c}, nil
	}
	return i, nil
}

// list makes a list.
type list struct {
	interpreter.InterpretableConstructor
}

// Exec implements interpreter.InterpretableV2.
func (l *list) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	return small(l.InterpretableConstructor.Exec(frame))
}

// Eval implements interpreter.Interpretable.
func (l *list) Eval(names interpreter.Activation) ref.Val {
	return small(l.InterpretableConstructor.Eval(names))
}

func small(made ref.Val) ref.Val {
	values, ok := made.(traits.Lister)
	if !ok {
		return made // an error, or what is not known
	}
	for it := values.Iterator(); it.HasNext() == types.True; {
		if _, nested := it.Next().(traits.Lister); nested && weight(values, mostNested) >= mostNested {
			panic(tooCostly)
		}
	}
	return made
}

// mostSteps bounds the loops of one evaluation by cel-go: a macro takes two steps for each element that it
// visits, and macros within macros multiply. Without it a policy of a few lines takes hours and all memory.
const mostSteps = 200_000

// mostCost bounds the work of one evaluation with macros, in cel-go's units: an element or a call is about
// one, ten characters of a text that is made are one. Texts that macros join again and again grow beyond all memory
// within few visits.
const mostCost = 10_000_000

var (
	errLongLoop = fmt.Errorf("its macros visit more than %d elements", mostSteps/2)
	errCostly   = errors.New("it makes too much text, or too many values")
)

// bounded makes programs that stop after mostSteps: cel-go then looks for the first time whether its
// context has ended, and the context of evaluate ended before it began. They stop after mostCost too.
func bounded() []cel.ProgramOption {
	return []cel.ProgramOption{
		cel.InterruptCheckFrequency(mostSteps), cel.CostLimit(mostCost),
		cel.CostTracking(joined{}), cel.CustomDecoratorV2(shallow),
	}
}

var ended = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

// evaluate runs a bounded program; the input is an activation or a map of names.
func evaluate(program cel.Program, input any) (ref.Val, error) {
	result, _, err := program.ContextEval(ended, input)
	if errors.Is(err, interpreter.InterruptError{}) {
		return nil, errLongLoop
	}
	if cancelled := (interpreter.EvalCancelledError{}); errors.As(err, &cancelled) &&
		cancelled.Cause == interpreter.CostLimitExceeded {
		return nil, errCostly
	}
	return result, err
}
