package vm

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/program"
)

// assemble reads the instruction lines of a program's golden form, so that programs
// of tests are text. Other lines are skipped; {name} after call is a function of calls.
func assemble(tb testing.TB, text string) *program.Program {
	tb.Helper()
	p := &program.Program{}
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), ";")
		left, right, ok := strings.Cut(line, " = ")
		name, form, typed := strings.Cut(left, ":")
		if !ok || !typed {
			continue
		}
		form, buffer, _ := strings.Cut(form, "#")
		kind, shape, _ := strings.Cut(form, "@")
		words := strings.Fields(right)
		in := program.Instr{Op: words[0], Dst: register(tb, name)}
		reg := program.Register{Type: typeNames[kind], Shape: parseShape(shape)}
		reg.Buffer, _ = strconv.Atoi(buffer)
		if int(in.Dst) != len(p.Regs) || reg.Type == schema.Invalid {
			tb.Fatalf("cannot assemble %q", line)
		}
		p.Regs = append(p.Regs, reg)
		for _, w := range words[1:] {
			switch {
			case in.Op == program.OpConst:
				in.Value = parseValue(tb, reg.Type, w)
			case in.Op == program.OpColumn, in.Op == program.OpPresent:
				in.Column = schema.ColumnID(w)
			case strings.HasPrefix(w, "{"):
				in.Call = len(p.Calls)
				p.Calls = append(p.Calls, program.Call{Fn: calls[strings.Trim(w, "{}")], Text: strings.Trim(w, "{}")})
			default:
				in.Args = append(in.Args, register(tb, w))
			}
		}
		p.Instrs = append(p.Instrs, in)
	}
	return p
}

var typeNames = map[string]schema.Type{
	"f64": schema.Double, "i64": schema.Int, "bool": schema.Bool, "string": schema.String,
	"strings": schema.StringList, "timestamp": schema.Timestamp,
}

// calls are the boxed functions of test programs.
var calls = map[string]schema.Func{
	"length": func(args []schema.Value) (schema.Value, error) {
		n := 0
		for _, a := range args {
			if !a.Known() {
				return schema.Value{}, fmt.Errorf("nothing to measure")
			}
			n += len(a.Str) + len(a.List)
		}
		return schema.IntValue(int64(n)), nil
	},
	"wrong": func([]schema.Value) (schema.Value, error) { return schema.StringValue("no number"), nil },
}

func register(tb testing.TB, name string) program.Reg {
	n, err := strconv.Atoi(strings.TrimPrefix(name, "r"))
	if err != nil {
		tb.Fatalf("no register %q", name)
	}
	return program.Reg(n)
}

func parseShape(s string) program.Shape {
	if key, ok := strings.CutPrefix(s, "dict("); ok {
		return program.Shape{Level: program.Dict, Key: schema.ColumnID(strings.TrimSuffix(key, ")"))}
	}
	if s == "row" {
		return program.Shape{Level: program.Row}
	}
	return program.Shape{}
}

func parseValue(tb testing.TB, t schema.Type, s string) schema.Value {
	v, err := schema.Value{}, error(nil)
	switch t {
	case schema.Double:
		v.Double, err = strconv.ParseFloat(s, 64)
	case schema.Bool:
		v = schema.BoolValue(s == "true")
	case schema.String:
		v.Str = strings.Trim(s, `"`)
	case schema.StringList:
		v.List = strings.Split(s, ",")
	default:
		switch s {
		case "max":
			v.Int = math.MaxInt64
		case "min":
			v.Int = math.MinInt64
		default:
			v.Int, err = strconv.ParseInt(s, 10, 64)
		}
	}
	if err != nil {
		tb.Fatal(err)
	}
	v.Type = t
	return v
}

// bind reads columns, one a line: job.procs i64: 1 2 ? 4, where ? is unknown.
func bind(tb testing.TB, text string) Binding {
	tb.Helper()
	b := Binding{Columns: map[schema.ColumnID]*column.Column{}}
	for line := range strings.Lines(text) {
		head, cells, ok := strings.Cut(line, ":")
		id, kind, typed := strings.Cut(head, " ")
		if !ok || !typed {
			continue
		}
		t := typeNames[strings.TrimSpace(kind)]
		one := column.NewBuilder("column")
		one.Declare(schema.ColumnID(id), t)
		for _, cell := range strings.Fields(cells) {
			one.Row()
			if cell != "?" {
				one.Value(schema.ColumnID(id), parseValue(tb, t, cell))
			}
		}
		c := one.Table().Column(schema.ColumnID(id))
		if strings.Contains(cells, "?") && (t == schema.String || t == schema.StringList) {
			for row, cell := range strings.Fields(cells) {
				if cell == "?" {
					c.Missing.Set(row)
				}
			}
		}
		b.Columns[c.ID] = c
		if strings.HasPrefix(id, "job.") {
			b.Rows = c.Len()
		}
	}
	return b
}
