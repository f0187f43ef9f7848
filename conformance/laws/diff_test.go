package laws

import (
	"regexp"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/diff"
	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/impact"
)

// numeral is what is changed of a policy.
var numeral = regexp.MustCompile(`[0-9]+`)

// TestDiff: diff(P, P) is empty, for the settings and on any queue; and if diff(P, Q) has nothing of effect, where
// Q is P with another number somewhere, then eval(P) = eval(Q).
func TestDiff(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		in, text := drawText(t)
		x := compile(t, in, text)
		if x == nil || x.Program == nil {
			return
		}
		if r := diff.Policies(x.Policy, x.Policy); len(r.Differences) > 0 {
			t.Fatalf("a policy differs from itself: %+v\n%s", r.Differences[0], text)
		}
		s := drawSnapshot(t, true, 5)
		before, again := run(t, x.Program, s, 1), run(t, x.Program, s, 2)
		if before == nil || again == nil {
			return
		}
		c, err := impact.Results(impact.Side{Result: before}, impact.Side{Result: again})
		if err != nil || !c.Same() {
			t.Fatalf("the policy moves its own queue: %v %+v\n%s", err, c, text)
		}
		places := numeral.FindAllStringIndex(text, -1)
		if len(places) == 0 {
			return
		}
		at := places[rapid.IntRange(0, len(places)-1).Draw(t, "changed")]
		other := text[:at[0]] + rapid.StringMatching(`[1-9][0-9]?`).Draw(t, "number") + text[at[1]:]
		in.Files = []*source.File{source.NewFile("other", []byte(other))}
		y := compiler.Compile(in)
		if y.Program == nil { // such as a range that runs backwards
			return
		}
		r := diff.Policies(x.Policy, y.Policy)
		after := run(t, y.Program, s, 1)
		if after == nil {
			return
		}
		c, err = impact.Results(impact.Side{Result: before}, impact.Side{Result: after})
		if err != nil {
			t.Fatal(err)
		}
		if r.Effective() == 0 && !c.Same() {
			t.Fatalf("nothing of effect differs, and the queue does: %+v\n%s\nagainst\n%s", c.Summary, text, other)
		}
	})
}
