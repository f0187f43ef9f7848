package lint_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/compiler/lint"
)

// across is the file of fixtures whose places are kept.
const across = "testdata/rules/across.txtar"

// TestPlaces: the findings of rules across files and lines point at the word that is wrong, and say what is wrong with it.
func TestPlaces(t *testing.T) {
	text, err := os.ReadFile(across)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, c := range fixtures(t) {
		if !c.fires || !strings.Contains(string(text), "-- "+c.rule+"/fires") {
			continue
		}
		for _, d := range c.lint() {
			if slices.Contains(lint.Codes(c.rule), d.Code) {
				word, _, _ := strings.Cut(d.Span.Text(), "\n")
				fmt.Fprintf(&b, "%s %s |%s| %s\n", d.Code, d.Span, word, d.Message)
			}
		}
	}
	const name = "testdata/places.golden"
	if *update {
		if err := os.WriteFile(name, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("the findings are\n%sand not\n%s", b.String(), want)
	}
}
