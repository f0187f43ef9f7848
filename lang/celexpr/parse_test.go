package celexpr

import (
	"strings"
	"testing"

	"github.com/google/cel-go/cel"

	"github.com/fairway-sched/fairway/lang/schema"
)

// TestTextSeenBefore: what one policy makes of a text does not show in what the next one makes of it, and the
// places of findings stay.
func TestTextSeenBefore(t *testing.T) {
	const text = `param.N > 1 ? job.queue_minutes : job.procs + "x"`
	var found []string
	for n := range 3 {
		env := NewEnv(Options{Params: map[string]schema.Value{"N": schema.IntValue(int64(n))}})
		_, list := env.Compile(sourceOf(text), WantNumber)
		if len(list) == 0 {
			t.Fatal("no finding")
		}
		found = append(found, list[0].Span.Text()+": "+list[0].Message)
	}
	if found[1] != found[0] || found[2] != found[0] {
		t.Errorf("%q", found)
	}
	const right = `param.N * job.procs`
	for n := range 3 {
		env := NewEnv(Options{Params: map[string]schema.Value{"N": schema.IntValue(int64(n + 10))}})
		c, list := env.Compile(sourceOf(right), WantNumber)
		if c == nil {
			t.Fatal(list[0].Message)
		}
		other, _ := NewEnv(Options{Params: map[string]schema.Value{"N": schema.IntValue(99)}}).
			Compile(sourceOf(right), WantNumber)
		if a, b := c.Expr.String(), other.Expr.String(); a == b {
			t.Errorf("N of %d and of 99 both give %s", n+10, a)
		}
	}
}

// TestParsesAreBounded: texts without end are not kept without end.
func TestParsesAreBounded(t *testing.T) {
	base, err := baseEnv()
	if err != nil {
		t.Fatal(err)
	}
	c := parseCache{fresh: map[string]func() *cel.Ast{}}
	text := `job.name == "` + strings.Repeat("x", mostParseText) + `"`
	if _, issues := c.of(base, text); issues.Err() != nil || len(c.fresh) != 0 {
		t.Errorf("a text of %d bytes is kept: %v", len(text), issues.Err())
	}
	for i := range mostParses {
		c.fresh[string(rune(i+'a'))] = nil
	}
	if _, issues := c.of(base, "job.procs"); issues.Err() != nil || len(c.fresh) != 1 {
		t.Errorf("%d are kept: %v", len(c.fresh), issues.Err())
	}
}
