package celexpr

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/lang/source"
)

// The names of the constants. The rest of the vocabulary is in lang/schema.
const (
	nameParam      = "param"
	nameDocumented = "documented"
	nameEach       = "each"
	nameDefine     = "define"
	nameVersion    = "version"
)

// reserved reports whether a name means something outside of macros.
func reserved(name string) bool {
	switch name {
	case nameParam, nameDocumented, nameEach, nameDefine, nameVersion, string(schema.Now), string(Score):
		return true
	}
	return objectByAnyName(name) != nil
}

// objectByAnyName finds an object by name, alias or plural.
func objectByAnyName(name string) *schema.Object {
	for _, o := range schema.Objects {
		if name == o.Name || name != "" && (name == o.Alias || name == o.Plural) {
			return o
		}
	}
	return nil
}

// names is the pass between parser and type checker. It replaces every
// constant (param.X, each.key, documented.X, version) by its value, every define by its expression and every column
// by one identifier named like the column, and reports names that do not exist
// while it still knows what was meant.
type names struct {
	env     *Env
	text    *text
	fac     ast.ExprFactory
	nextID  int64
	list    *diag.List
	out     *Compiled
	facts   map[int64]string // "param.X = 3" by the node that was param.X
	columns map[string]schema.ColumnID
	bound   []string // macro variables in scope
	root    ast.Expr
	broken  bool // it reads a define that has an error
	grown   int  // by how many nodes defines made it larger
}

// id makes a node id that has the place of an existing one.
func (n *names) id(at int64) int64 {
	n.nextID++
	if r, ok := n.text.offsets.GetOffsetRange(at); ok {
		n.text.offsets.SetOffsetRange(n.nextID, r)
	}
	return n.nextID
}

// expr rewrites a tree in place.
func (n *names) expr(e ast.Expr) {
	switch e.Kind() {
	case ast.SelectKind:
		n.selection(e)
	case ast.IdentKind:
		n.ident(e)
	case ast.CallKind:
		c := e.AsCall()
		if c.IsMemberFunction() && c.FunctionName() == "tres" && len(c.Args()) == 1 && n.object(c.Target()) != nil {
			n.expr(c.Args()[0])
			n.tres(e, n.object(c.Target()), c.Args()[0])
			return
		}
		if c.IsMemberFunction() {
			n.expr(c.Target())
		}
		for _, a := range c.Args() {
			n.expr(a)
		}
	case ast.ListKind:
		for _, a := range e.AsList().Elements() {
			n.expr(a)
		}
	case ast.MapKind:
		for _, entry := range e.AsMap().Entries() {
			n.expr(entry.AsMapEntry().Key())
			n.expr(entry.AsMapEntry().Value())
		}
	case ast.StructKind:
		for _, field := range e.AsStruct().Fields() {
			n.expr(field.AsStructField().Value())
		}
	case ast.ComprehensionKind:
		n.comprehension(e)
	}
}

// comprehension visits a macro's loop with its variables in scope; the range
// and the initial value are outside of them.
func (n *names) comprehension(e ast.Expr) {
	c := e.AsComprehension()
	n.expr(c.IterRange())
	n.expr(c.AccuInit())
	outer := len(n.bound)
	n.bound = append(n.bound, c.IterVar(), c.IterVar2(), c.AccuVar())
	for _, name := range []string{c.IterVar(), c.IterVar2()} {
		if name != "" && reserved(name) {
			n.list.Errorf(codeHiddenName, n.wordIn(e, name), "the macro variable %q would hide %s", name,
				describeName(name)).
				Note("give the variable another name")
		}
	}
	n.expr(c.LoopCondition())
	n.expr(c.LoopStep())
	n.expr(c.Result())
	n.bound = n.bound[:outer]
}

// wordIn is the place of a word inside a node, the node itself if it is not there.
func (n *names) wordIn(e ast.Expr, word string) source.Span {
	start, end := n.text.bytes(e)
	for i := n.text.tokenAt(start); i < len(n.text.tokens) && n.text.tokens[i].end <= end; i++ {
		if n.text.token(i) == word && i > 0 && n.text.token(i-1) == "(" {
			return n.text.tokenSpan(i)
		}
	}
	return n.text.file(start, end)
}

