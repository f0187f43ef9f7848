package vm

import (
	"math"
	"math/rand"
	"slices"
	"sort"
	"testing"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/program"
)

// FuzzProgram: whatever the instructions, Load refuses them or Run survives them, and
// gives the same for one worker and for three, for all registers kept or only the last.
func FuzzProgram(f *testing.F) {
	f.Add([]byte{0})
	f.Add([]byte{1, 1, 0, 0, 0, 2, 3, 2, 0, 1, 9, 9, 9, 9, 30, 31, 32, 33, 34, 35})
	f.Add([]byte("capsum and a gather of what a dictionary holds, kept by no one in particular"))
	f.Add(slices.Repeat([]byte{7, 1, 3, 250, 13, 2}, 40))
	bind := fuzzColumns(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		p := fuzzed(data)
		m, err := Load(p)
		if err != nil {
			return
		}
		var keep []program.Reg
		for r := range p.Regs {
			if program.StorageOf(p.Regs[r].Type) != program.NoStorage {
				keep = append(keep, program.Reg(r))
			}
		}
		if len(keep) == 0 {
			return
		}
		one, err := m.Run(bind, keep, 1)
		if err != nil {
			t.Fatal(err)
		}
		three, err := m.Run(bind, keep, 3)
		if err != nil {
			t.Fatal(err)
		}
		last, err := m.Run(bind, keep[len(keep)-1:], 2)
		if err != nil {
			t.Fatal(err)
		}
		few := optimized(p, keep[len(keep)-1])
		m, err = Load(few)
		if err != nil {
			t.Fatalf("%v\n%s", err, few)
		}
		quick, err := m.Run(bind, few.Kept(), 2)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(one.Failures, three.Failures) {
			t.Errorf("failures: %v and %v", one.Failures, three.Failures)
		}
		for row := 0; row < bind.Rows; row++ {
			if row%BlockRows == 10 { // the pattern repeats; blocks differ at their ends
				row += BlockRows - 20
			}
			if row >= bind.Rows {
				row = bind.Rows - 1
			}
			for i := range keep {
				if !sameValue(one, three, &one.Vectors[i], &three.Vectors[i], row) {
					t.Fatalf("%s row %d: one worker %v, three %v\n%s", keep[i], row, one.Vectors[i].Value(row),
						three.Vectors[i].Value(row), p)
				}
			}
			if i := len(keep) - 1; !sameValue(one, last, &one.Vectors[i], &last.Vectors[0], row) {
				t.Fatalf("%s row %d: kept with all %v, alone %v\n%s", keep[i], row, one.Vectors[i].Value(row),
					last.Vectors[0].Value(row), p)
			}
			if i := len(keep) - 1; !sameValue(one, quick, &one.Vectors[i], &quick.Vectors[0], row) {
				t.Fatalf("%s row %d: as generated %v, optimised %v\n%s",
					keep[i], row, one.Vectors[i].Value(row), quick.Vectors[0].Value(row), p)
			}
		}
	})
}

// What the compiler makes of a program for the sake of any one register has its bits and failures.
func TestOptimizedEqualsGenerated(t *testing.T) {
	b := fuzzColumns(t)
	b.Rows = 0
	for _, id := range []schema.ColumnID{"job.x", "job.y", "job.n", "job.held", "job.user", "job.qos"} {
		few := *b.Columns[id]
		few.Doubles, few.Ints = few.Doubles[:min(40, len(few.Doubles))], few.Ints[:min(40, len(few.Ints))]
		few.Codes = few.Codes[:min(40, len(few.Codes))]
		b.Columns[id], b.Rows = &few, few.Len()
	}
	draw := rand.New(rand.NewSource(7))
	loaded := 0
	for range 20_000 {
		data := make([]byte, draw.Intn(200))
		_, _ = draw.Read(data)
		p := fuzzed(data)
		m, err := Load(p)
		if err != nil || len(p.Regs) == 0 {
			continue
		}
		last := program.Reg(draw.Intn(len(p.Regs)))
		if m.storage(last) == program.NoStorage {
			continue
		}
		loaded++
		want, err := m.Run(b, []program.Reg{last}, 1)
		if err != nil {
			t.Fatal(err)
		}
		few := optimized(p, last)
		if m, err = Load(few); err != nil {
			t.Fatalf("%v\n%s", err, few)
		}
		got, err := m.Run(b, few.Kept(), 1)
		if err != nil {
			t.Fatal(err)
		}
		for row := range b.Rows {
			if !sameValue(want, got, &want.Vectors[0], &got.Vectors[0], row) {
				t.Fatalf("%s row %d: as generated %v, optimised %v\n%s\n%s",
					last, row, want.Vectors[0].Value(row), got.Vectors[0].Value(row), p, few)
			}
		}
	}
	if loaded < 5000 {
		t.Errorf("only %d programs ran", loaded)
	}
}

func sameValue(oa, ob *Output, a, b *Vector, row int) bool {
	fa, fb := a.Failure(row), b.Failure(row)
	if fa != 0 || fb != 0 {
		return fa != 0 && fb != 0 && oa.Failures[fa-1].Message == ob.Failures[fb-1].Message
	}
	va, vb := a.Value(row), b.Value(row)
	return va.Int == vb.Int && (math.Float64bits(va.Double) == math.Float64bits(vb.Double) || va.Double != va.Double &&
		vb.Double != vb.Double)
}

