package report_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/report/eval"
	"github.com/fairway-sched/fairway/runtime/report/explain"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// TestUnevaluatedTerms: what nothing weighs is not evaluated, and no number is shown for it.
func TestUnevaluatedTerms(t *testing.T) {
	out := compiler.Compile(compiler.Input{Files: []*source.File{source.NewFile("maui.cfg",
		[]byte("QUEUETIMEWEIGHT 1\nRESWEIGHT 0\nPROCWEIGHT 5\n"))}})
	s, _, err := snapshot.Read(fstest.MapFS{"q.json": {Data: []byte(`{"format_version": 1, "now": 1000, "jobs": [{"id": "1", "user": "amy", "state": "pending", "procs": 8, "submit_time": 400}]}`)}},
		[]string{"q.json"}, snapshot.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := engine.Run(out.Program, s, evaluation.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	json := text(t, eval.WriteJSONLines, r, eval.Options{})
	for _, want := range []string{
		`"term":"queuetime","factor":10,"weight":1,"contribution":10,`,
		`"term":"proc","factor":null,"weight":5,"contribution":0,`,
		`"term":"node","factor":null,"weight":0,"contribution":0,`,
	} {
		if !strings.Contains(json, want) {
			t.Errorf("there is no %s in\n%s", want, json)
		}
	}
	if said := text(t, one(explain.WriteExplain, 0), r, eval.Options{}); !strings.Contains(said,
		"resource 0: node (weight 0), proc (not evaluated)") {
		t.Error(said)
	}
}