// free is the name of an identifier that is no macro variable, or "".
func (n *names) free(e ast.Expr) string {
	if e.Kind() != ast.IdentKind || slices.Contains(n.bound, e.AsIdent()) {
		return ""
	}
	name := e.AsIdent()
	if len(name) > 0 && name[0] == '.' { // .job is job, from the outermost scope
		name = name[1:]
	}
	return name
}

// object is the object an identifier names, nil for all else.
func (n *names) object(e ast.Expr) *schema.Object { return schema.ObjectByName(n.free(e)) }

// selection resolves name.field, and has(name.field), which is the same node
// marked as a test.
func (n *names) selection(e ast.Expr) {
	s := e.AsSelect()
	field := s.FieldName()
	switch name := n.free(s.Operand()); {
	case name == nameParam:
		n.constant(e, n.param(e, field))
	case name == nameDocumented:
		on, ok := n.env.documented[field]
		if !ok {
			n.missing(codeUnknownDeviation, e, "deviation", field, sortedKeys(n.env.documented))
		}
		n.mention(&n.out.Documented, field)
		n.constant(e, schema.BoolValue(on))
	case name == nameDefine:
		n.define(e, field)
	case name == nameEach:
		v, ok := n.text.src.Each[field]
		if !ok {
			n.noEach(e, field)
		}
		n.constant(e, v)
	case name != "" && objectByAnyName(name) != nil:
		n.column(e, name, field)
	default:
		n.expr(s.Operand())
	}
}

// ident handles names that stand alone.
func (n *names) ident(e ast.Expr) {
	name := n.free(e)
	switch {
	case name == nameVersion:
		n.constant(e, schema.IntValue(n.env.version))
	case name == string(schema.Now):
		n.read(e, schema.Now, false)
	case name == string(Score):
		if n.text.src.Scope != OverrideScope {
			n.list.Errorf(codeNotInScope, n.text.span(e), "the score cannot be read here").
				Note("only overrides of the finish and holds may read score, which exists once all components are " +
					"added")
		}
		n.read(e, Score, false)
	case name != "" && reserved(name):
		n.list.Errorf(codeObjectAsValue, n.text.span(e), "%s is not a value by itself", describeName(name)).
			Note("name one of its members, as in %s", exampleOf(name))
	}
}

func (n *names) mention(list *[]string, name string) {
	if !slices.Contains(*list, name) {
		*list = append(*list, name)
	}
}

// param finds the value of a param and remembers that it was read: a number's
// sources are the params it was made from.
func (n *names) param(e ast.Expr, name string) schema.Value {
	v, ok := n.env.params[name]
	if !ok {
		n.missing(codeUnknownParam, e, "param", name, sortedKeys(n.env.params))
		return v
	}
	n.mention(&n.out.Params, name)
	if !v.Known() {
		n.list.Errorf(codeParamWithoutValue, n.text.span(e), "param %s has no value", name).
			Note("it has no default, so the policy must set it")
	}
	return v
}

// missing reports a name that does not exist, at the word after the dot.
func (n *names) missing(code string, e ast.Expr, what, name string, candidates []string) {
	at := n.fieldSpan(e)
	d := n.list.Errorf(code, at, "there is no %s %q", what, name)
	if near := diag.Nearest(name, candidates); near != "" {
		d.Note("did you mean %q?", near).Suggest(at, near)
	} else if len(candidates) == 0 {
		d.Note("this policy has no %ss", what)
	} else {
		d.Note("there are: %s", shortList(candidates))
	}
}

// noEach tells a block without for_each from a wrong member.
func (n *names) noEach(e ast.Expr, field string) {
	if len(n.text.src.Each) == 0 {
		n.list.Errorf(codeUnknownEach, n.text.span(e), "each.%s means nothing here", field).
			Note("each exists only in blocks with for_each")
		return
	}
	n.missing(codeUnknownEach, e, "member of each", field, sortedKeys(n.text.src.Each))
}

// fieldSpan is the place of the word after a selection's dot.
func (n *names) fieldSpan(e ast.Expr) source.Span {
	if i, ok := n.text.nodeToken(e.ID()); ok && i+1 < len(n.text.tokens) && n.text.token(i) == "." {
		return n.text.tokenSpan(i + 1)
	}
	return n.text.span(e)
}

