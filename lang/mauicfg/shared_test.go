package mauicfg

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// shared finds the corpus and the recorded cases, which are kept beside the
// repository; tests that need them are skipped without.
func shared(t testing.TB, elem ...string) string {
	t.Helper()
	root := os.Getenv("FAIRWAY_SHARED")
	if root == "" {
		dir, err := os.Getwd()
		if err != nil {
			t.Fatal(err)
		}
		for root = ""; root == ""; dir = filepath.Dir(dir) {
			if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
				root = filepath.Join(filepath.Dir(dir), "shared")
			} else if dir == filepath.Dir(dir) {
				break
			}
		}
	}
	path := filepath.Join(append([]string{root}, elem...)...)
	if _, err := os.Stat(path); root == "" || err != nil {
		t.Skip("the shared files are not here")
	}
	return path
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func evaluateText(text string, opt Options) (*Config, diag.List) {
	file, diags := Parse(source.NewFile("maui.cfg", []byte(text)))
	cfg, more := Evaluate(file, opt)
	return cfg, append(diags, more...)
}
