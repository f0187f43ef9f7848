package laws

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/conformance/oracle"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// TestDefines: a policy with defines is the policy in which each of them is in parentheses where it is read, bit
// for bit, and its program for scores is not longer.
func TestDefines(t *testing.T) {
	compared := 0
	draws.UntilSeen(t, func() bool { return compared >= 20 }, func(t *rapid.T) {
		p := drawPolicy(t)
		named := compile(t, compiler.Input{}, p.text)
		if !strings.Contains(p.text, "define.") || named == nil {
			return
		}
		written := compile(t, compiler.Input{}, p.out)
		if written == nil {
			t.Fatalf("written out it has no program\n%s\n%s", p.text, p.out)
		}
		// The program of explanations keeps the defines' own values.
		if n, w := len(named.Fused.Instrs), len(written.Fused.Instrs); n > w {
			t.Fatalf("%d instructions with names, %d written out\n%s\n%s", n, w, p.text, p.out)
		}
		s := drawSnapshot(t, true, rapid.IntRange(0, 12).Draw(t, "rows"))
		want, missing := oracle.Evaluate(written.Policy, s)
		got, err := engine.Run(named.Program, s, evaluation.Options{})
		if err != nil || (missing != nil) != got.Findings.HasErrors() {
			t.Fatalf("written out %v, with names %v %v\n%s", missing, err, got.Findings, p.text)
		}
		if missing == nil {
			same(t, "with names", want, got, written.Policy, p.text+p.out)
			compared++
		}
	})
}
