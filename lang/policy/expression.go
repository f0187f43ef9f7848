package policy

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// Scope is what HCL expressions may read, beside locals and each.
type Scope struct {
	Params     map[string]schema.Value // param.NAME: every declared parameter, unknown ones too
	Documented map[string]bool         // documented.NAME: which deviations follow the manual
	Version    int                     // version: 2205 for Slurm 22.05; 0 where versions play no part
}

// evaluator evaluates the expressions of one policy block or test.
type evaluator struct {
	file   *source.File
	edits  []edit // what HCL's text differs from the file's in
	diags  *diag.List
	vars   map[string]cty.Value // param, documented, version, local; nil entries are not known yet
	locals map[string]*local
	nodes  int // blocks made so far
}

// each is the element that a for_each block is made for.
type each struct {
	key    string
	value  cty.Value
	cel    map[string]schema.Value
	params []string
}

// constantEvaluator knows functions only: for headers and tests.
func constantEvaluator(f *source.File, diags *diag.List) *evaluator {
	return &evaluator{file: f, diags: diags}
}

// newEvaluator knows all of stage one but the locals, which defineLocals adds.
func newEvaluator(p *Policy, scope Scope, diags *diag.List) *evaluator {
	params, documented := map[string]cty.Value{}, map[string]cty.Value{}
	for name, v := range scope.Params {
		params[name] = toCty(v)
	}
	for name, b := range scope.Documented {
		documented[name] = cty.BoolVal(b)
	}
	return &evaluator{file: p.file, edits: p.edits, diags: diags, vars: map[string]cty.Value{
		"param": cty.ObjectVal(params), "documented": cty.ObjectVal(documented),
		"version": cty.NumberIntVal(int64(scope.Version)),
	}}
}

// span is the place of an HCL range in the file.
func (e *evaluator) span(r hcl.Range) source.Span {
	return e.file.Span(originalOffset(e.edits, r.Start.Byte), originalOffset(e.edits, r.End.Byte))
}

// eval evaluates an expression to a constant. The params are those it was made
// from. A false ok has been reported.
func (e *evaluator) eval(x hclsyntax.Expression, in *each) (v cty.Value, params []string, ok bool) {
	params, ok = e.resolve(x, in)
	if !ok || !e.functionsExist(x) {
		return cty.NilVal, nil, false
	}
	ctx := &hcl.EvalContext{Variables: map[string]cty.Value{}, Functions: functionByName}
	maps.Copy(ctx.Variables, e.vars)
	if in != nil {
		ctx.Variables["each"] = cty.ObjectVal(map[string]cty.Value{"key": cty.StringVal(in.key), "value": in.value})
	}
	v, hclDiags := e.value(x, ctx)
	if hclDiags.HasErrors() {
		e.addHCL("policy-expression", hclDiags)
		return cty.NilVal, nil, false
	}
	if weight(v) > maxWeight {
		e.diags.Errorf("policy-too-large", e.span(x.Range()), "the value of this expression is too large").
			Note("a constant may have about %d characters, elements or digits", maxWeight)
		return cty.NilVal, nil, false
	}
	return v, params, true
}

const maxWeight = 1 << 20

// value guards against arithmetic that big numbers cannot do: subtracting
// infinities panics with big.ErrNaN.
func (e *evaluator) value(x hclsyntax.Expression, ctx *hcl.EvalContext) (v cty.Value, diags hcl.Diagnostics) {
	defer func() {
		if r := recover(); r != nil {
			subject := x.Range()
			diags = hcl.Diagnostics{{Severity: hcl.DiagError, Summary: "Expression has no value", Detail: fmt.Sprint(r),
				Subject: &subject}}
		}
	}()
	defer (&visits{mostVisits, mostMade}).count(x)()
	return x.Value(ctx)
}

// resolve checks that every variable exists, which gives better words and
// suggestions than evaluating would, and collects the params after them.
func (e *evaluator) resolve(x hclsyntax.Expression, in *each) (params []string, ok bool) {
	ok = true
	for _, t := range x.Variables() {
		root, name, span := e.steps(t)
		switch {
		case root == "each" && in != nil:
			params = append(params, in.params...)
		case root == "each":
			e.diags.Errorf("policy-unknown-variable", span, "each is known only inside a block with for_each")
			ok = false
		case root == "local" && e.locals != nil:
			l := e.locals[name]
			if l == nil {
				ok = e.unknownMember("local", name, t, slices.Collect(maps.Keys(e.locals)))
				continue
			}
			if l.state != localDone || l.bad {
				ok = false // reported where it is defined
				continue
			}
			params = append(params, l.params...)
		case (root == "param" || root == "documented") && e.vars != nil:
			members := e.vars[root]
			if name != "" && !members.Type().HasAttribute(name) {
				ok = e.unknownMember(root, name, t, slices.Collect(maps.Keys(members.AsValueMap())))
				continue
			}
			if root == "param" && name != "" {
				params = append(params, name)
			}
		case root == "version" && e.vars != nil:
		default:
			ok = e.unknownVariable(root, span)
		}
	}
	slices.Sort(params)
	return slices.Compact(params), ok
}

