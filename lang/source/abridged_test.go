package source

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
)

// An abridged file says of each span what the whole file says.
func TestAbridge(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		var b strings.Builder
		lines := rapid.SampledFrom([]string{"\n", "NodeName=c1\n", "password=x \\\n  more\r\n", "åäö\xff\n",
			strings.Repeat("é", 150) + "\n", strings.Repeat("long ", 3000), strings.Repeat("åb", 2000) + "\n",
			strings.Repeat("x\n", 300), strings.Repeat("y", 20_000)})
		for range rapid.IntRange(0, 30).Draw(t, "lines") {
			b.WriteString(lines.Draw(t, "line"))
		}
		whole := NewFile("f", []byte(b.String()))
		var spans []Span
		for range rapid.IntRange(1, 5).Draw(t, "spans") {
			start := rapid.IntRange(0, b.Len()).Draw(t, "start")
			length := rapid.SampledFrom([]int{0, 1, 7, 500, 70_000}).Draw(t, "length")
			spans = append(spans, whole.Span(start, start+length))
		}
		short, moved := slices.Clone(spans), []*Span{}
		for i := range short {
			moved = append(moved, &short[i])
		}
		until := 0
		whole.Abridge(moved, func(at int) {
			if at < until {
				t.Fatalf("the text is passed back from %d to %d", until, at)
			}
			until = at
		})
		for i, s := range spans {
			m := short[i]
			for _, at := range [][2]int{{int(s.Start), int(m.Start)}, {int(s.End), int(m.End)}} {
				want, got := whole.Position(at[0]), m.File.Position(at[1])
				if want != got {
					t.Fatalf("%d is at %v, abridged at %v", at[0], want, got)
				}
				line := whole.Line(want.Line)
				if utf8.RuneCountInString(line) > 200 {
					if utf8.RuneCountInString(m.File.Line(got.Line)) <= 200 {
						t.Fatalf("the long line %d is short", want.Line)
					}
				} else if m.File.Line(got.Line) != line || m.File.Shown(got.Line) != whole.Shown(want.Line) {
					t.Fatalf("line %d is %q, abridged %q", want.Line, line, m.File.Line(got.Line))
				}
			}
			if int(s.End-s.Start) <= longest && s.Text() != m.Text() {
				t.Fatalf("the span is %q, abridged %q", s.Text(), m.Text())
			}
		}
	})
}
