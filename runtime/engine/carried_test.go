package engine_test

import (
	"reflect"
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// TestUnusedStateIsCarried: what a policy has no use for comes out of an evaluation as it went in.
func TestUnusedStateIsCarried(t *testing.T) {
	before := &checkpoint.Checkpoint{Family: "maui", Time: 1700000000, IntervalSeconds: 3600,
		Usage: []snapshot.UsageWindow{{StartTime: 1699999200, Total: 7,
			Usage: map[string]map[string]float64{"user": {"amy": 7}}}},
		Tree: &checkpoint.Tree{LastReset: 5, Associations: []checkpoint.Used{{Name: "root", Seconds: 3}}}}
	out := compiler.Compile(compiler.Input{Files: []*source.File{source.NewFile("maui.cfg",
		[]byte("QUEUETIMEWEIGHT 1\n"))}})
	s, _, err := snapshot.Read(fstest.MapFS{"q.json": {Data: []byte(`{"format_version": 1, "now": 1700009000, "jobs": [
		{"id": "1", "user": "amy", "state": "running", "submit_time": 1, "start_time": 1699990000, "procs": 8, "walltime_seconds": 1000000}]}`)}},
		[]string{"q.json"}, snapshot.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := engine.Run(out.Program, s, evaluation.Options{Previous: before})
	if err != nil {
		t.Fatal(err)
	}
	if r.Next().IntervalSeconds != 3600 || !reflect.DeepEqual(r.Next().Usage, before.Usage) ||
		!reflect.DeepEqual(r.Next().Tree, before.Tree) {
		t.Errorf("the state came out as %+v", r.Next())
	}
}
