package main

import (
	"os"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/lang/diag/pages"
)

// TestSourcesExist: no page names a file or a heading of the documentation that is gone.
func TestSourcesExist(t *testing.T) {
	for _, p := range pages.In("") {
		for one := range strings.SplitSeq(p.Source, "; ") {
			page, section, _ := strings.Cut(one, ", ")
			if !strings.HasSuffix(page, ".md") {
				continue
			}
			text, err := os.ReadFile("../../" + page)
			if err != nil {
				t.Errorf("%s: %v", p.Code, err)
			} else if section != "" && !strings.Contains(string(text), section) {
				t.Errorf("%s: %s has nothing on %q", p.Code, page, section)
			}
		}
	}
}
