package codegen_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fairway-sched/fairway/compiler/codegen"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/optimize"
	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/program"
)

func number(v float64) ir.Scalar {
	return ir.Scalar{Expr: expr.NewConst(schema.DoubleValue(v), source.Span{})}
}

// Credential tables, sources and names reach the program unchanged: explain has nothing else.
func TestNamesAndSourcesAreKept(t *testing.T) {
	span := source.NewFile("maui.cfg", []byte("QUEUETIMEWEIGHT 10\n")).Span(0, 18)
	weight := number(10)
	weight.Sources = []ir.Source{{Name: "QUEUETIMEWEIGHT", Value: schema.IntValue(10), Span: span}}
	queue := &expr.Expr{Op: expr.Column, Type: schema.Double, Column: "job.queue_minutes"}
	p := &ir.Policy{
		Name: "site", Family: "maui", Version: "", Semantics: "documented", Without: []string{"limits"},
		Components: []ir.Component{{Name: "service", Doc: "waiting", Weight: number(1), Terms: []ir.Term{
			{Name: "queuetime", Doc: "time in the queue", Weight: weight, Factor: ir.Scalar{Expr: queue}, Span: span},
		}}},
		Tables: []ir.Table{{
			Column: "user.priority",
			Rows:   []ir.TableRow{{Name: "amy", Value: schema.IntValue(5), Span: span, Source: "USERCFG[amy] PRIORITY"}},
			Others: &ir.TableRow{Name: "DEFAULT", Value: schema.IntValue(1), Source: "USERCFG[DEFAULT] PRIORITY"},
		}, {Column: "qos.priority"}},
	}
	prog, diags := codegen.Generate(p)
	if len(diags) > 0 {
		t.Fatal(diags[0].Message)
	}
	want := []program.Setting{{
		Column: "user.priority",
		Rows: map[string]program.SettingRow{"amy": {Value: schema.IntValue(5), Span: span,
			Source: "USERCFG[amy] PRIORITY"}},
		Others: &program.SettingRow{Value: schema.IntValue(1), Source: "USERCFG[DEFAULT] PRIORITY"},
	}, {Column: "qos.priority", Rows: map[string]program.SettingRow{}}}
	sameSpan := cmp.Comparer(func(a, b source.Span) bool { return a == b })
	for _, prog := range []*program.Program{prog, optimize.Scores(prog)} {
		if d := cmp.Diff(want, prog.Settings, sameSpan); d != "" {
			t.Errorf("settings: %s", d)
		}
		term := prog.Components[0].Terms[0]
		if term.Name != "queuetime" || term.Doc != "time in the queue" || term.Span != span || len(term.Reads) != 1 ||
			term.Reads[0] != "job.queue_minutes" {
			t.Errorf("term: %+v", term)
		}
		if d := cmp.Diff([]program.Source{{Name: "QUEUETIMEWEIGHT", Value: schema.IntValue(10), Span: span}},
			term.Weight.Sources, sameSpan); d != "" {
			t.Errorf("sources: %s", d)
		}
		if prog.Family != "maui" || prog.Semantics != "documented" || len(prog.Without) != 1 {
			t.Errorf("head: %s", prog)
		}
	}
}

// What is written twice is computed once; what reads the score is not confused with
// what could not.
func TestSharing(t *testing.T) {
	wall := func() *expr.Expr {
		return &expr.Expr{Op: expr.Column, Type: schema.Int, Column: "job.walltime_seconds"}
	}
	custom := &expr.Expr{Op: expr.Opaque, Type: schema.Double, Text: "custom()", Args: []*expr.Expr{wall()},
		Fn: func([]schema.Value) (schema.Value, error) { return schema.DoubleValue(1), nil }}
	sum := func() ir.Scalar {
		return ir.Scalar{Expr: &expr.Expr{Op: expr.Call, Func: "add_int64", Type: schema.Int,
			Args: []*expr.Expr{wall(), wall()}}}
	}
	started := &expr.Expr{Op: expr.Column, Type: schema.Timestamp, Column: "job.start_time"}
	now := &expr.Expr{Op: expr.Column, Type: schema.Timestamp, Column: schema.Now}
	waiting := &expr.Expr{Op: expr.Call, Func: "less_int64", Type: schema.Bool, Args: []*expr.Expr{started, now}}
	p := &ir.Policy{Name: "twice", Components: []ir.Component{{Name: "c", Weight: number(1), Terms: []ir.Term{
		{Name: "a", Weight: number(2), Factor: sum()},
		{Name: "b", Weight: number(2), Factor: sum()},
		{Name: "c", Weight: number(3), Factor: ir.Scalar{Expr: custom}},
		{Name: "d", Weight: number(4), Factor: ir.Scalar{Expr: custom}},
		{Name: "e", Weight: number(4), Factor: ir.Scalar{Expr: waiting}},
	}}}}
	prog, diags := codegen.Generate(p)
	if len(diags) > 0 {
		t.Fatal(diags[0].Message)
	}
	text := prog.String()
	for _, once := range []string{"column job.walltime_seconds", "= add_int64", "= int64_to_double", "call {custom()}",
		"less_int64"} {
		if n := strings.Count(text, once); n != 1 {
			t.Errorf("%q stands %d times in\n%s", once, n, text)
		}
	}
	terms := prog.Components[0].Terms
	if terms[0].Value != terms[1].Value {
		t.Errorf("equal terms have registers %s and %s", terms[0].Value, terms[1].Value)
	}
}
