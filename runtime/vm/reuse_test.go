package vm

import (
	"maps"
	"math"
	"math/rand"
	"slices"
	"testing"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/program"
)

// A run after another one gives what a run of its own gives, whatever changed between the two: cells, rows,
// dictionaries, constants of the program, the registers asked for.
func TestRunAfterEqualsRun(t *testing.T) {
	draw := rand.New(rand.NewSource(11))
	whole, ran := fuzzColumns(t), 0
	for range 3000 {
		data := make([]byte, draw.Intn(200))
		_, _ = draw.Read(data)
		p := fuzzed(data)
		m, err := Load(p)
		if err != nil || len(p.Regs) == 0 {
			continue
		}
		b := Binding{Rows: whole.Rows, Columns: maps.Clone(whole.Columns)}
		before, err := m.Run(b, someRegisters(draw, p), 1)
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			var spans []column.Span
			b, spans = changedBinding(draw, b)
			if draw.Intn(3) == 0 {
				p = changedConstant(draw, p)
				if m, err = Load(p); err != nil {
					t.Fatal(err)
				}
			}
			keep := someRegisters(draw, p)
			want, err := m.Run(b, keep, 1)
			if err != nil {
				t.Fatal(err)
			}
			got, err := m.RunAfter(before, spans, b, keep, 1+draw.Intn(2))
			if err != nil {
				t.Fatal(err)
			}
			sameOutput(t, p, want, got)
			before = got
			ran++
		}
	}
	if ran < 2000 {
		t.Errorf("only %d runs", ran)
	}
}

func sameOutput(t *testing.T, p *program.Program, want, got *Output) {
	t.Helper()
	if !slices.Equal(want.Failures, got.Failures) {
		t.Fatalf("failures %v, not %v\n%s", got.Failures, want.Failures, p)
	}
	for i := range want.Vectors {
		w, g := &want.Vectors[i], &got.Vectors[i]
		same := slices.EqualFunc(w.Doubles, g.Doubles, func(a, b float64) bool {
			return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
		})
		if !same || !slices.Equal(w.Ints, g.Ints) || !slices.Equal(w.Bools, g.Bools) || !slices.Equal(w.Codes, g.Codes) ||
			!slices.Equal(w.Errs, g.Errs) || (w.Errs == nil) != (g.Errs == nil) {
			for row := range want.Rows {
				if !sameValue(want, got, w, g, row) {
					t.Fatalf("%s row %d: %v, not %v\n%s", w.Reg, row, g.Value(row), w.Value(row), p)
				}
			}
			t.Fatalf("%s differs in a value that no row has\n%s", w.Reg, p)
		}
	}
}

// someRegisters draws what to keep: often all.
func someRegisters(draw *rand.Rand, p *program.Program) []program.Reg {
	all := draw.Intn(3) > 0
	var keep []program.Reg
	for r := range p.Regs {
		if program.StorageOf(p.Regs[r].Type) != program.NoStorage && (all || draw.Intn(3) == 0) {
			keep = append(keep, program.Reg(r))
		}
	}
	return keep
}

// changedConstant is the program with another value of some constant, and calls of its own.
func changedConstant(draw *rand.Rand, p *program.Program) *program.Program {
	other := *p
	other.Instrs = slices.Clone(p.Instrs)
	for _, at := range draw.Perm(len(other.Instrs)) {
		if in := &other.Instrs[at]; in.Op == program.OpConst {
			in.Value.Double, in.Value.Int = float64(draw.Intn(5)), int64(draw.Intn(2))
			break
		}
	}
	return &other
}

