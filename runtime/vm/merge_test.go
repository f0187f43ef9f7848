package vm

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/compiler/optimize"
	"github.com/fairway-sched/fairway/runtime/program"
)

// A sum of any length and mixture, merged into few passes, has the bits and the failures of
// the same sum made step by step.
func TestMergedEqualsStepwise(t *testing.T) {
	const head = `
r0:f64@once = const 0.0
r1:f64@once = const 3.0
r2:f64@once = const 2.5
r3:f64@row = column job.x
r4:i64@row = column job.n
r5:f64@dict(job.user) = column user.usage
r6:f64@dict(job.qos) = column qos.weight
`
	// Each kind of term: what it needs and the sum with it, %d being the register
	// before, the ones of its own, and its own sum.
	kinds := []struct{ name, text string }{
		{"double", "r%[2]d:f64@row = capsum r%[1]d r1 r3 r2\n"},
		{"uncapped", "r%[2]d:f64@row = weighsum r%[1]d r1 r3\n"},
		{"int", "r%[2]d:f64@row = int64_to_double r4\nr%[3]d:f64@row = capsum r%[1]d r1 r%[2]d r2\n"},
		{"entry", "r%[2]d:f64@row = gather r5\nr%[3]d:f64@row = add_double r%[1]d r%[2]d\n"},
		{"weighted", "r%[2]d:f64@row = gather r6\nr%[3]d:f64@row = capsum r%[1]d r%[2]d r3 r2\n"},
		{"weighted int", "r%[2]d:f64@row = gather r6\nr%[3]d:f64@row = int64_to_double r4\n" +
			"r%[4]d:f64@row = weighsum r%[1]d r%[2]d r%[3]d\n"},
		{"by row", "r%[2]d:f64@row = capsum r%[1]d r3 r3 r3\n"},
	}
	b := fuzzColumns(t)
	check := func(name string, start string, terms ...int) (steps int) {
		t.Helper()
		text, last := head+start, strings.Count(start, "\n")+6
		if start == "" {
			last = 0
		}
		next := 7 + strings.Count(start, "\n")
		for _, k := range terms {
			lines := strings.Count(kinds[k].text, "\n")
			text += fmt.Sprintf(kinds[k].text, last, next, next+1, next+2)
			last, next = next+lines-1, next+lines
		}
		p := assemble(t, text)
		m, err := Load(p)
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, text)
		}
		stepwise, err := m.Run(b, []program.Reg{program.Reg(last)}, 1)
		if err != nil {
			t.Fatal(err)
		}
		few := optimized(p, program.Reg(last))
		m, err = Load(few)
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, few)
		}
		merged, err := m.Run(b, few.Kept(), 2)
		if err != nil {
			t.Fatal(err)
		}
		want := stepwise.Vector(program.Reg(last))
		for row := range b.Rows {
			if !sameValue(merged, stepwise, &merged.Vectors[0], want, row) {
				t.Fatalf("%s, row %d: merged %v, stepwise %v\n%s", name, row, merged.Vectors[0].Value(row), want.Value(row), text)
			}
		}
		return len(m.plan(few.Kept(), nil).rows)
	}
	starts := map[string]string{"zero": "", "entry": "r7:f64@row = gather r5\n"}
	for from, start := range starts {
		for k, kind := range kinds {
			for n := 1; n <= 2*maxTerms+1; n++ {
				terms := make([]int, n)
				for i := range terms {
					terms[i] = k
				}
				name := fmt.Sprintf("%s: %d × %s", from, n, kind.name)
				steps := check(name, start, terms...)
				// A load and a gathered beginning, then passes of four or five.
				if most := 2 + (n+maxTerms-2)/(maxTerms-1); k <= 3 && steps > most {
					t.Errorf("%s: %d steps, expected at most %d", name, steps, most)
				}
			}
		}
		for a := range kinds {
			for c := range kinds {
				check(fmt.Sprintf("%s: %s and %s", from, kinds[a].name, kinds[c].name), start, a, c, a, a, c, c, a)
			}
		}
	}
}

// optimized is the program that the compiler makes for the sake of one register, which is its score.
func optimized(p *program.Program, r program.Reg) *program.Program {
	whole := *p
	whole.Score, whole.Priority = r, r
	return optimize.Scores(&whole)
}

// A cap that is not above zero is none, whatever form the kernel takes.
func TestLimit(t *testing.T) {
	for _, c := range []float64{0, math.Copysign(0, -1), -5, math.Inf(-1), math.NaN()} {
		if !math.IsInf(limit(c), 1) {
			t.Errorf("%v caps at %v", c, limit(c))
		}
	}
	if limit(5) != 5 {
		t.Errorf("5 caps at %v", limit(5))
	}
}
