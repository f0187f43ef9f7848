package conformance_test

import (
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestContributingPaths: every place that CONTRIBUTING.md sends somebody to is there. NAME is that of a scheduler.
func TestContributingPaths(t *testing.T) {
	text, err := os.ReadFile("../CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "| ") {
			continue
		}
		for _, name := range regexp.MustCompile("`([^` ]+/[^` ]*)`").FindAllStringSubmatch(line, -1) {
			pattern := strings.TrimSuffix(strings.ReplaceAll(name[1], "NAME", "*"), "/")
			if found, err := fs.Glob(repository, pattern); err != nil || len(found) == 0 {
				t.Errorf("there is no %s", name[1])
			}
			checked++
		}
	}
	if checked < 30 {
		t.Fatalf("only %d places are found in the tables", checked)
	}
}
