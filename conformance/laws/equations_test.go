package laws

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/fold"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/conformance/oracle"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// drawProgram makes a policy of any language; nil if its text makes none.
func drawProgram(t *rapid.T) (*compiler.Output, string) {
	in, text := drawText(t)
	return compile(t, in, text), text
}

func drawText(t *rapid.T) (compiler.Input, string) {
	switch rapid.IntRange(0, 3).Draw(t, "language") {
	case 0:
		return compiler.Input{Lang: lower.Maui}, drawMaui(t)
	case 1:
		in := compiler.Input{Lang: lower.Slurm}
		return in, acceptable(in, drawSlurm(t))
	}
	return compiler.Input{Lang: lower.HCL}, drawPolicy(t).text
}

// run evaluates; nil if an input is missing, which is no matter of these laws.
func run(t *rapid.T, p *program.Program, s *snapshot.Snapshot, workers int) *evaluation.Result {
	r, err := engine.Run(p, s, evaluation.Options{Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	if r.Findings.HasErrors() {
		return nil
	}
	return r
}

// TestFold: eval(fold P) = eval(P).
func TestFold(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		in, text := drawText(t)
		in.Files = []*source.File{source.NewFile("policy", []byte(text))}
		_, lowered, err := compiler.Dump(in, "lower")
		if err != nil || lowered.Policy == nil {
			return
		}
		s := drawSnapshot(t, true, 5)
		before, missing := oracle.Evaluate(lowered.Policy, s)
		folded := fold.Policy(lowered.Policy)
		after, stillMissing := oracle.Evaluate(folded, s)
		if missing != nil {
			return // folding may well take away what was missing
		}
		if stillMissing != nil {
			t.Fatalf("only the folded policy needs more: %v\n%s", stillMissing, text)
		}
		for i, b := range before.Rows {
			a := after.Rows[i]
			if (a.Priority.Err != nil) != (b.Priority.Err != nil) || b.Priority.Err == nil &&
				!sameBits(a.Priority.Double, b.Priority.Double) {
				t.Fatalf("row %d: %v folds to %v\n%s", i, b.Priority, a.Priority, text)
			}
		}
		if !slices.Equal(before.Order, after.Order) {
			t.Fatalf("order %v folds to %v\n%s", before.Order, after.Order, text)
		}
		if again := fold.Policy(folded); again.String() != folded.String() {
			t.Fatalf("folding twice differs:\n%s\n%s", folded, again)
		}
	})
}

// TestFuseAndWorkers: eval(fuse P) = eval(P), and neither depends on the number of workers; on
// tables of several blocks.
func TestFuseAndWorkers(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		out, text := drawProgram(t)
		if out == nil {
			return
		}
		s := drawSnapshot(t, true, 13)
		index := make([]int, rapid.SampledFrom([]int{1, 1023, 1025, 3000}).Draw(t, "rows"))
		for i := range index {
			index[i] = (i + i/64) % s.Jobs.Rows
		}
		s.Jobs = pick(s.Jobs, index)
		want := run(t, out.Program, s, 1)
		if want == nil {
			return
		}
		for _, workers := range []int{1, 2, 5} {
			for _, p := range []*program.Program{out.Program, out.Fused} {
				got := run(t, p, s, workers)
				for i := range want.Priority {
					if got.Failed.Get(i) != want.Failed.Get(i) || got.Priority[i] != want.Priority[i] ||
						!sameBits(got.Score[i], want.Score[i]) {
						t.Fatalf("row %d with %d workers, fused %t: %d of %v, not %d of %v\n%s", i, workers, p.Fused, got.Priority[i],
							got.Score[i], want.Priority[i], want.Score[i], text)
					}
				}
				if !slices.Equal(got.Order, want.Order) {
					t.Fatalf("order differs with %d workers, fused %t\n%s", workers, p.Fused, text)
				}
			}
		}
	})
}

// TestPermutation: permuting jobs permutes results; ties keep the order of the jobs.
func TestPermutation(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		out, text := drawProgram(t)
		if out == nil || readsOthers(text) {
			return
		}
		s := drawSnapshot(t, true, 9)
		permuted := *s
		index := rapid.Permutation([]int{0, 1, 2, 3, 4, 5, 6, 7, 8}).Draw(t, "permutation")
		permuted.Jobs = pick(s.Jobs, index)
		a, b := run(t, out.Program, s, 1), run(t, out.Program, &permuted, 1)
		if a == nil || b == nil {
			return
		}
		for k, job := range index {
			sameJob(t, a, job, b, k, text)
		}
		for rank := range a.Order {
			x, y := a.Priority[a.RankRow[a.Order[rank]]], b.Priority[b.RankRow[b.Order[rank]]]
			if x != y {
				t.Fatalf("rank %d has priority %d, permuted %d\n%s", rank+1, x, y, text)
			}
		}
	})
}

