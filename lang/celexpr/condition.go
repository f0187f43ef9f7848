package celexpr

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/ext"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
)

// Condition evaluates a test's condition over the results of a run: `job` maps a
// job id to its values, as in job['1'].priority > job['2'].priority. A false
// result without diagnostics means that the condition does not hold; reads are then the values that it read.
func Condition(src Source, jobs map[string]map[string]schema.Value) (holds bool, reads []string, list diag.List) {
	t := newText(src)
	if !acceptable(t, &list) {
		return false, nil, list
	}
	known, err := extensions()
	var env *cel.Env
	if err == nil {
		jobs := cel.MapType(cel.StringType, cel.MapType(cel.StringType, cel.DynType))
		env, err = cel.NewEnv(append(slices.Clone(known), cel.Variable("job", jobs))...)
	}
	if err != nil {
		list.Errorf(codeSyntax, src.Span, "%v", err)
		return false, nil, list
	}
	checked, issues := env.Compile(t.cel)
	if issues.Err() != nil {
		for _, e := range issues.Errors() {
			list.Errorf(codeSyntax, t.location(e.Location), "%s", plain(e.Message))
		}
		return false, nil, list
	}
	program, err := env.Program(checked, bounded()...)
	if err != nil {
		list.Errorf(codeSyntax, src.Span, "%v", err)
		return false, nil, list
	}
	boxed := make(map[string]any, len(jobs))
	for id, values := range jobs {
		m := make(map[string]any, len(values))
		for name, v := range values {
			m[name] = box(v)
		}
		boxed[id] = m
	}
	t.offsets = checked.NativeRep().SourceInfo()
	c := condition{text: t, root: checked.NativeRep().Expr(), jobs: jobs}
	result, err := evaluate(program, map[string]any{"job": boxed})
	if err != nil {
		c.failed(err, &list)
		return false, nil, list
	}
	isTrue, ok := result.(types.Bool)
	if !ok {
		list.Errorf(codeType, src.Span, "the condition is not true or false but %s", article(result.Type().TypeName()))
	}
	return bool(isTrue), c.reads(), list
}

// condition is a checked condition and what it is about.
type condition struct {
	text *text
	root ast.Expr
	jobs map[string]map[string]schema.Value
}

// read is one value of a job that a condition names, as in job['1'].procs.
type read struct {
	at      ast.Expr
	id      string
	field   string // "" where only the job is named
	present bool   // in has(…)
}

func (c *condition) all() (list []read) {
	jobOf := func(e ast.Expr) (string, bool) {
		if e.Kind() != ast.CallKind || e.AsCall().FunctionName() != operators.Index || len(e.AsCall().Args()) != 2 {
			return "", false
		}
		of, key := e.AsCall().Args()[0], e.AsCall().Args()[1]
		if of.Kind() != ast.IdentKind || of.AsIdent() != "job" || key.Kind() != ast.LiteralKind {
			return "", false
		}
		id, ok := key.AsLiteral().(types.String)
		return string(id), ok
	}
	ast.PreOrderVisit(c.root, ast.NewExprVisitor(func(e ast.Expr) {
		if id, ok := jobOf(e); ok {
			list = append(list, read{at: e, id: id})
		}
		if e.Kind() != ast.SelectKind {
			return
		}
		if id, ok := jobOf(e.AsSelect().Operand()); ok {
			list = append(list, read{e, id, e.AsSelect().FieldName(), e.AsSelect().IsTestOnly()})
		}
	}))
	return list
}

// reads are the values that a condition reads of jobs that it names, as a sentence each.
func (c *condition) reads() (list []string) {
	for _, r := range c.all() {
		if v, ok := c.jobs[r.id][r.field]; ok && !r.present {
			text := strings.Join(strings.Fields(c.text.of(r.at)), " ") + " is " + v.String()
			if !slices.Contains(list, text) {
				list = append(list, text)
			}
		}
	}
	return list
}

// failed reports why the condition has no result, at the part that failed.
func (c *condition) failed(err error, list *diag.List) {
	if strings.HasPrefix(err.Error(), "no such key: ") && c.missing(err.Error(), list) {
		return
	}
	d := list.Errorf(codeConstantFails, c.text.src.Span, "the condition fails: %v", err)
	var of *types.Err
	if !errors.As(err, &of) || err.Error() == "no such overload" { // whose node cel-go keeps from one to the next
		return
	}
	ast.PreOrderVisit(c.root, ast.NewExprVisitor(func(e ast.Expr) {
		if e.ID() != of.NodeID() {
			return
		}
		d.Span = c.text.span(e)
		if e.Kind() == ast.CallKind && len(e.AsCall().Args()) == 2 &&
			slices.Contains([]string{operators.Divide, operators.Modulo}, e.AsCall().FunctionName()) {
			divisor := strings.Join(strings.Fields(c.text.of(e.AsCall().Args()[1])), " ")
			d.Note("%s is 0: guard the expression, as in %s > 0 ? … : 0", divisor, divisor)
		}
	}))
}

// missing reports a job or column that a condition names and that is not there.
func (c *condition) missing(message string, list *diag.List) bool {
	for _, r := range c.all() {
		values, known := c.jobs[r.id]
		if !known {
			d := list.Errorf(codeUnknownName, c.text.span(r.at), "there is no job %q in the result", r.id)
			if near := diag.Nearest(r.id, slices.Sorted(maps.Keys(c.jobs))); near != "" {
				d.Note("did you mean %q?", near)
			}
			return true
		}
		_, has := values[r.field]
		if r.field == "" || has || r.present || !strings.HasSuffix(message, ": "+r.field) || r.field == "priority" ||
			r.field == "score" { // a job without a priority has neither
			continue
		}
		at := c.text.span(r.at)
		job := schema.ObjectByName("job")
		if column := job.Column(r.field); column != nil {
			list.Errorf(codeConstantFails, at, "the condition fails: %s of job %s is unknown", r.field, r.id).
				Note("ask first whether it is known: has(%s)", strings.Join(strings.Fields(c.text.of(r.at)), " "))
			return true
		}
		d := list.Errorf(codeUnknownColumn, at, "a job has no column %q", r.field)
		if column := likelyColumn(job, r.field); column != nil && column.ID.Object() == "job" {
			d.Note("did you mean %s? %s", column.ID.Name(), describeColumn(column))
		} else {
			d.Note("it has priority, score, rank, state, reason, failed, and the columns of `fairway doc columns job`")
		}
		return true
	}
	return false
}

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
