package replay_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/conformance/oracle"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/replay"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// TestEasyTwin: EASY backfilling on one pool starts every job of made-up workloads when the textbook does.
func TestEasyTwin(t *testing.T) {
	text, err := os.ReadFile("../../examples/replay/easy.fairway.hcl")
	if err != nil {
		t.Fatal(err)
	}
	out := compiler.Compile(compiler.Input{Lang: lower.HCL,
		Files: []*source.File{source.NewFile("easy.fairway.hcl", text)}})
	if out.Diags.HasErrors() {
		t.Fatal(out.Diags)
	}
	draw := rand.New(rand.NewPCG(22, 1))
	backfilled := 0
	for range 40 {
		backfilled += checkEasy(t, out.Program, draw)
	}
	if backfilled < 100 {
		t.Errorf("only %d jobs were backfilled: the workloads show nothing", backfilled)
	}
}

func checkEasy(t *testing.T, p *program.Program, draw *rand.Rand) (backfilled int) {
	procs := 1 + draw.Int64N(40)
	var jobs []oracle.EasyJob
	var text strings.Builder
	at := int64(0)
	for k := range 60 {
		at += 1 + draw.Int64N(200)
		limit := 10 + draw.Int64N(2000)
		j := oracle.EasyJob{Submit: 1000 + at, Run: 1 + draw.Int64N(limit), Limit: limit, Procs: 1 + draw.Int64N(procs)}
		if draw.IntN(30) == 0 {
			j.Procs = procs + 1
		}
		jobs = append(jobs, j)
		fmt.Fprintf(&text, "%d %d -1 %d %d -1 -1 %d %d -1 1 1 1 -1 1 -1 -1 -1\n", k+1, j.Submit, j.Run, j.Procs, j.Procs,
			j.Limit)
	}
	s, diags, err := snapshot.Read(fstest.MapFS{"w.swf": {Data: []byte(text.String())}}, []string{"w.swf"},
		snapshot.Options{WholeTrace: true})
	if err != nil || diags.HasErrors() {
		t.Fatal(err, diags)
	}
	w := replay.NewWorkload(s.Jobs, replay.Selection{Runtime: replay.Recorded})
	got, err := replay.Run(p, &snapshot.Snapshot{}, w, replay.Options{Evaluation: evaluation.Options{Procs: procs}})
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range oracle.Easy(jobs, procs) {
		o := &got.Outcomes[k]
		have := o.Start
		if o.By == "" {
			have = -1
		}
		if have != want {
			t.Fatalf("on %d processors job %s starts at %d, the textbook says %d\n%s", procs, o.ID, have, want, text.String())
		}
		if o.By == "backfill" {
			backfilled++
		}
	}
	return backfilled
}
