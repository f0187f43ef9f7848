package laws

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/conformance/oracle"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// TestGeneratedPolicies: run(compile(P), S) = oracle(P, S), bit for bit, fused or
// not, on any number of workers; and every factor is what cel-go makes of its text.
func TestGeneratedPolicies(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		p := drawPolicy(t)
		out := compile(t, compiler.Input{}, p.text)
		if out == nil {
			return
		}
		s := drawSnapshot(t, true, rapid.IntRange(0, 12).Draw(t, "rows"))
		answer := agree(t, out, s, p.text)
		if answer != nil {
			celAgrees(t, out.Policy, p.factors, answer)
		}
	})
}

// agree compares the engine's runs of a policy with the oracle; nil if both say that
// an input is missing.
func agree(t *rapid.T, out *compiler.Output, s *snapshot.Snapshot, text string) *oracle.Answer {
	want, missing := oracle.Evaluate(out.Policy, s)
	for _, how := range []struct {
		name    string
		program *program.Program
		workers int
	}{{"explained", out.Program, 1}, {"explained by 3", out.Program, 3}, {"fused", out.Fused, 1},
		{"fused by 3", out.Fused, 3}} {
		got, err := engine.Run(how.program, s, evaluation.Options{Workers: how.workers})
		if err != nil {
			t.Fatalf("%s: %v\n%s", how.name, err, text)
		}
		if (missing != nil) != got.Findings.HasErrors() {
			t.Fatalf("%s: oracle says %v, engine %v\n%s", how.name, missing, got.Findings, text)
		}
		if missing == nil {
			same(t, how.name, want, got, out.Policy, text)
		}
	}
	return want
}

func same(t *rapid.T, how string, want *oracle.Answer, got *evaluation.Result, p *ir.Policy, text string) {
	if len(want.Rows) != got.Rows.Rows {
		t.Fatalf("%s: %d rows, oracle has %d\n%s", how, got.Rows.Rows, len(want.Rows), text)
	}
	for i, w := range want.Rows {
		if failed := w.Priority.Err != nil; failed != got.Failed.Get(i) {
			t.Fatalf("%s row %d: failed is %t, oracle has %v\n%s", how, i, got.Failed.Get(i), w.Priority, text)
		} else if !failed && w.Stored != got.Priority[i] {
			t.Fatalf("%s row %d: priority %d, oracle has %d of %v\n%s", how, i, got.Priority[i], w.Stored, w.Priority, text)
		}
		if w.Score.Err == nil && !sameBits(w.Score.Double, got.Score[i]) {
			t.Fatalf("%s row %d: score %v, oracle has %v\n%s", how, i, got.Score[i], w.Score.Double, text)
		}
		for k := range got.Terms {
			term := &got.Terms[k]
			if term.FactorFailed.Get(i) != (w.Terms[k].Factor.Err != nil) {
				t.Fatalf("%s row %d: factor %d fails: %t, oracle has %v\n%s", how, i, k, term.FactorFailed.Get(i),
					w.Terms[k].Factor, text)
			}
			if w.Terms[k].Factor.Err == nil && !sameBits(w.Terms[k].Factor.Double, term.Factor[i]) ||
				w.Terms[k].Value.Err == nil && !sameBits(w.Terms[k].Value.Double, term.Value[i]) {
				t.Fatalf("%s row %d: term %d has %v and %v, oracle %v\n%s", how, i, k, term.Factor[i], term.Value[i], w.Terms[k],
					text)
			}
		}
		for k, mark := range got.Overridden {
			if w.Priority.Err == nil && mark.Get(i) != (w.Decided == k) {
				t.Fatalf("%s row %d: override %d decides: %t, oracle has %d\n%s", how, i, k, mark.Get(i), w.Decided, text)
			}
		}
	}
	order := make([]int, len(got.Order))
	for i, job := range got.Order {
		order[i] = int(job)
	}
	if !slices.Equal(order, want.Order) {
		t.Fatalf("%s: order %v, oracle has %v\n%s", how, order, want.Order, text)
	}
}

// sameBits compares doubles; which NaN it is, is the processor's choice.
func sameBits(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}
