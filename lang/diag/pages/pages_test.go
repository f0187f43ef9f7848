package pages

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestPagesAreWhole: every page says what, why, what triggers it, what to do instead and where that is from; every
// file is in an area, and no code has two.
func TestPagesAreWhole(t *testing.T) {
	form, seen := regexp.MustCompile(`^[a-z]+(-[a-z]+)+$`), map[string]bool{}
	for _, a := range Areas {
		if len(In(a.Folder)) == 0 {
			t.Errorf("%s has no page", a.Folder)
		}
	}
	for _, p := range In("") {
		if seen[p.Code] || !form.MatchString(p.Code) {
			t.Errorf("%s has two pages, or is no code", p.Code)
		}
		seen[p.Code] = true
		for _, part := range []struct{ name, text string }{{"what", p.What}, {"why", p.Why},
			{"an example", p.Example() + p.Case},
			{"what to write instead", p.Instead}, {"a source", p.Source}} {
			if part.text == "" {
				t.Errorf("the page of %s lacks %s", p.Code, part.name)
			}
		}
		for i, c := range p.Cases() {
			if !slices.Contains([]string{"example", "shown", "fires", "quiet"}, c.Kind) ||
				(c.Kind == "example" || c.Kind == "shown") && i > 0 {
				t.Errorf("%s: %s is no mark of an example, or not in its place", p.Code, c.Kind)
			}
		}
		if p.OnDemand != "" && p.OnDemand != "yes" && p.OnDemand != "unset" {
			t.Errorf("%s is on demand: %s", p.Code, p.OnDemand)
		}
	}
	count := 0
	_ = fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if strings.HasSuffix(name, ".txt") {
			count++
		}
		return err
	})
	if count != len(seen) || count < 500 {
		t.Errorf("%d files, %d pages", count, len(seen))
	}
}

// TestParse: what is no part of a page, or there twice, is refused.
func TestParse(t *testing.T) {
	for _, text := range []string{
		"", "severity: bad\n", "severity: error\nseverity: error\n", "severity: error\nwhat:\n", "severity: error\nwhen: x\n",
		"severity: error\nlint: bad\n", "  more\n", "severity: error\n\nwhat: x\n",
	} {
		if _, err := parse("x", text); err == nil {
			t.Errorf("%q is a page", text)
		}
	}
	p, err := parse("x", "severity: warning\nlint: error\nwhat: a\n  b\n-- example/a --\n1\n-- example/b --\n-- "+
		"example/a --\n2\n-- quiet@22.05/a --\n")
	if err != nil || p.What != "a b" || p.InLint != 0 || len(p.Cases()) != 3 || p.Example() != "-- a --\n1\n-- b --\n" ||
		p.Cases()[2].Version != "22.05" {
		t.Errorf("%+v %v %q", p, err, p.Cases())
	}
}
