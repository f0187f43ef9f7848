package laws

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/program"
)

// TestUnoptimized: eval(optimize(P)) = eval(optimize(P) without a pass), to the bit, whichever passes are left out.
func TestUnoptimized(t *testing.T) {
	compared := 0
	law := func(t *rapid.T) {
		in, text := drawText(t)
		in.Files = []*source.File{source.NewFile("policy", []byte(text))}
		whole := compiler.Compile(in)
		if whole.Program == nil {
			return
		}
		s := drawSnapshot(t, true, 5)
		for _, name := range compiler.OptimizerPasses() {
			if rapid.Bool().Draw(t, name) {
				in.NoOpt = append(in.NoOpt, name)
			}
		}
		less := compiler.Compile(in)
		for i, p := range []*program.Program{whole.Program, whole.Fused} {
			want, got := run(t, p, s, 1), run(t, []*program.Program{less.Program, less.Fused}[i], s, 1)
			if (want == nil) != (got == nil) {
				t.Fatalf("only one of both is missing an input, without %v\n%s", in.NoOpt, text)
			}
			if want == nil {
				continue
			}
			compared++
			for row := range want.Score {
				if !sameBits(want.Score[row], got.Score[row]) || want.Priority[row] != got.Priority[row] ||
					want.Failed.Get(row) != got.Failed.Get(row) {
					t.Fatalf("row %d has %v and priority %d, without %v it has %v and %d\n%s", row, want.Score[row],
						want.Priority[row], in.NoOpt, got.Score[row], got.Priority[row], text)
				}
			}
		}
	}
	draws.UntilSeen(t, func() bool { return compared > 20 }, law)
}
