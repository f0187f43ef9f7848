package celexpr_test

import (
	"slices"
	"testing"

	"github.com/fairway-sched/fairway/lang/celexpr"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// TestThreshold: conditions on numbers, whatever type they are written in, and what is wrong with others.
func TestThreshold(t *testing.T) {
	values := map[string]schema.Value{"moved": schema.DoubleValue(0.25), "blocked": schema.IntValue(3),
		"planned": schema.BoolValue(true)}
	kinds := map[string]schema.Type{}
	for name, v := range values {
		kinds[name] = v.Type
	}
	for _, c := range []struct {
		text  string
		holds bool
		names []string
		code  string // of a finding
	}{
		{"moved > 0.05", true, []string{"moved"}, ""},
		{"moved > 0.5", false, []string{"moved"}, ""},
		{"moved > 0", true, []string{"moved"}, ""},
		{"blocked > 2.5 && moved < 1", true, []string{"blocked", "moved"}, ""},
		{"planned && blocked == 4", false, []string{"planned", "blocked"}, ""},
		{"math.greatest(blocked, 10) > 9", true, []string{"blocked"}, ""},
		{"moove > 0.05", false, nil, "cel-unknown-name"},
		{"moved", false, nil, "cel-result-type"},
		{"moved >", false, nil, "cel-syntax"},
		{"moved && planned", false, nil, "cel-syntax"},
		{"", false, nil, "cel-syntax"},
		{"1 / (blocked - 3) > 0", false, []string{"blocked"}, "constant-expression-fails"},
	} {
		f := source.NewFile("--fail-if", []byte(c.text))
		th, list := celexpr.NewThreshold(celexpr.Source{Span: f.Span(0, len(c.text))}, kinds)
		holds := false
		if th != nil {
			holds, list = th.Holds(values)
			if !slices.Equal(th.Names, c.names) {
				t.Errorf("%q mentions %q, want %q", c.text, th.Names, c.names)
			}
		}
		code := ""
		if len(list) > 0 {
			code = list[0].Code
		}
		if holds != c.holds || code != c.code || (th == nil) != (len(list) > 0 && code != "constant-expression-fails") {
			t.Errorf("%q: %v, %q %v, want %v, %q", c.text, holds, code, list, c.holds, c.code)
		}
	}
}
