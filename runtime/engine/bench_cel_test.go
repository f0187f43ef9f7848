package engine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/ext"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/vm"
)

// celText writes a whole policy as one CEL expression, as a site would that has
// only cel-go: constants are folded, terms without weight left out, columns are
// typed variables.
type celText struct {
	columns []schema.ColumnID
}

func (c *celText) variable(id schema.ColumnID) string {
	i := slices.Index(c.columns, id)
	if i < 0 {
		i = len(c.columns)
		c.columns = append(c.columns, id)
	}
	return "v" + strconv.Itoa(i)
}

func (c *celText) expr(e *expr.Expr) string {
	args := make([]string, len(e.Args))
	for i, a := range e.Args {
		args[i] = c.expr(a)
	}
	switch e.Op {
	case expr.Const:
		return constant(e.Value)
	case expr.Column:
		return c.variable(e.Column)
	case expr.Present:
		return "h" + c.variable(e.Column)
	case expr.And:
		return "(" + strings.Join(args, " && ") + ")"
	case expr.Or:
		return "(" + strings.Join(args, " || ") + ")"
	case expr.Cond:
		return "(" + args[0] + " ? " + args[1] + " : " + args[2] + ")"
	case expr.Opaque:
		text := e.Text
		for i, a := range e.Args {
			text = strings.ReplaceAll(text, string(a.Column), args[i])
		}
		return "(" + text + ")"
	}
	name := ""
	for _, f := range schema.Functions {
		if f.Overload == e.Func {
			name = f.Name
		}
	}
	switch operator := strings.Trim(name, "_"); {
	case operator == name:
		return name + "(" + strings.Join(args, ", ") + ")"
	case len(args) == 1:
		return operator + "(" + args[0] + ")"
	default:
		return "(" + args[0] + " " + operator + " " + args[1] + ")"
	}
}

func constant(v schema.Value) string {
	switch v.Type {
	case schema.Int:
		return strconv.FormatInt(v.Int, 10)
	case schema.Bool:
		return strconv.FormatBool(v.Int != 0)
	case schema.String:
		return strconv.Quote(v.Str)
	}
	text := strconv.FormatFloat(v.Double, 'g', -1, 64)
	if strings.ContainsAny(text, "IN") {
		return "double('" + text + "')"
	}
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}

func fixed(s ir.Scalar) (float64, bool) {
	return s.Expr.Value.Double, s.Expr.IsConst()
}

func (c *celText) weighted(weight, limit ir.Scalar, x string) string {
	if limit.IsSet() {
		if v, ok := fixed(limit); !ok || v > 0 {
			x = "math.least(" + x + ", " + c.expr(limit.Expr) + ")"
		}
	}
	if v, ok := fixed(weight); ok && v == 1 {
		return x
	}
	return "(" + c.expr(weight.Expr) + " * " + x + ")"
}

func (c *celText) policy(p *ir.Policy) string {
	sum := func(parts []string) string { return "(" + strings.Join(parts, " + ") + ")" }
	var components []string
	for _, comp := range p.Components {
		var terms []string
		for _, t := range comp.Terms {
			if v, ok := fixed(t.Weight); !ok || v != 0 {
				terms = append(terms, c.weighted(t.Weight, t.Cap, c.expr(t.Factor.Expr)))
			}
		}
		if v, ok := fixed(comp.Weight); (!ok || v != 0) && len(terms) > 0 {
			components = append(components, c.weighted(comp.Weight, comp.Cap, sum(terms)))
		}
	}
	f := p.Finish
	text := fmt.Sprintf("math.least(math.greatest(%s, %s), %s)", sum(components), c.expr(f.Floor.Expr),
		c.expr(f.Ceiling.Expr))
	score := text
	for i := len(f.Overrides) - 1; i >= 0; i-- {
		o := f.Overrides[i]
		if o.When.Expr.IsConst() {
			continue
		}
		at := c.variable(ir.Score)
		text = "(" + c.expr(o.When.Expr) + " ? " + strings.ReplaceAll(c.expr(o.Value.Expr), at, score) + " : " + text + ")"
	}
	return text
}

