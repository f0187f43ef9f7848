package policy

import (
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// local is one entry of a locals block.
type local struct {
	attr   *hclsyntax.Attribute
	value  cty.Value
	params []string
	state  localState
	bad    bool // reported; what uses it stays silent
}

type localState int

const (
	localNew localState = iota
	localBusy
	localDone
)

// defineLocals evaluates every local in the order of their dependencies. A
// cycle is reported once, with its members.
func (e *evaluator) defineLocals(body *hclsyntax.Body) {
	e.locals = map[string]*local{}
	var order []string
	for _, b := range body.Blocks {
		if b.Type != "locals" {
			continue
		}
		for _, a := range sortedAttributes(b.Body) {
			if first := e.locals[a.Name]; first != nil {
				e.diags.Errorf("policy-duplicate-name", e.span(a.NameRange), "local.%s is defined twice", a.Name).
					NoteAt(e.span(first.attr.NameRange), "first defined here")
				continue
			}
			e.locals[a.Name] = &local{attr: a}
			order = append(order, a.Name)
		}
	}
	e.vars["local"] = cty.EmptyObjectVal
	values := map[string]cty.Value{}
	for _, name := range order {
		e.defineLocal(name, nil, values)
	}
}

// defineLocal evaluates one local after those it reads. The path are the
// locals being evaluated.
func (e *evaluator) defineLocal(name string, path []string, values map[string]cty.Value) {
	l := e.locals[name]
	if l == nil || l.state == localDone {
		return
	}
	if l.state == localBusy {
		cycle := append(path[slices.Index(path, name):], name)
		e.diags.Errorf("policy-local-cycle", e.span(l.attr.NameRange), "local.%s depends on itself", name).
			Note("local.%s", strings.Join(cycle, " → local."))
		for _, n := range cycle {
			e.locals[n].bad = true
		}
		return
	}
	l.state = localBusy
	for _, t := range l.attr.Expr.Variables() {
		if root, dependency, _ := e.steps(t); root == "local" {
			e.defineLocal(dependency, append(slices.Clip(path), name), values)
		}
	}
	if !l.bad {
		v, params, ok := e.eval(l.attr.Expr, nil)
		if ok {
			l.value, l.params = v, params
			values[name] = v
			e.vars["local"] = cty.ObjectVal(maps.Clone(values))
		}
		l.bad = !ok
	}
	l.state = localDone
}