// fuzzed reads bytes as instructions. Half of the choices are made so that a
// program has a chance to load: a byte says which of the registers of the wanted type.
func fuzzed(data []byte) *program.Program {
	p := &program.Program{Calls: []program.Call{{Fn: calls["length"], Text: "length"}}}
	ops := []string{program.OpConst, program.OpColumn, program.OpPresent, program.OpGather, program.OpCall,
		program.OpAnd, program.OpOr, program.OpCond, program.OpCapMul,
		program.OpCapSum, program.OpWeighSum, program.OpTakeSum, program.OpTake}
	for overload := range kernels {
		ops = append(ops, overload)
	}
	sort.Strings(ops)
	next := func() int {
		if len(data) == 0 {
			return 0
		}
		b := data[0]
		data = data[1:]
		return int(b)
	}
	for len(data) > 0 && len(p.Instrs) < 60 {
		in := program.Instr{Op: ops[next()%len(ops)], Dst: program.Reg(len(p.Regs))}
		reg := program.Register{Type: schema.Double}
		var params []schema.Type
		switch in.Op {
		case program.OpConst:
			reg.Type = []schema.Type{schema.Double, schema.Int, schema.Bool}[next()%3]
			in.Value = schema.Value{Type: reg.Type, Int: int64(next() % 2),
				Double: []float64{0, 1, -1, 10, math.NaN(), math.Inf(1), math.Copysign(0, -1)}[next()%7]}
		case program.OpColumn, program.OpPresent:
			c := fuzzNames[next()%len(fuzzNames)]
			in.Column, reg.Type, reg.Shape = c.id, c.t, program.ShapeOf(c.id)
			if in.Op == program.OpPresent {
				reg.Type = schema.Bool
			}
		case program.OpGather:
			params = []schema.Type{schema.Double}
		case program.OpCall:
			params, reg.Type = []schema.Type{schema.String, schema.Int}, schema.Int
		case program.OpAnd, program.OpOr:
			params, reg.Type = []schema.Type{schema.Bool, schema.Bool}, schema.Bool
		case program.OpCond:
			params = []schema.Type{schema.Bool, schema.Double, schema.Double}
		case program.OpCapMul:
			params = slices.Repeat([]schema.Type{schema.Double}, 2+next()%2)
		case program.OpCapSum:
			params = slices.Repeat([]schema.Type{schema.Double}, 1+3*(1+next()%2))
		case program.OpWeighSum, program.OpTakeSum, program.OpTake:
			params = slices.Repeat([]schema.Type{schema.Double}, 1+2*(1+next()%2))
			if next()%4 == 0 && in.Op == program.OpWeighSum {
				params[2] = schema.Int
			}
		default:
			fn := schema.FunctionByOverload(in.Op)
			params, reg.Type = fn.Params, fn.Result
		}
		for _, want := range params {
			a := pick(p, want, next())
			if a == program.NoReg {
				break
			}
			in.Args = append(in.Args, a)
			if s := p.Regs[a].Shape; s.Level > reg.Shape.Level || s.Level == reg.Shape.Level && s != reg.Shape {
				reg.Shape = s
			}
		}
		if len(in.Args) < len(params) {
			continue
		}
		if in.Op == program.OpGather || reg.Shape.Level == program.Dict && next()%4 == 0 {
			reg.Shape = program.Shape{Level: program.Row}
		}
		p.Regs, p.Instrs = append(p.Regs, reg), append(p.Instrs, in)
	}
	return p
}

func pick(p *program.Program, want schema.Type, choice int) program.Reg {
	var fits []program.Reg
	for r := range p.Regs {
		if p.Regs[r].Type == want {
			fits = append(fits, program.Reg(r))
		}
	}
	if len(fits) == 0 {
		return program.NoReg
	}
	return fits[choice%len(fits)]
}

var fuzzNames = []struct {
	id schema.ColumnID
	t  schema.Type
}{
	{"job.x", schema.Double}, {"job.y", schema.Double}, {"job.n", schema.Int}, {"job.held", schema.Bool},
	{"job.user", schema.String},
	{"user.usage", schema.Double}, {"user.priority", schema.Int}, {"qos.weight", schema.Double},
	{"cluster.nodes", schema.Int}, {"cluster.load", schema.Double},
}

func fuzzColumns(tb testing.TB) Binding {
	b := bind(tb, `
job.x f64: 0 1 -0 NaN ? 7 Inf
job.y f64: 3 ? 2 1 -1 0.5 NaN
job.n i64: 1 max min ? 0 -1 5
job.held bool: true false true false true ? false
job.user string: amy bob amy ? carol bob amy
job.qos string: high low low high low none high
user.usage f64: 1.5 NaN 0 ?
user.priority i64: 1 ? max 3
qos.weight f64: 10 -0 ?
cluster.nodes i64: 128
cluster.load f64: ?
`)
	// Three blocks of the same few rows over and over.
	b.Rows = 2*BlockRows + 37
	for _, id := range []schema.ColumnID{"job.x", "job.y", "job.n", "job.held", "job.user", "job.qos"} {
		few := b.Columns[id]
		many := &column.Column{ID: id, Type: few.Type, Dict: few.Dict}
		for row := range b.Rows {
			from := row % few.Len()
			switch {
			case few.Type == schema.Double:
				many.Doubles = append(many.Doubles, few.Doubles[from])
			case few.Type == schema.String:
				many.Codes = append(many.Codes, few.Codes[from])
			default:
				many.Ints = append(many.Ints, few.Ints[from])
			}
			if few.Missing.Get(from) {
				many.Missing.Set(row)
			}
		}
		b.Columns[id] = many
	}
	return b
}
