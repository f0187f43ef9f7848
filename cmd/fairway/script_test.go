package main

import (
	"flag"
	"fmt"
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
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"mode": func(ts *testscript.TestScript, _ bool, args []string) {
				info, err := os.Stat(ts.MkAbs(args[0]))
				ts.Check(err)
				fmt.Fprintln(ts.Stdout(), info.Mode())
			},
			"device": func(ts *testscript.TestScript, _ bool, args []string) {
				info, err := os.Stat(args[0])
				ts.Check(err)
				if info.Mode()&os.ModeDevice == 0 {
					ts.Fatalf("%s is no device any more", args[0])
				}
			},
			"readlink": func(ts *testscript.TestScript, _ bool, args []string) {
				target, err := os.Readlink(ts.MkAbs(args[0]))
				ts.Check(err)
				fmt.Fprintln(ts.Stdout(), target)
			},
		},
		Setup: func(e *testscript.Env) error {
			e.Setenv("NO_COLOR", "1")
			return nil
		},
	})
}
