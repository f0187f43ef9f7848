package mauicfg

import (
	"flag"
	"os"
	"testing"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

var update = flag.Bool("update", false, "rewrite the golden files")

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
