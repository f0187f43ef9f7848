package celexpr

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"
)

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
