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
	p := easyPolicy(t)
	draw := rand.New(rand.NewPCG(22, 1))
	backfilled := 0
	for range 40 {
		backfilled += checkEasy(t, p, draw)
	}
	if backfilled < 100 {
		t.Errorf("only %d jobs were backfilled: the workloads show nothing", backfilled)
	}
}

// TestAgainst: a policy is as good as itself; more load means longer waits, and no luck.
func TestAgainst(t *testing.T) {
	draw := rand.New(rand.NewPCG(22, 5))
	var text strings.Builder
	at := int64(0)
	for k := range 400 {
		at += 1 + draw.Int64N(600)
		limit := 10 + draw.Int64N(2000)
		fmt.Fprintf(&text, "%d %d -1 %d %d -1 -1 -1 %d -1 1 1 1 -1 1 -1 -1 -1\n", k+1, at, 1+draw.Int64N(limit),
			1+draw.Int64N(8), limit)
	}
	s, diags, err := snapshot.Read(fstest.MapFS{"w.swf": {Data: []byte(text.String())}}, []string{"w.swf"},
		snapshot.Options{WholeTrace: true})
	if err != nil || diags.HasErrors() {
		t.Fatal(err, diags)
	}
	c := replay.Case{Program: easyPolicy(t), Machine: &snapshot.Snapshot{}, Seed: 3,
		Workload: replay.NewWorkload(s.Jobs, replay.Selection{Runtime: replay.Recorded}),
		Options:  replay.Options{Evaluation: evaluation.Options{Procs: 24}}}
	small := c
	small.Options.Evaluation.Procs = 12
	result, measured, err := c.Play()
	if err != nil {
		t.Fatal(err)
	}
	same, err := c.Against(&c, result, 10, 4, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range append(same.Whole, same.Groups...) {
		if d.Sure() || d.Change() != 0 && d.This == d.This {
			t.Errorf("%+v: a policy differs from itself", d)
		}
	}
	if same.Same != 400 || len(same.Groups) != len(measured.Groups) {
		t.Errorf("%d jobs wait as long, of %d groups", same.Same, len(same.Groups))
	}
	other, err := c.Against(&small, result, 10, 4, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range other.Whole {
		if m := replay.Metrics[d.Metric].Name; m == "wait_seconds.mean" && (d.Better() != 1 || d.High >= 0) ||
			m == "utilisation" && (d.Better() != -1 || d.High >= 0) {
			t.Errorf("twice the machine is as good for %s: %+v", m, d)
		}
	}
}

func easyPolicy(t *testing.T) *program.Program {
	t.Helper()
	text, err := os.ReadFile("../../examples/replay/easy.fairway.hcl")
	if err != nil {
		t.Fatal(err)
	}
	out := compiler.Compile(compiler.Input{Lang: lower.HCL,
		Files: []*source.File{source.NewFile("easy.fairway.hcl", text)}})
	if out.Diags.HasErrors() {
		t.Fatal(out.Diags)
	}
	return out.Program
}

// TestBegunWithQueue: a replay that begins with the state of a replay at a time goes on as that one did.
func TestBegunWithQueue(t *testing.T) {
	p := easyPolicy(t)
	draw := rand.New(rand.NewPCG(22, 4))
	waited := 0
	for range 30 {
		procs := 4 + draw.Int64N(20)
		var text strings.Builder
		at := int64(1000)
		for k := range 50 {
			at += 1 + 2*draw.Int64N(100)
			limit := 10 + draw.Int64N(2000)
			fmt.Fprintf(&text, "%d %d -1 %d %d -1 -1 -1 %d -1 1 1 1 -1 1 -1 -1 -1\n", k+1, at, 1+draw.Int64N(limit),
				1+draw.Int64N(procs), limit)
		}
		whole := playEasy(t, p, text.String(), &snapshot.Snapshot{}, procs)
		var played strings.Builder // the trace with the waits that it came to
		for i := range whole.Outcomes {
			o := &whole.Outcomes[i]
			fmt.Fprintf(&played, "%s %d %d %d %d -1 -1 -1 %d -1 1 1 1 -1 1 -1 -1 -1\n", o.ID, o.Submit, o.Wait(), o.Seconds,
				o.Procs, o.Limit)
		}
		now := whole.Outcomes[10+draw.IntN(30)].Submit
		s, diags, err := snapshot.Read(fstest.MapFS{"w.swf": {Data: []byte(played.String())}}, []string{"w.swf"},
			snapshot.Options{Now: now})
		if err != nil || diags.HasErrors() {
			t.Fatal(err, diags)
		}
		rest := playEasy(t, p, text.String(), s, procs)
		starts := map[string]int64{}
		for i := range rest.Outcomes {
			starts[rest.Outcomes[i].ID] = rest.Outcomes[i].Start
		}
		for i := range whole.Outcomes {
			o := &whole.Outcomes[i]
			if start, there := starts[o.ID]; there != (o.End > now) || there && start != o.Start {
				t.Fatalf("on %d processors from %d on job %s starts at %d (%t), in the whole replay at %d\n%s", procs, now, o.ID,
					start, there, o.Start, text.String())
			}
			if o.Submit < now && o.Start > now {
				waited++
			}
		}
	}
	if waited < 30 {
		t.Errorf("only %d jobs waited at the begin: the queues show nothing", waited)
	}
}

func playEasy(t *testing.T, p *program.Program, trace string, machine *snapshot.Snapshot, procs int64) *replay.Result {
	t.Helper()
	s, diags, err := snapshot.Read(fstest.MapFS{"w.swf": {Data: []byte(trace)}}, []string{"w.swf"},
		snapshot.Options{WholeTrace: true})
	if err != nil || diags.HasErrors() {
		t.Fatal(err, diags)
	}
	w := replay.NewWorkload(s.Jobs, replay.Selection{Runtime: replay.Recorded})
	got, err := replay.Run(p, machine, w, replay.Options{Evaluation: evaluation.Options{Procs: procs}})
	if err != nil {
		t.Fatal(err)
	}
	return got
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
	got := playEasy(t, p, text.String(), &snapshot.Snapshot{}, procs)
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
