package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRows: each row parses, and names benchmarks that exist.
func TestRows(t *testing.T) {
	list, err := rows(rowsText)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, r := range list {
		if seen[r.id] {
			t.Errorf("%s is there twice", r.id)
		}
		seen[r.id] = true
		if r.pkg == "" {
			if !strings.HasPrefix(r.ours, "fairway ") {
				t.Errorf("%s measures %q", r.id, r.ours)
			}
			continue
		}
		for _, name := range []string{r.ours, r.peer} {
			folder, name := peerOf(r.pkg, name)
			top, _, _ := strings.Cut(name, "/")
			if name != "-" && !strings.Contains(testsIn(t, folder), "func "+top+"(b *testing.B)") {
				t.Errorf("%s: %s has no %s", r.id, folder, top)
			}
		}
	}
	if _, err := rows("W1 | too few"); err == nil {
		t.Error("a row of two cells is taken")
	}
}

// testsIn is the text of a folder's tests.
func testsIn(t *testing.T, folder string) string {
	files, err := filepath.Glob(filepath.Join("../../..", folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, name := range files {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text.Write(source)
	}
	return text.String()
}

func TestFigure(t *testing.T) {
	for _, c := range []struct {
		v    float64
		want string
	}{{1234.5, "1234"}, {12.34, "12.3"}, {0.012345, "0.0123"}, {0.00001, "0.0000"}} {
		if got := figure(c.v); got != c.want {
			t.Errorf("%v is %s, not %s", c.v, got, c.want)
		}
	}
}
