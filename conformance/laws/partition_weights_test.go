package laws

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// TestPartitionWeights: where the manual is followed, eval(P, job of partition p) =
// eval(P with p's weights as the weights of all, job); other jobs are ranked as if no line had an index.
func TestPartitionWeights(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		const partition = "gpu"
		text := unindexed(drawMaui(t), "")
		for range 3 {
			name := rapid.SampledFrom(strings.Fields(mauiNumbers["weight"]+" "+mauiNumbers["cap"])).Draw(t, "name")
			text += name + "[" + partition + "] " + rapid.SampledFrom([]string{"0", "3", "-7", "100"}).Draw(t, "value") + "\n"
		}
		s := drawSnapshot(t, false, rapid.IntRange(1, 10).Draw(t, "rows"))
		without := lower.Options{Without: []string{"fairshare"}} // which needs usage files
		with := without
		with.Deviations = []string{"partition_weights"}
		run := func(text string, opt lower.Options) *evaluation.Result {
			out := compile(t, compiler.Input{Lang: lower.Maui, Options: opt}, text)
			r, err := engine.Run(out.Program, s, evaluation.Options{Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		got, plain, whole := run(text, with), run(unindexed(text, ""), without), run(unindexed(text, partition), without)
		if got.Findings.HasErrors() || plain.Findings.HasErrors() || whole.Findings.HasErrors() {
			return // some input is missing
		}
		for row := range got.Rows.Rows {
			want := plain
			if slices.Equal(got.Rows.Value("job.node_partitions", row).List, []string{partition}) {
				want = whole
			}
			if unknown(got, row) || unknown(want, row) {
				continue // a weight that is constant and zero needs no factor, one that depends on the job does
			}
			if !sameBits(got.Score[row], want.Score[row]) || got.Priority[row] != want.Priority[row] {
				t.Fatalf("row %d: %v and %d, want %v and %d\n%s", row, got.Score[row], got.Priority[row], want.Score[row],
					want.Priority[row], text)
			}
		}
	})
}

// unknown reports a row one of whose factors has no value.
func unknown(r *evaluation.Result, row int) bool {
	return slices.ContainsFunc(r.Terms, func(term evaluation.TermColumn) bool { return term.FactorFailed.Get(row) })
}

// unindexed leaves out the lines of partitions, but puts those of one partition for all.
func unindexed(text, partition string) string {
	var general, own strings.Builder
	for line := range strings.Lines(text) {
		name, rest, indexed := strings.Cut(line, "[")
		_, isWeight := weighing[name]
		index, value, _ := strings.Cut(rest, "]")
		switch {
		case !indexed || !isWeight:
			general.WriteString(line)
		case index == partition:
			own.WriteString(name + value)
		}
	}
	return general.String() + own.String()
}

// weighing are the parameters that may have a partition for an index.
var weighing = func() map[string]bool {
	m := map[string]bool{}
	for _, kind := range mauiNumbers {
		for _, name := range strings.Fields(kind) {
			m[name] = true
		}
	}
	return m
}()
