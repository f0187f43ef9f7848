package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/gofrs/flock"
	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite golden files")

// The scripts are the command line's contract: what each verb prints and how it exits.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"fairway": func() { os.Exit(run(os.Args[1:])) }})
}

func TestScript(t *testing.T) {
	var held *flock.Flock // by the one script that locks
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
			"lock": func(ts *testscript.TestScript, _ bool, args []string) {
				held = flock.New(ts.MkAbs(args[0]))
				ok, err := held.TryLock()
				ts.Check(err)
				if !ok {
					ts.Fatalf("%s is locked already", args[0])
				}
			},
			"unlock": func(ts *testscript.TestScript, _ bool, _ []string) { ts.Check(held.Unlock()) },
			"exitcode": func(ts *testscript.TestScript, _ bool, args []string) {
				var exit *exec.ExitError
				if err := ts.Exec(args[1], args[2:]...); !errors.As(err, &exit) || fmt.Sprint(exit.ExitCode()) != args[0] {
					ts.Fatalf("the exit code is not %s: %v", args[0], err)
				}
			},
			// exits CODE COMMAND ARG... wants just this exit code, where ! takes any.
			"exits": func(ts *testscript.TestScript, _ bool, args []string) {
				got, err := "0", ts.Exec(args[1], args[2:]...)
				var exit *exec.ExitError
				if errors.As(err, &exit) {
					got = fmt.Sprint(exit.ExitCode())
				}
				if got != args[0] {
					ts.Fatalf("exit code %s, not %s: %v", got, args[0], err)
				}
			},
			// lock FILE holds the lock of a file until the script ends.
			"lock": func(ts *testscript.TestScript, _ bool, args []string) {
				l := flock.New(ts.MkAbs(args[0]))
				held, err := l.TryLock()
				ts.Check(err)
				if !held {
					ts.Fatalf("%s is locked", args[0])
				}
				ts.Defer(func() { _ = l.Unlock() })
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
