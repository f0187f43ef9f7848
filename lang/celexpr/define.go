package celexpr

import (
	"fmt"
	"maps"
	"slices"

	"github.com/google/cel-go/common/ast"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/source"
)

// mostNodes bounds what defines add to one expression: without it a few lines that each read the one before twice
// take all memory.
const mostNodes = 10_000

// Define is a named expression, which others read as define.NAME.
type Define struct {
	Name   string
	Span   source.Span // what introduces it
	Source Source
	Params []string // the params that Source.Each was made from
}

// define is a checked Define. What reads it gets a copy of its tree, so that it means what its text would mean
// there in parentheses.
type define struct {
	Define
	text   *text
	root   ast.Expr // after the names pass; nil if the expression has no meaning
	names  *names   // what the pass found
	nodes  int
	value  *expr.Expr // nil if the value cannot be in a register
	placed bool       // false: it is further down
}

// WithDefines returns an environment that also has these defines. Each may read those before it.
func (e *Env) WithDefines(list []Define) (*Env, diag.List) {
	var diags diag.List
	out := *e
	out.defines, out.known = make(map[string]*define, len(list)), knownBy(list)
	for _, d := range list {
		out.defines[d.Name] = &define{Define: d}
	}
	for i := range list {
		out.defines[list[i].Name].check(&out, &diags)
	}
	return &out, diags
}

// check gives the define its tree. It may read all that any place may: each place that reads it has its own say.
func (d *define) check(env *Env, diags *diag.List) {
	var list diag.List
	src := d.Source
	src.Scope = OverrideScope
	l, n := env.parse(src, &list)
	d.placed = true
	if l != nil {
		ast.PreOrderVisit(n.root, visitor{func(int64) { d.nodes++ }})
		if vector(l.typeOf(n.root)) && !list.HasErrors() {
			d.value = l.value(n.root, nil)
			reportFailing(expr.Fold(d.value), &list)
		}
	}
	if l != nil && !list.HasErrors() {
		d.text, d.root, d.names = n.text, n.root, n
		if d.value != nil && d.value.Op == expr.Opaque {
			d.value = d.read(env)
		}
	}
	*diags = append(*diags, list...)
}

// read is the value of the define as those see it that read it: what is opaque is known by the text it is in.
func (d *define) read(env *Env) *expr.Expr {
	text := nameDefine + "." + d.Name
	src := Source{Span: source.NewFile(text, []byte(text)).Span(0, len(text)), Scope: OverrideScope}
	l, n := env.parse(src, new(diag.List))
	return l.value(n.root, nil)
}

// Defined is what became of a define: nil if there is none, or it has an error.
func (e *Env) Defined(name string) *Compiled {
	d := e.defines[name]
	if d == nil || d.root == nil {
		return nil
	}
	out := *d.names.out
	out.Expr = d.value // nil where it cannot be in a register
	out.Params = slices.Concat(out.Params, d.Params)
	return &out
}

// define puts a copy of a define's tree in the place of its name.
func (n *names) define(e ast.Expr, name string) {
	d, ok := n.env.defines[name]
	switch {
	case !ok:
		n.missing(codeUnknownDefine, e, "define", name, sortedKeys(n.env.defines))
	case e.AsSelect().IsTestOnly():
		n.list.Errorf(codeType, n.text.span(e),
			"has(define.%s) asks nothing: a define is an expression, not a column", name).
			Note("ask for the columns that it reads")
	case !d.placed:
		n.early(e, d)
	case d.root == nil:
		n.broken = true // its own place has the error
	default:
		n.mention(&n.out.Defines, name)
		before := n.grown
		if n.grown += d.nodes; before > mostNodes {
			return
		} else if n.grown > mostNodes {
			n.list.Errorf(codeLongDefine, n.text.span(e),
				"with define.%s this comes to more than %d operations", d.Name, mostNodes).
				Note("what a define comes to counts once for each place that reads it")
		} else if n.mayRead(e, d) {
			n.splice(e, d)
		}
	}
}

// early reports a define that reads itself or one below it.
func (n *names) early(e ast.Expr, d *define) {
	if d.Source.Span == n.text.src.Span {
		n.list.Errorf(codeUnknownDefine, n.text.span(e), "define.%s reads itself", d.Name).
			Note("it has no value to begin with")
		return
	}
	n.list.Errorf(codeUnknownDefine, n.text.span(e), "define.%s is declared below", d.Name).
		NoteAt(d.Span, "it is declared here").
		Note("a define reads those before it: move it up")
}

// mayRead refuses a define that reads what the place of e may not.
func (n *names) mayRead(e ast.Expr, d *define) bool {
	for _, name := range sortedKeys(d.names.columns) {
		id := d.names.columns[name]
		what := ""
		switch {
		case n.text.src.Scope == CredentialScope && id.Object() == "job":
			what = "a weight or cap cannot read the job"
		case n.text.src.Scope != OverrideScope && id == Score:
			what = "the score cannot be read here"
		default:
			continue
		}
		n.list.Errorf(codeNotInScope, n.text.span(e), "%s, and define.%s reads %s", what, d.Name, id).
			NoteAt(d.Source.Span, "define.%s is here", d.Name)
		return false
	}
	return true
}

// splice copies the tree. The node at its top keeps the place of the name; all below keep their places in the define.
func (n *names) splice(e ast.Expr, d *define) {
	copied := n.fac.CopyExpr(d.root)
	copied.RenumberIDs(func(old int64) int64 {
		n.nextID++
		home, at := d.text.home(old)
		n.text.spliced[n.nextID] = place{home, at}
		if fact := d.names.facts[old]; fact != "" {
			n.facts[n.nextID] = fact
		}
		return n.nextID
	})
	fact := fmt.Sprintf("define.%s = %s", d.Name, d.text.of(d.root))
	if own := d.names.facts[d.root.ID()]; own != "" {
		fact += ", " + own
	}
	n.facts[e.ID()] = fact
	e.SetKindCase(copied)
	maps.Copy(n.columns, d.names.columns)
	for _, name := range slices.Concat(d.names.out.Params, d.Params) {
		n.mention(&n.out.Params, name)
	}
	for _, name := range d.names.out.Documented {
		n.mention(&n.out.Documented, name)
	}
}

// place is where a node of a define is: in the text of a define, under its id there.
type place struct {
	text *text
	id   int64
}

// home is the text that a node was written in, with its id there.
func (t *text) home(id int64) (*text, int64) {
	if p, ok := t.spliced[id]; ok {
		return p.text, p.id
	}
	return t, id
}
