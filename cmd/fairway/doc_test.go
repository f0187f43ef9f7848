package main

import (
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/source"
)

// The examples in the language reference are the language.
func TestLanguageIntro(t *testing.T) {
	var text strings.Builder
	for line := range strings.Lines(helpText("language.md")) {
		if code, ok := strings.CutPrefix(line, "    "); ok {
			text.WriteString(code)
		}
	}
	f, diags := policy.Parse(source.NewFile("intro.hcl", []byte(text.String())))
	for _, d := range diags {
		t.Errorf("%s: %s", d.Span, d.Message)
	}
	if len(f.Policies) != 1 || len(f.Tests) != 1 {
		t.Fatalf("%d policies and %d tests", len(f.Policies), len(f.Tests))
	}
	if _, diags := f.Policies[0].Evaluate(policy.Scope{}); diags.HasErrors() {
		t.Error(diags[0].Message)
	}
}
