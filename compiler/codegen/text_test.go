package codegen_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// parsePolicy reads the policies of golden tests, a part a line, its attributes as
// name=expression in prefix form:
//
//	component service weight=1.0 cap=1000.0
//	term queuetime weight=10.0 factor=job.queue_minutes
//	floor 0.0
//	override system when=… value=…
//	hold long when=… reason=words
func parsePolicy(tb testing.TB, file *source.File) *ir.Policy {
	tb.Helper()
	p := &ir.Policy{Name: strings.TrimSuffix(file.Name, ".policy"), Finish: ir.Finish{Rounding: "truncate"}}
	at := 0
	for line := range strings.Lines(string(file.Text)) {
		start := at
		at += len(line)
		words := strings.Fields(line)
		if len(words) < 2 {
			continue
		}
		span := file.Span(start, start+len(strings.TrimRight(line, "\n")))
		name, attr := words[1], attributes(tb, file, start, line)
		switch words[0] {
		case "component":
			p.Components = append(p.Components, ir.Component{Name: name, Weight: attr["weight"], Cap: attr["cap"], Span: span})
		case "term":
			c := &p.Components[len(p.Components)-1]
			c.Terms = append(c.Terms, ir.Term{Name: name, Weight: attr["weight"], Cap: attr["cap"], Factor: attr["factor"],
				Span: span})
		case "floor":
			p.Finish.Floor = attr["floor"]
		case "ceiling":
			p.Finish.Ceiling = attr["ceiling"]
		case "override":
			p.Finish.Overrides = append(p.Finish.Overrides,
				ir.Override{Name: name, When: attr["when"], Value: attr["value"], Span: span})
		case "hold":
			p.Holds = append(p.Holds, ir.Hold{Name: name, When: attr["when"], Reason: "Held" + name, Span: span})
		default:
			tb.Fatalf("no policy line %q", line)
		}
	}
	return p
}

// attributes parses every name=expression of a line; "floor 0.0" counts as floor=0.0.
func attributes(tb testing.TB, file *source.File, start int, line string) map[string]ir.Scalar {
	out := map[string]ir.Scalar{}
	rest := line
	for _, name := range []string{"weight", "cap", "factor", "floor", "ceiling", "when", "value"} {
		i := strings.Index(rest, " "+name+"=")
		skip := len(name) + 2
		if strings.HasPrefix(rest, name+" ") {
			i, skip = 0, len(name)+1
		}
		if i < 0 {
			continue
		}
		p := &prefix{tb: tb, file: file, text: line, at: i + skip, base: start}
		out[name] = ir.Scalar{Expr: p.expr(), Sources: []ir.Source{{Name: strings.ToUpper(name)}}}
	}
	return out
}

// prefix parses the form that expr.Expr prints.
type prefix struct {
	tb   testing.TB
	file *source.File
	text string
	at   int
	base int
}

func (p *prefix) expr() *expr.Expr {
	start := p.at
	for p.at < len(p.text) && !strings.ContainsRune("(), \n", rune(p.text[p.at])) {
		p.at++
	}
	word := p.text[start:p.at]
	var args []*expr.Expr
	if p.at < len(p.text) && p.text[p.at] == '(' {
		for p.text[p.at] != ')' {
			p.at++
			if p.text[p.at] == ' ' {
				p.at++
			}
			args = append(args, p.expr())
		}
		p.at++
	}
	e := p.node(word, args)
	e.Span = p.file.Span(p.base+start, p.base+p.at)
	return e
}

func (p *prefix) node(word string, args []*expr.Expr) *expr.Expr {
	switch word {
	case "and", "or":
		op := expr.And
		if word == "or" {
			op = expr.Or
		}
		return &expr.Expr{Op: op, Type: schema.Bool, Args: args}
	case "cond":
		return &expr.Expr{Op: expr.Cond, Type: args[1].Type, Args: args}
	case "has":
		return &expr.Expr{Op: expr.Present, Type: schema.Bool, Column: args[0].Column}
	case "opaque", "opaqueString":
		t := schema.Double
		if word == "opaqueString" {
			t = schema.String
		}
		fn := func([]schema.Value) (schema.Value, error) { return schema.Value{Type: t}, nil }
		return &expr.Expr{Op: expr.Opaque, Type: t, Args: args, Fn: fn, Text: "custom()", Reason: "test"}
	case "true", "false":
		return expr.NewConst(schema.BoolValue(word == "true"), source.Span{})
	case "score":
		return &expr.Expr{Op: expr.Column, Type: schema.Double, Column: ir.Score}
	}
	if i, err := strconv.ParseInt(word, 10, 64); err == nil {
		return expr.NewConst(schema.IntValue(i), source.Span{})
	}
	if f, err := strconv.ParseFloat(word, 64); err == nil {
		return expr.NewConst(schema.DoubleValue(f), source.Span{})
	}
	if c := schema.Lookup(schema.ColumnID(word)); c != nil {
		return &expr.Expr{Op: expr.Column, Type: c.Type, Column: schema.ColumnID(word)}
	}
	t := schema.Double
	if fn := schema.FunctionByOverload(word); fn != nil {
		t = fn.Result
	}
	return &expr.Expr{Op: expr.Call, Func: word, Type: t, Args: args}
}
