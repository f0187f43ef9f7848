package program

import (
	"testing"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

func TestString(t *testing.T) {
	file := source.NewFile("site.hcl", []byte("one\nfactor = job.procs\n"))
	once, row := Shape{}, Shape{Level: Row}
	perUser := Shape{Level: Dict, Key: "job.user"}
	p := &Program{
		Policy: "site", Family: "maui", Semantics: "observed", Without: []string{"fairshare", "limits"},
		Deviations: []string{"a", "b"},
		Params:     []Given{{"X", "a b"}, {"Y", "1"}}, Rounding: "truncate",
		Regs: []Register{
			{schema.Double, once, 0}, {schema.Int, row, 0}, {schema.Double, row, 1},
			{schema.String, perUser, 0}, {schema.Bool, perUser, 0},
			{schema.Double, row, 0}, {schema.Timestamp, once, 0}, {schema.Bool, once, 0}, {schema.StringList, once, 0},
		},
		Instrs: []Instr{
			{Op: OpConst, Dst: 0, Value: schema.DoubleValue(2)},
			{Op: OpColumn, Dst: 1, Column: "job.procs", Span: file.Span(13, 22)},
			{Op: "int64_to_double", Dst: 2, Args: []Reg{1}},
			{Op: OpColumn, Dst: 3, Column: "job.user"},
			{Op: OpCall, Dst: 4, Args: []Reg{3}, Span: file.Span(4, 10)},
			{Op: OpCapMul, Dst: 5, Args: []Reg{0, 2}},
			{Op: OpColumn, Dst: 6, Column: schema.Now},
			{Op: OpConst, Dst: 7, Value: schema.BoolValue(true)},
			{Op: OpConst, Dst: 8, Value: schema.ListValue([]string{"a b", "c"})},
		},
		Calls: []Call{{Text: "job.user\n  .startsWith('a')"}},
		Components: []Component{{
			Name: "c", Weight: Number{Reg: 0}, Cap: Number{Reg: NoReg}, Sum: 5, Value: 5,
			Terms: []Term{{Name: "t", Weight: Number{Reg: 0}, Cap: Number{Reg: 2}, Factor: Number{Reg: NoReg}, Value: 5}},
		}},
		Score: 5, Priority: 5,
		Overrides: []Flag{{Name: "system", When: 7}},
		Holds:     []Flag{{Name: "long", Reason: "too long", When: 4}},
		Settings: []Setting{
			{Column: "user.priority", Rows: map[string]SettingRow{"amy": {}}, Others: &SettingRow{Value: schema.IntValue(7)}},
			{Column: "qos.priority"},
		},
	}
	want := `program "site" family=maui semantics=observed documented=a,b without=fairshare,limits params=X="a b",Y="1"
component c = r5: weight r0, sum r5
  term t = r5: weight r0, cap r2, factor -
score = r5
override system when r7
priority = r5 rounded truncate
hold long when r4 reason "too long"
setting user.priority: 1 rows, others 7
setting qos.priority: 0 rows, others from the snapshot

r0:f64@once = const 2.0
r1:i64@row = column job.procs               ; site.hcl:2:10
r2:f64@row#1 = int64_to_double r1
r3:string@dict(job.user) = column job.user
r4:bool@dict(job.user) = call {job.user .startsWith('a')} r3   ; site.hcl:2:1
r5:f64@row = capmul r0 r2
r6:timestamp@once = column now
r7:bool@once = const true
r8:strings@once = const ["a b" "c"]
`
	if got := p.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestShapeOf(t *testing.T) {
	for _, c := range []struct {
		id   schema.ColumnID
		want string
	}{
		{schema.Now, "once"},
		{"cluster.nodes", "once"},
		{"qoses.max_priority", "once"},
		{"job.procs", "row"},
		{"job.tres(gres/gpu)", "row"},
		{"job.user", "dict(job.user)"},
		{"job.partitions", "dict(job.partitions)"},
		{"user.priority", "dict(job.user)"},
		{"class.priority", "dict(job.partition)"},
		{"partition.tres(cpu)", "dict(job.partition)"},
	} {
		if got := ShapeOf(c.id).String(); got != c.want {
			t.Errorf("%s enters %s, not %s", c.id, got, c.want)
		}
	}
}
