package celexpr

import (
	"slices"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
)

// Condition evaluates a test's condition over the results of a run: `job` maps a
// job id to its values, as in job['1'].priority > job['2'].priority. A false
// result without diagnostics means that the condition does not hold.
func Condition(src Source, jobs map[string]map[string]schema.Value) (bool, diag.List) {
	var list diag.List
	t := newText(src)
	if !acceptable(t, &list) {
		return false, list
	}
	known, err := extensions()
	var env *cel.Env
	if err == nil {
		jobs := cel.MapType(cel.StringType, cel.MapType(cel.StringType, cel.DynType))
		env, err = cel.NewEnv(append(slices.Clone(known), cel.Variable("job", jobs))...)
	}
	if err != nil {
		list.Errorf(codeSyntax, src.Span, "%v", err)
		return false, list
	}
	checked, issues := env.Compile(t.cel)
	if issues.Err() != nil {
		for _, e := range issues.Errors() {
			list.Errorf(codeSyntax, t.location(e.Location), "%s", plain(e.Message))
		}
		return false, list
	}
	program, err := env.Program(checked, bounded()...)
	if err != nil {
		list.Errorf(codeSyntax, src.Span, "%v", err)
		return false, list
	}
	boxed := make(map[string]any, len(jobs))
	for id, values := range jobs {
		m := make(map[string]any, len(values))
		for name, v := range values {
			m[name] = box(v)
		}
		boxed[id] = m
	}
	result, err := evaluate(program, map[string]any{"job": boxed})
	if err != nil {
		list.Errorf(codeConstantFails, src.Span, "the condition fails: %v", err)
		return false, list
	}
	holds, ok := result.(types.Bool)
	if !ok {
		list.Errorf(codeType, src.Span, "the condition is not true or false but a %s", result.Type().TypeName())
	}
	return bool(holds), list
}
