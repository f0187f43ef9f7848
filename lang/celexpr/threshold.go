package celexpr

import (
	"maps"
	"slices"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/ext"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
)

// Threshold is a condition on named numbers, such as moved > 0.05 || blocked > 10.
type Threshold struct {
	Names   []string // those that it mentions, in order
	src     Source
	program cel.Program
}

// NewThreshold compiles a condition over names of the given types; it is nil where there are errors. Numbers
// of different types may be compared, for a limit is written as people write numbers.
func NewThreshold(src Source, names map[string]schema.Type) (*Threshold, diag.List) {
	var list diag.List
	t := newText(src)
	if !acceptable(t, &list) {
		return nil, list
	}
	options := []cel.EnvOption{ext.Math(), cel.CrossTypeNumericComparisons(true)}
	known := slices.Sorted(maps.Keys(names))
	for _, name := range known {
		kind := map[schema.Type]*cel.Type{schema.Int: cel.IntType, schema.Double: cel.DoubleType,
			schema.Bool: cel.BoolType}[names[name]]
		options = append(options, cel.Variable(name, kind))
	}
	env, err := cel.NewEnv(options...)
	if err != nil {
		list.Errorf(codeSyntax, src.Span, "%v", err)
		return nil, list
	}
	out := &Threshold{src: src}
	for i := range t.tokens {
		if word := t.token(i); names[word] != 0 && !slices.Contains(out.Names, word) {
			out.Names = append(out.Names, word)
		}
	}
	checked, issues := env.Compile(t.cel)
	for _, e := range issues.Errors() {
		at, message := t.location(e.Location), plain(e.Message)
		word, unknown := strings.CutPrefix(message, "undeclared reference to '")
		if word = strings.TrimSuffix(word, "'"); !unknown {
			list.Errorf(codeSyntax, at, "%s", message)
			continue
		}
		list.Errorf(codeUnknownName, at, "there is no %s here", word).DidYouMean(at, word, known).
			Note("there are: %s", strings.Join(known, ", "))
	}
	if len(list) > 0 {
		return nil, list
	}
	if !checked.OutputType().IsExactType(cel.BoolType) {
		list.Errorf(codeResultType, src.Span, "the condition is not true or false but a %s", checked.OutputType()).
			Note("compare it with a number, as in moved > 0.05")
		return nil, list
	}
	if out.program, err = env.Program(checked, bounded()...); err != nil {
		list.Errorf(codeSyntax, src.Span, "%v", err)
		return nil, list
	}
	return out, nil
}

// Holds evaluates the condition. A false result without diagnostics means that it does not hold.
func (t *Threshold) Holds(values map[string]schema.Value) (bool, diag.List) {
	var list diag.List
	boxed := make(map[string]any, len(values))
	for name, v := range values {
		boxed[name] = box(v)
	}
	result, err := evaluate(t.program, boxed)
	if err != nil {
		list.Errorf(codeConstantFails, t.src.Span, "the condition fails: %v", err)
		return false, list
	}
	return result == types.True, list
}