// changedBinding changes some cells, or adds and removes rows.
func changedBinding(draw *rand.Rand, b Binding) (Binding, []column.Span) {
	out := Binding{Rows: b.Rows, Columns: maps.Clone(b.Columns)}
	var spans []column.Span
	rows := []schema.ColumnID{"job.x", "job.y", "job.n", "job.held", "job.user", "job.qos"}
	switch draw.Intn(4) {
	case 0:
		return out, nil
	case 1:
		row := draw.Intn(b.Rows)
		spans, out.Rows = column.Without(b.Rows, row), b.Rows-1
	case 2:
		spans, out.Rows = column.Same(b.Rows), b.Rows+1
	}
	if spans != nil {
		for _, id := range rows {
			out.Columns[id] = b.Columns[id].Rearranged(spans, out.Rows)
		}
	}
	for range draw.Intn(3) {
		id := rows[draw.Intn(len(rows))]
		c := out.Columns[id].Copy()
		for range 1 + draw.Intn(2) {
			row := draw.Intn(out.Rows)
			switch {
			case c.Type == schema.String && draw.Intn(2) == 0:
				c.Set(row, c.DictValue(draw.Intn(c.DictLen())))
			case draw.Intn(4) == 0:
				c.Clear(row)
			case c.Type == schema.String:
				c.Set(row, schema.StringValue("new"))
			default:
				c.Set(row, schema.Value{Type: c.Type, Int: int64(draw.Intn(2)), Double: float64(draw.Intn(4))})
			}
		}
		out.Columns[id] = c
	}
	for key, ids := range map[schema.ColumnID][]schema.ColumnID{"job.user": {"user.usage", "user.priority"},
		"job.qos": {"qos.weight"}} {
		for _, id := range ids {
			if c := out.Columns[id]; c.Len() < out.Columns[key].DictLen() { // every name has its entry
				out.Columns[id] = c.Rearranged(column.Same(c.Len()), out.Columns[key].DictLen())
			}
		}
	}
	if draw.Intn(4) == 0 {
		c := out.Columns["user.usage"].Copy()
		c.Set(draw.Intn(c.Len()), schema.DoubleValue(float64(draw.Intn(9))))
		out.Columns["user.usage"] = c
	}
	return out, spans
}

// After one changed row only its block is computed again, after a changed constant only what depends on it, and after
// nothing, nothing.
func TestRunAfterComputesWhatChanged(t *testing.T) {
	called := 0
	counted := program.Call{Text: "counted", Fn: func(args []schema.Value) (schema.Value, error) {
		called++
		return args[0], nil
	}}
	row := program.Shape{Level: program.Row}
	weighed := func(weight int64) *program.Program {
		return &program.Program{Calls: []program.Call{counted},
			Regs: []program.Register{{Type: schema.Int, Shape: row}, {Type: schema.Int, Shape: row}, {Type: schema.Int},
				{Type: schema.Int, Shape: row}},
			Instrs: []program.Instr{{Op: program.OpColumn, Dst: 0, Column: "job.n"},
				{Op: program.OpCall, Dst: 1, Args: []program.Reg{0}},
				{Op: program.OpConst, Dst: 2, Value: schema.IntValue(weight)},
				{Op: "multiply_int64", Dst: 3, Args: []program.Reg{1, 2}}}}
	}
	b := Binding{Rows: 3*BlockRows + 10, Columns: map[schema.ColumnID]*column.Column{}}
	b.Columns["job.n"] = &column.Column{ID: "job.n", Type: schema.Int, Ints: make([]int64, b.Rows)}
	var last *Output
	for _, step := range []struct {
		what  string
		row   int // that changes; -1 for none
		p     *program.Program
		calls int
	}{
		{"the first run", -1, weighed(2), b.Rows},
		{"another weight", -1, weighed(3), b.Rows}, // what it reads is kept from now on
		{"another weight again", -1, weighed(4), 0},
		{"a changed row", BlockRows + 5, weighed(5), BlockRows},
		{"nothing", -1, weighed(5), 0},
	} {
		if step.row >= 0 {
			c := b.Columns["job.n"].Copy()
			c.Ints[step.row]++
			b.Columns = map[schema.ColumnID]*column.Column{"job.n": c}
		}
		m, err := Load(step.p)
		if err != nil {
			t.Fatal(err)
		}
		called = 0
		if last, err = m.RunAfter(last, nil, b, []program.Reg{3}, 1); err != nil {
			t.Fatal(err)
		}
		if called != step.calls {
			t.Errorf("%s: %d calls, not %d", step.what, called, step.calls)
		}
	}
}
