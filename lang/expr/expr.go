// Package expr is the typed form of an expression evaluated for each job: what
// lang/celexpr makes of checked CEL, what the compiler folds, and what codegen
// turns into vector instructions.
//
// There is one node type. A node is immutable once built; a pass that changes
// something builds new nodes and shares the rest.
package expr

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// Op is the kind of a node.
type Op uint8

// The node kinds. Call is strict: an error in any argument is its result. And,
// Or and Cond follow CEL: false && error is false, true || error is true in either order,
// and only the chosen branch of a condition counts.
const (
	Const   Op = iota // Value
	Column            // the value of Column; unknown is an error
	Present           // has(Column)
	Call              // Func, the overload id of a schema.Functions entry, on Args
	And
	Or
	Cond   // Args: condition, then, else
	Opaque // Fn on the boxed values of Args, which are all Column nodes (unknown ones included)
)

// Expr is one node.
type Expr struct {
	Op     Op
	Type   schema.Type
	Args   []*Expr
	Func   string
	Column schema.ColumnID
	Value  schema.Value
	Fn     schema.Func
	Text   string // Opaque: its source text
	Reason string // Opaque: why it has no kernels
	Span   source.Span
}

// NewConst makes a constant.
func NewConst(v schema.Value, span source.Span) *Expr {
	return &Expr{Op: Const, Type: v.Type, Value: v, Span: span}
}

// IsConst reports whether the node is a constant.
func (e *Expr) IsConst() bool { return e != nil && e.Op == Const }

// Walk visits e and everything below it, parents first.
func (e *Expr) Walk(visit func(*Expr)) {
	if e == nil {
		return
	}
	visit(e)
	for _, a := range e.Args {
		a.Walk(visit)
	}
}

// Columns lists the distinct columns the expression reads, in first-read order.
func (e *Expr) Columns() []schema.ColumnID {
	var ids []schema.ColumnID
	seen := map[schema.ColumnID]bool{}
	e.Walk(func(n *Expr) {
		if (n.Op == Column || n.Op == Present) && !seen[n.Column] {
			seen[n.Column] = true
			ids = append(ids, n.Column)
		}
	})
	return ids
}

// String prints the expression in prefix form, the golden form of dumps.
func (e *Expr) String() string {
	if e == nil {
		return "-"
	}
	switch e.Op {
	case Const:
		return e.Value.String()
	case Column:
		return string(e.Column)
	case Present:
		return "has(" + string(e.Column) + ")"
	case Opaque:
		return "cel{" + strings.Join(strings.Fields(e.Text), " ") + "}"
	}
	name := e.Func
	switch e.Op {
	case And:
		name = "and"
	case Or:
		name = "or"
	case Cond:
		name = "cond"
	}
	args := make([]string, len(e.Args))
	for i, a := range e.Args {
		args[i] = a.String()
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}
