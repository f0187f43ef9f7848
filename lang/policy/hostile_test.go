package policy

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/lang/source"
)

// TestHostile: inputs made to exhaust memory or the stack come back with one
// diagnostic.
func TestHostile(t *testing.T) {
	deep := func(open, shut string, n int) string { return strings.Repeat(open, n) + shut }
	var doubling strings.Builder
	doubling.WriteString("policy \"p\" {\nlocals {\nl0 = \"xxxxxxxx\"\n")
	for i := range 60 {
		fmt.Fprintf(&doubling, "l%d = \"${local.l%d}${local.l%d}\"\n", i+1, i, i)
	}
	doubling.WriteString("}\n}\n")
	multiply := "policy \"p\" {\n" + "component \"c\" {\nfor_each = range(1000)\n" +
		"term \"t\" {\nfor_each = range(1000)\nfactor = 1\n}\n}\n}\n"
	for name, text := range map[string]string{
		"brackets":   "policy \"p\" {\n version = " + deep("(", "1", 50_000),
		"lists":      "policy \"p\" {\n version = " + deep("[", "1", 50_000),
		"blocks":     deep("a {\n", "", 50_000),
		"one line":   deep("a{", "", 50_000),
		"not":        "policy \"p\" {\n version = " + deep("!", "1", 50_000),
		"choices":    "policy \"p\" {\n version = " + deep("1?", "1", 50_000),
		"templates":  "policy \"p\" {\n version = " + deep("\"${", "1", 10_000),
		"big number": "policy \"p\" {\n finish { floor = floor(1e999999999) }\n}\n",
		"doubling":   doubling.String(),
		"multiply":   multiply,
		"lines":      "policy \"p\" {\n version = <<E\n" + deep("a\n", "E\n}\n", 100_000),
		"texts":      "policy \"p\" {\n" + deep("version = <<E\n"+strings.Repeat("a\n", 5_000)+"E\n", "}\n", 20),
		"signs":      "policy \"p\" {\n" + deep("%", "}", 4_100_000),
	} {
		out := ""
		f, diags := Parse(source.NewFile("x", []byte(text)))
		for _, p := range f.Policies {
			_, more := p.Evaluate(Scope{})
			diags = append(diags, more...)
		}
		for _, d := range diags {
			out += d.Code + " "
		}
		if out != "policy-too-large " {
			t.Errorf("%s: %.200q", name, out)
		}
		Format([]byte(text))
	}
}
