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
	if _, _, list = Condition(src, nil); !list.HasErrors() ||
		!strings.Contains(list[0].Message, "its macros visit more than 100000 elements") {
		t.Errorf("a test's condition: %v", list)
	}
	// Few visits make texts that no memory holds.
	text := "[0, 1, 2, 3, 4, 5, 6, 7].map(x, ['aaaaaaaaaaaaaaaa']" + strings.Repeat(".map(a, a+a+a+a+a+a+a+a)", 9) +
		".size()).size()"
	f = source.NewFile("policy", []byte(text))
	if _, list = NewEnv(Options{}).
		Compile(Source{Span: f.Span(0, len(text))}, WantNumber); !list.HasErrors() ||
		!strings.Contains(list[0].Message, "too much text") {
		t.Errorf("compiled: %v", list)
	}
	// So do few that join lists, put the same list into itself, or call what multiplies.
	thousand := "'" + strings.Repeat("a", 1000) + "'"
	big := "[[1]]" + strings.Repeat(".map(a, a+a+a+a+a+a+a+a)", 10) + "[0]"
	deep := "[[1]]" + strings.Repeat(".map(a, [a, a, a, a, a, a, a, a])", 10) + "[0]"
	for _, text := range []string{
		big + " == " + big + " ? 1 : 0",
		big + ".sort().size()",
		big + ".distinct().size()",
		"3 in " + big + " ? 1 : 0",
		deep + " == " + deep + " ? 1 : 0",
		deep + ".flatten(20).size()",
		"lists.range(100000).distinct().size()",
		"sets.contains(lists.range(100000), lists.range(100000)) ? 1 : 0",
		thousand + strings.Repeat(".replace('a', "+thousand+")", 3) + ".size()",
		thousand + ".split('')" + strings.Repeat(".join("+thousand+").split('')", 3) + ".size()",
	} {
		f := source.NewFile("policy", []byte(text))
		src := Source{Span: f.Span(0, len(text))}
		_, list := NewEnv(Options{}).Compile(src, WantNumber)
		if !list.HasErrors() || !strings.Contains(list[0].Message, "too much text, or too many values") {
			t.Errorf("%.200s: %v", text, list)
		}
		src.Text = "(" + text + ") == 1"
		_, _, list = Condition(src, nil)
		if !list.HasErrors() || !strings.Contains(list[0].Message, "too much text, or too many values") {
			t.Errorf("a test's condition %.200s: %v", text, list)
		}
	}
	// What policies do is none of it.
	for _, text := range []string{
		"lists.range(5000).map(x, x + 1).size()",
		"lists.range(3000).distinct().size()",
		"[1, 2].map(x, [x, x]).flatten().distinct().size()",
		"sets.intersects(['a', 'b'], lists.range(100).map(x, string(x))) ? 1 : 0",
		thousand + ".replace('a', 'bb').split('').join(', ').size()",
	} {
		f := source.NewFile("policy", []byte(text))
		if _, list := NewEnv(Options{}).Compile(Source{Span: f.Span(0, len(text))}, WantNumber); list.HasErrors() {
			t.Errorf("%.200s: %v", text, list)
		}
	}
	// Few visits each are no reason, however many evaluations there are.
	env := NewEnv(Options{})
	text = "[1, 2, 3].map(x, x * job.procs).size()"
	f = source.NewFile("policy", []byte(text))
	if _, list = env.Compile(Source{Span: f.Span(0, len(text))}, WantNumber); list.HasErrors() {
		t.Errorf("%v", list)
	}
}