// celPriority plans the expression; rows are read through an activation that boxes
// columns as they are asked for.
func celPriority(b testing.TB, p *ir.Policy, binding vm.Binding) func(row int) float64 {
	// The score takes the first variable, so that replacing it touches no other.
	c := &celText{columns: []schema.ColumnID{ir.Score}}
	text := c.policy(p)
	options := []cel.EnvOption{ext.Math(), ext.Strings(),
		cel.Function("clamp", cel.Overload("clamp3", []*cel.Type{cel.DoubleType, cel.DoubleType, cel.DoubleType},
			cel.DoubleType,
			cel.FunctionBinding(func(a ...ref.Val) ref.Val {
				return max(min(a[0].(types.Double), a[2].(types.Double)), a[1].(types.Double))
			}))),
		cel.Function("pow", cel.Overload("pow2", []*cel.Type{cel.DoubleType, cel.DoubleType}, cel.DoubleType,
			cel.BinaryBinding(func(x, y ref.Val) ref.Val {
				return types.Double(schema.Pow(float64(x.(types.Double)), float64(y.(types.Double))))
			})))}
	act := &rowActivation{cells: map[string]func(int) any{}}
	for i, id := range c.columns {
		name := "v" + strconv.Itoa(i)
		options = append(options, cel.Variable(name, celTypeOf(id)), cel.Variable("h"+name, cel.BoolType))
		act.cells[name], act.cells["h"+name] = cell(binding, id, false), cell(binding, id, true)
	}
	env, err := cel.NewEnv(options...)
	if err != nil {
		b.Fatal(err)
	}
	tree, issues := env.Compile(text)
	if issues.Err() != nil {
		b.Fatalf("%v\n%s", issues.Err(), text)
	}
	program, err := env.Program(tree, cel.EvalOptions(cel.OptOptimize))
	if err != nil {
		b.Fatal(err)
	}
	return func(row int) float64 {
		act.row = row
		v, _, err := program.Eval(act)
		if err != nil {
			b.Fatal(err)
		}
		return float64(v.(types.Double))
	}
}

func celTypeOf(id schema.ColumnID) *cel.Type {
	t := schema.Double
	if _, c, ok := schema.Aggregate(id); ok {
		t = c.Type
	} else if c := schema.Lookup(id); c != nil {
		t = c.Type
	}
	switch t {
	case schema.Int:
		return cel.IntType
	case schema.Bool:
		return cel.BoolType
	case schema.String:
		return cel.StringType
	case schema.Timestamp:
		return cel.TimestampType
	}
	return cel.DoubleType
}

type rowActivation struct {
	cells map[string]func(row int) any
	row   int
}

func (a *rowActivation) Parent() cel.Activation { return nil }

func (a *rowActivation) ResolveName(name string) (any, bool) {
	cell, ok := a.cells[name]
	if !ok {
		return nil, false
	}
	return cell(a.row), true
}

// cell reads a column by its shape and boxes what it finds.
func cell(binding vm.Binding, id schema.ColumnID, presence bool) func(row int) any {
	c, shape := binding.Columns[id], program.ShapeOf(id)
	if c == nil {
		return func(int) any { return types.NewErr("%s is not read by the program", id) }
	}
	entry := func(row int) int { return row }
	switch {
	case shape.Level == program.Once:
		entry = func(int) int { return 0 }
	case shape.Level == program.Dict && shape.Key != id:
		codes := binding.Columns[shape.Key].Codes
		entry = func(row int) int { return int(codes[row]) }
	}
	if presence {
		return func(row int) any { return types.Bool(!c.Missing.Get(entry(row))) }
	}
	return func(row int) any {
		i := entry(row)
		if c.Missing.Get(i) {
			return types.NewErr("%s is unknown", id)
		}
		switch c.Type {
		case schema.Int:
			return types.Int(c.Ints[i])
		case schema.Bool:
			return types.Bool(c.Ints[i] != 0)
		case schema.Double:
			return types.Double(c.Doubles[i])
		case schema.String:
			return types.String(c.Dict[c.Codes[i]])
		}
		return types.Timestamp{Time: time.Unix(c.Ints[i], 0)}
	}
}