// TestAddedJob: adding a job never changes another job's usage-free score.
func TestAddedJob(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		out, text := drawProgram(t)
		if out == nil || readsOthers(text) {
			return
		}
		s := drawSnapshot(t, true, 8)
		fewer := *s
		fewer.Jobs = pick(s.Jobs, []int{0, 1, 2, 3, 4, 5, 6})
		a, b := run(t, out.Program, s, 1), run(t, out.Program, &fewer, 1)
		if a == nil || b == nil {
			return
		}
		for job := range fewer.Jobs.Rows {
			sameJob(t, a, job, b, job, text)
		}
	})
}

// readsOthers: first come, first served looks at the other jobs by its nature.
func readsOthers(text string) bool {
	return strings.Contains(text, "job.submit_rank") || strings.Contains(text, "priority/basic")
}

func sameJob(t *rapid.T, a *evaluation.Result, jobA int, b *evaluation.Result, jobB int, text string) {
	rows := func(r *evaluation.Result, job int) (list []int) {
		for row, j := range r.RowJob {
			if int(j) == job {
				list = append(list, row)
			}
		}
		return list
	}
	inA, inB := rows(a, jobA), rows(b, jobB)
	if len(inA) != len(inB) || a.State[jobA] != b.State[jobB] {
		t.Fatalf("job %d: %d rows %s, then %d rows %s\n%s", jobA, len(inA), a.State[jobA], len(inB), b.State[jobB], text)
	}
	for k := range inA {
		x, y := inA[k], inB[k]
		if a.Failed.Get(x) != b.Failed.Get(y) || a.Priority[x] != b.Priority[y] || !sameBits(a.Score[x], b.Score[y]) {
			t.Fatalf("job %d row %d: %d of %v, then %d of %v\n%s", jobA, k, a.Priority[x], a.Score[x], b.Priority[y], b.Score[y],
				text)
		}
	}
}

// pick makes a table of the rows with the given numbers.
func pick(t *column.Table, rows []int) *column.Table {
	b := column.NewBuilder(t.Name)
	for _, c := range t.Columns() {
		b.Declare(c.ID, c.Type)
	}
	for _, row := range rows {
		b.Row()
		for _, c := range t.Columns() {
			b.Value(c.ID, c.Value(row))
		}
	}
	return b.Table()
}

// TestPrint: parse ∘ print = id for every language: the canonical text means the same and
// is its own canonical text.
func TestPrint(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		in, text := drawText(t)
		if rapid.IntRange(0, 4).Draw(t, "accounts") == 0 {
			in, text = compiler.Input{Lang: lower.Dump}, drawDump(t)
		}
		printed := print(t, text, in.Lang)
		if again := print(t, printed, in.Lang); again != printed {
			t.Fatalf("printed twice:\n%s\n%s", printed, again)
		}
		if a, b := meaning(t, in, text), meaning(t, in, printed); a != b {
			t.Fatalf("%s\nprints as\n%s\nwhich means\n%s\ninstead of\n%s", text, printed, b, a)
		}
	})
}

func print(t *rapid.T, text string, lang lower.Lang) string {
	out, diags := lower.Format(source.NewFile("policy", []byte(text)), lang)
	if diags.HasErrors() {
		t.Fatalf("%v\n%s", diags[0].Message, text)
	}
	return string(out)
}

var places = regexp.MustCompile(`(?m)   ; .*$`)

// meaning is the lowered policy without places, with the codes of what was found.
func meaning(t *rapid.T, in compiler.Input, text string) string {
	in.Files = []*source.File{source.NewFile("policy", []byte(text))}
	dump, out, err := compiler.Dump(in, "lower")
	if err != nil {
		t.Fatal(err)
	}
	var codes []string
	for _, d := range out.Diags {
		if d.Severity != diag.Info {
			codes = append(codes, d.Code+" "+d.Message)
		}
	}
	slices.Sort(codes)
	return places.ReplaceAllString(dump, "") + strings.Join(codes, "\n")
}
