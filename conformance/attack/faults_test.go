package attack

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFaults: no fault that an attack found comes back. Each is a text in testdata/faults.
func TestFaults(t *testing.T) {
	files, err := filepath.Glob("testdata/faults/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no faults: %v", err)
	}
	binary := buildFairway(t)
	verbs := verbsOf(t, binary)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			a, err := parseAssault(text)
			if err != nil {
				t.Fatal(err)
			}
			p, err := newPlace(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			faults, _, err := p.judge(binary, verbs, a)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range faults {
				t.Errorf("%s\nit was found as: %s", f, a.title)
			}
		})
	}
}
