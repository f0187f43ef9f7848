package lint_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestPlaces: the findings of the examples point at the word that is wrong, and say what is wrong with it.
func TestPlaces(t *testing.T) {
	var b strings.Builder
	for _, c := range fixtures(t) {
		for _, d := range c.lint() {
			if c.fires && c.page.Code == d.Code {
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
