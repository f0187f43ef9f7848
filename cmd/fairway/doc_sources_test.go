package main

import (
	"os"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/compiler/lint"
)

// TestPagesAreWhole: every page says what, why, what triggers it, what to do instead and where it is from; and no source is
// for a code that is gone, or named by a page or a heading that is.
func TestPagesAreWhole(t *testing.T) {
	used := map[string]bool{}
	for _, table := range codeTables {
		for _, c := range table.codes {
			for _, part := range []struct{ name, text string }{{"what", c.What}, {"why", c.Why}, {"an example", c.Example + c.Case},
				{"what to write instead", c.Instead}, {"a source", strings.Join(sourcesOf(c.Code), "")}} {
				if part.text == "" {
					t.Errorf("the page of %s lacks %s", c.Code, part.name)
				}
			}
			if len(lint.Sources(c.Code)) > 0 {
				continue
			}
			best := ""
			for _, s := range sources {
				if strings.HasPrefix(c.Code, s.code) && len(s.code) > len(best) {
					best = s.code
				}
			}
			used[best] = true
		}
	}
	seen := map[string]bool{}
	for _, s := range sources {
		if !used[s.code] || seen[s.code] {
			t.Errorf("no page takes the source of %s, or it is there twice", s.code)
		}
		seen[s.code] = true
		for _, one := range strings.Split(s.source, "; ") {
			page, section, _ := strings.Cut(one, ", ")
			if !strings.HasSuffix(page, ".md") {
				continue
			}
			text, err := os.ReadFile("../../" + page)
			if err != nil {
				t.Errorf("%s: %v", s.code, err)
			} else if section != "" && !strings.Contains(string(text), section) {
				t.Errorf("%s: %s has nothing on %q", s.code, page, section)
			}
		}
	}
}
