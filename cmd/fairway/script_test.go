package main

import (
	"flag"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite golden files")

// The scripts are the command line's contract: what each verb prints and how it exits.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"fairway": func() { os.Exit(run(os.Args[1:])) }})
}

func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Setup: func(e *testscript.Env) error {
			e.Setenv("NO_COLOR", "1")
			return nil
		},
	})
}