// steps takes a traversal apart: its root, the member's name ("" if it is
// computed) and the bytes of both.
func (e *evaluator) steps(t hcl.Traversal) (root, name string, span source.Span) {
	root = t.RootName()
	end := t[0].SourceRange()
	if len(t) > 1 {
		switch s := t[1].(type) {
		case hcl.TraverseAttr:
			name, end = s.Name, s.SrcRange
		case hcl.TraverseIndex:
			if s.Key.Type() == cty.String && s.Key.IsKnown() && !s.Key.IsNull() {
				name, end = s.Key.AsString(), s.SrcRange
			}
		}
	}
	return root, name, e.span(hcl.RangeBetween(t[0].SourceRange(), end))
}

// unknownMember reports param.NAME and the like, with the nearest name.
func (e *evaluator) unknownMember(root, name string, t hcl.Traversal, known []string) bool {
	if len(t) < 2 {
		e.diags.Errorf("policy-unknown-variable", e.span(t.SourceRange()), "%s needs a name", root).
			Note("write %s.NAME", root)
		return false
	}
	sort.Strings(known)
	span := e.span(t[1].SourceRange())
	d := e.diags.Errorf("policy-unknown-variable", span, "there is no %s named %q", root, name)
	if near := diag.Nearest(name, known); near != "" {
		d.Note("did you mean %q?", near)
		if _, plain := t[1].(hcl.TraverseAttr); plain {
			d.Suggest(span, "."+near)
		}
	}
	return false
}

// unknownVariable says why a name is not known: it comes later, it is CEL's, or
// it is no name at all.
func (e *evaluator) unknownVariable(root string, span source.Span) bool {
	switch {
	case slices.Contains(stageOneRoots, root):
		e.diags.Errorf("policy-unknown-variable", span, "%s is not known here", root).
			Note("params, declarations and tests are read before anything else: write a constant")
	case isCELRoot(root):
		e.diags.Errorf("policy-unknown-variable", span, "%s is known only once there are jobs", root).
			Note("this attribute is a constant; only attributes that take CEL, such as factor and when, may read %s",
				root)
	default:
		d := e.diags.Errorf("policy-unknown-variable", span, "there is no variable named %q", root)
		if slices.Contains(functionNames(), root) {
			d.Note("%s is a function: write %s", root, functionUsage(root))
		}
		d.DidYouMean(e.file.Span(int(span.Start), int(span.Start)+len(root)), root, stageOneRoots)
		d.Note("write text in double quotes; expressions may read %s", strings.Join(stageOneRoots, ", "))
	}
	return false
}

var stageOneRoots = []string{"param", "local", "each", "documented", "version"}

// isCELRoot reports whether CEL expressions, but not HCL ones, know the name.
func isCELRoot(name string) bool {
	if name == string(schema.Now) || name == "score" || name == "define" || schema.ObjectByName(name) != nil {
		return true
	}
	return slices.ContainsFunc(schema.Objects, func(o *schema.Object) bool { return o.Plural == name && name != "" })
}

// functionsExist reports calls of functions that HCL expressions do not have.
func (e *evaluator) functionsExist(x hclsyntax.Expression) bool {
	ok := true
	hclsyntax.VisitAll(x, func(n hclsyntax.Node) hcl.Diagnostics {
		call, isCall := n.(*hclsyntax.FunctionCallExpr)
		if isCall && !hasFunction(call.Name) {
			span := e.span(call.NameRange)
			e.diags.Errorf("policy-unknown-function", span, "there is no function named %q", call.Name).
				DidYouMean(span, call.Name, functionNames()).
				Note("the functions are %s", strings.Join(functionNames(), ", "))
			ok = false
		}
		return nil
	})
	return ok
}

func hasFunction(name string) bool { _, ok := functionByName[name]; return ok }