// constant puts a value in the place of a name. has(param.X) is true: what does
// not exist has been reported.
func (n *names) constant(e ast.Expr, v schema.Value) {
	if e.Kind() == ast.SelectKind && e.AsSelect().IsTestOnly() {
		v = schema.BoolValue(true)
	}
	// The text of the node without white space: param.X however it was written.
	n.facts[e.ID()] = strings.Join(strings.Fields(n.text.of(e)), "") + " = " + v.String()
	e.SetKindCase(n.literal(e.ID(), v))
}

// literal makes the syntax of a constant. Times have none of their own in
// CEL and become calls, which are folded again later.
func (n *names) literal(id int64, v schema.Value) ast.Expr {
	switch v.Type {
	case schema.Timestamp:
		return n.fac.NewCall(id, "timestamp", n.fac.NewLiteral(n.id(id), types.Int(v.Int)))
	case schema.Duration:
		return n.fac.NewCall(id, "duration", n.fac.NewLiteral(n.id(id),
			types.String(strconv.FormatInt(v.Int, 10)+"ns")))
	case schema.StringList:
		if len(v.List) == 0 {
			return n.fac.NewIdent(id, emptyStrings)
		}
		elements := make([]ast.Expr, len(v.List))
		for i, s := range v.List {
			elements[i] = n.fac.NewLiteral(n.id(id), types.String(s))
		}
		return n.fac.NewList(id, elements, nil)
	case schema.Invalid:
		return n.fac.NewLiteral(id, types.Int(0)) // reported already; any type will do
	}
	return n.fac.NewLiteral(id, box(v))
}

// read makes the identifier of a column.
func (n *names) read(e ast.Expr, id schema.ColumnID, presence bool) {
	name := string(id)
	if presence {
		name = presenceName(id)
	}
	n.columns[name] = id
	e.SetKindCase(n.fac.NewIdent(e.ID(), name))
}

// tres turns job.tres("cpu") into a column of its own. A resource that no
// scheduler has would count 0 for every job, so it is refused.
func (n *names) tres(e ast.Expr, o *schema.Object, arg ast.Expr) {
	if !n.inScope(e, o) {
		return
	}
	if o.Column("tres") == nil {
		n.list.Errorf(codeUnknownColumn, n.text.span(e), "%s has no trackable resources", o.Name).
			Note("job.tres and partition.tres exist")
		return
	}
	key, ok := types.String(""), false
	if arg.Kind() == ast.LiteralKind {
		key, ok = arg.AsLiteral().(types.String)
	}
	if !ok {
		n.list.Errorf(codeTRESNotConstant, n.text.span(arg), "the resource of %s.tres must be a constant string",
			o.Name).
			Note("write %s.tres(\"gres/gpu\"), or use a param", o.Name)
		return
	}
	if !slurmtext.IsTRESType(string(key)) {
		d := n.list.Errorf(codeUnknownTRES, n.text.span(arg), "%q is not a trackable resource", string(key))
		d.Note("they are cpu, mem, energy, node, billing, vmem, pages, fs/…, gres/…, license/…, bb/… and ic/…")
		for _, known := range []string{"gres/" + string(key), "cpu", "mem", "node"} {
			if known == "gres/gpu" || diag.Nearest(string(key), []string{known}) != "" {
				d.Note("did you mean %q?", known)
				d.Suggest(n.text.span(arg), "'"+known+"'")
				break
			}
		}
		return
	}
	id := schema.TRES(o.Name, string(key))
	n.columns[string(id)] = id
	e.SetKindCase(n.fac.NewCall(e.ID(), tresFunction, n.fac.NewLiteral(n.id(e.ID()), types.String(id))))
}

func describeName(name string) string {
	if o := objectByAnyName(name); o != nil {
		return "the object " + name
	}
	return fmt.Sprintf("the name %s", name)
}

func exampleOf(name string) string {
	switch o := objectByAnyName(name); {
	case o != nil && o.Plural == name:
		return name + ".max_priority"
	case o != nil:
		for _, usual := range []string{"procs", "priority"} {
			if c := o.Column(usual); c != nil {
				return name + "." + usual
			}
		}
	case name == nameEach:
		return "each.key"
	}
	return name + ".NAME"
}
