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

var errLongLoop = fmt.Errorf("its macros visit more than %d elements", mostSteps/2)

// bounded makes programs that stop after mostSteps: cel-go then looks for the first time whether its
// context has ended, and the context of evaluate ended before it began.
func bounded() cel.ProgramOption { return cel.InterruptCheckFrequency(mostSteps) }

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
	return result, err
}
