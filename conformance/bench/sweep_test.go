package bench

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
	"github.com/fairway-sched/fairway/runtime/sweep"
)

// vectors is how many policies that differ in weights only are tried over one queue.
const vectors = 64

// weighted is the example site's policy with other weights.
func weighted(b testing.TB, params []sweep.Param) *compiler.Output {
	in := compiler.Input{}
	for _, name := range []string{"slurm.conf", "assoc.cfg"} {
		text, err := os.ReadFile(site + "/" + name)
		check(b, err)
		in.Files = append(in.Files, source.NewFile(name, text))
	}
	for _, p := range params {
		f := source.NewFile("param "+p.Name, []byte(p.Value))
		in.Params = append(in.Params, lower.ParamOverride{Name: p.Name, Value: p.Value, Span: f.Span(0, len(p.Value))})
	}
	out := compiler.Compile(in)
	if out.Program == nil {
		b.Fatal(out.Diags[0].Message)
	}
	return out
}

func weights(i int) []sweep.Param {
	return []sweep.Param{{Name: "PriorityWeightAge", Value: fmt.Sprint(1000 + 100*i)},
		{Name: "PriorityWeightFairshare", Value: fmt.Sprint(100_000 - 500*i)}}
}

// study is a sweep of all of them over one queue, in a folder of its own.
func study(tb testing.TB, s given) (folder string) {
	folder, err := os.MkdirTemp("", "fairway-sweep")
	check(tb, err)
	tb.Cleanup(func() { _ = os.RemoveAll(folder) })
	text := fmt.Sprintf(`study "weights" {
  policy "site" {
    files = [%q, %q]
    param "PriorityWeightAge" {
      from  = 1000
      to    = 8000
      steps = 8
    }
    param "PriorityWeightFairshare" {
      from  = 1000
      to    = 80000
      steps = 8
    }
  }
  snapshot "queue" {
    files = %q
  }
  metric "rank_mean" {
    account = "physics"
  }
}
`, example(tb, "slurm.conf"), example(tb, "assoc.cfg"), s.queue)
	check(tb, os.WriteFile(filepath.Join(folder, "study.hcl"), []byte(text), 0o644))
	return folder
}

// BenchmarkSweep is 64 policies over a queue of 100,000 jobs: as a sweep, plan and run, on one core, and as 64 runs of
// eval, of which one is measured. The figures are for a job and a policy.
func BenchmarkSweep(b *testing.B) {
	s := commands(b)
	per := func(b *testing.B, took time.Duration) {
		b.ReportMetric(float64(took)/float64(b.N*vectors*100_000), "cpu-ns/job-policy")
	}
	b.Run("sweep", func(b *testing.B) {
		var took time.Duration
		for b.Loop() {
			took += sweepOnce(b, s)
		}
		per(b, took)
	})
	b.Run("runs", func(b *testing.B) {
		var took time.Duration
		for b.Loop() {
			took += vectors * evalOnce(b, s)
		}
		per(b, took)
	})
}

func sweepOnce(tb testing.TB, s given) time.Duration {
	folder := study(tb, s)
	planned, _ := run(tb, exec.Command(s.program, "sweep", "plan", folder+"/study.hcl", "-o", folder+"/out"))
	computed, _ := run(tb, exec.Command(s.program, "sweep", "run", folder+"/out", "--jobs", "1"))
	return planned + computed
}

func evalOnce(tb testing.TB, s given) time.Duration {
	took, _ := run(tb, exec.Command(s.program, "eval", example(tb, "slurm.conf"), example(tb, "assoc.cfg"), "-s", s.queue,
		"--limit", "1"))
	return took
}

