package celexpr

import (
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/lang/source"
)

// TestLongLoop: macros within macros end with an error, where their visits are too many for any policy.
func TestLongLoop(t *testing.T) {
	nested := "1"
	for range 8 {
		nested = "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(x, " + nested + ").size()"
	}
	f := source.NewFile("policy", []byte(nested))
	src := Source{Span: f.Span(0, len(nested))}
	_, list := NewEnv(Options{}).Compile(src, WantNumber)
	if !list.HasErrors() || !strings.Contains(list[0].Message, "its macros visit more than 100000 elements") {
		t.Errorf("compiled: %v", list)
	}
	src = Source{Text: nested + " > 0", Span: src.Span}
	if _, list = Condition(src, nil); !list.HasErrors() || !strings.Contains(list[0].Message, "its macros visit more than 100000 elements") {
		t.Errorf("a test's condition: %v", list)
	}
	// Few visits make texts that no memory holds.
	text := "[0, 1, 2, 3, 4, 5, 6, 7].map(x, ['aaaaaaaaaaaaaaaa']" + strings.Repeat(".map(a, a+a+a+a+a+a+a+a)", 9) + ".size()).size()"
	f = source.NewFile("policy", []byte(text))
	if _, list = NewEnv(Options{}).Compile(Source{Span: f.Span(0, len(text))}, WantNumber); !list.HasErrors() || !strings.Contains(list[0].Message, "too much text") {
		t.Errorf("compiled: %v", list)
	}
	// Few visits each are no reason, however many evaluations there are.
	env := NewEnv(Options{})
	text = "[1, 2, 3].map(x, x * job.procs).size()"
	f = source.NewFile("policy", []byte(text))
	if _, list = env.Compile(Source{Span: f.Span(0, len(text))}, WantNumber); list.HasErrors() {
		t.Errorf("%v", list)
	}
}