// TestSweepShares: 64 policies over one queue are as fast as a sweep should be, by half of what was measured, so that
// a busy machine does not fail it: as processes, and of the evaluation alone.
func TestSweepShares(t *testing.T) {
	if os.Getenv("FAIRWAY_LONG") == "" {
		t.Skip("FAIRWAY_LONG is not set")
	}
	s := commands(t)
	ours, runs := sweepOnce(t, s), vectors*evalOnce(t, s)
	t.Logf("a sweep takes %v, %d runs of eval %v: %.1f times as long", ours, vectors, runs, float64(runs)/float64(ours))
	if ratio := float64(runs) / float64(ours); ratio < leastProcesses {
		t.Errorf("%d runs of eval take %.1f times as long as a sweep, less than %v", vectors, ratio, leastProcesses)
	}
	shared, alone := evaluations(t, 20_000)
	t.Logf("evaluations that share take %v, those from scratch %v: %.1f times as long", shared, alone,
		float64(alone)/float64(shared))
	if ratio := float64(alone) / float64(shared); ratio < leastEvaluations {
		t.Errorf("evaluations from scratch take %.1f times as long as those that share, less than %v", ratio,
			leastEvaluations)
	}
}

// Half of what was measured: 9.9 as processes, and 12.6 of the evaluations alone.
const (
	leastProcesses   = 4.5
	leastEvaluations = 6
)

// evaluations takes the time of 64 cells that share a queue's columns, and of as many from scratch. Their results are
// the same.
func evaluations(tb testing.TB, jobs int) (shared, alone time.Duration) {
	q := queue(tb, jobs)
	var outs []*compiler.Output
	for i := range vectors {
		outs = append(outs, weighted(tb, weights(i)))
	}
	state := engine.New(outs[0].Fused, q, evaluation.Options{Workers: 1})
	begun := cpu()
	sums := make([]int64, vectors)
	for i := range outs {
		state.Set(outs[i].Fused)
		sums[i] = sum(tb, state)
	}
	shared, begun = cpu()-begun, cpu()
	for i := range outs {
		if got := sum(tb, engine.New(outs[i].Fused, q, evaluation.Options{Workers: 1})); got != sums[i] {
			tb.Errorf("policy %d: %d from scratch, %d shared", i, got, sums[i])
		}
	}
	return shared, cpu() - begun
}

// sum stands for the order and the priorities of a result.
func sum(tb testing.TB, state *engine.State) (total int64) {
	r, err := state.Evaluate()
	check(tb, err)
	for i, p := range r.Priority {
		total = total*31 + p*int64(i+1)
	}
	for _, job := range r.Order {
		total = total*31 + int64(job)
	}
	return total
}

// TestCellsShare: a cell comes to the same whichever was computed before it.
func TestCellsShare(t *testing.T) {
	q := queue(t, 500)
	m := &sweep.Manifest{FormatVersion: sweep.FormatVersion, Policies: []sweep.Policy{{Name: "p"}},
		Sources:  []sweep.Source{{Name: "q", Kind: sweep.Snapshot, Zone: "UTC", Files: []string{"q.json"}}},
		KeepJobs: true}
	for i := range 6 {
		m.Points = append(m.Points, sweep.Point{Params: weights(i * 10)})
	}
	m.Fill()
	var text jsonText
	check(t, snapshot.WriteJSON(&text, q))
	inputs := &sweep.Inputs{Folder: "/", Texts: map[string][]byte{"/q.json": text}}
	work := sweep.NewWork(m, inputs, func(_ *sweep.Policy, params []sweep.Param, _ *snapshot.Snapshot) (full,
		fused *program.Program, err error) {
		out := weighted(t, params)
		return out.Program, out.Fused, nil
	})
	results := map[string]string{}
	for _, order := range [][]int{{0, 1, 2, 3, 4, 5}, {5, 3, 1, 0, 2, 4}} {
		hand := work.Hand()
		for _, at := range order {
			r, err := hand.Compute(context.Background(), &m.Cells[at])
			check(t, err)
			got, err := r.Encode()
			check(t, err)
			if before := results[r.Cell]; before != "" && before != string(got) {
				t.Errorf("cell %d differs by the order", at)
			}
			results[r.Cell] = string(got)
			alone, err := work.Hand().Compute(context.Background(), &m.Cells[at])
			check(t, err)
			if fresh, _ := alone.Encode(); string(fresh) != string(got) {
				t.Errorf("cell %d differs from the one that is computed alone", at)
			}
		}
	}
}

type jsonText []byte

func (j *jsonText) Write(p []byte) (int, error) { *j = append(*j, p...); return len(p), nil }
