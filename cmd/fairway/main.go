// Command fairway checks, evaluates and explains the policies of HPC job
// schedulers. One file per verb; everything else lives in the packages below.
package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"

	"github.com/spf13/cobra"
)

// exitError carries an exit code up to main; its message may be empty when
// everything has been reported already.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

func failf(code int, format string, args ...any) error {
	return &exitError{code: code, err: fmt.Errorf(format, args...)}
}

func main() {
	collectLate()
	os.Exit(run(os.Args[1:]))
}

// heapMB is what the heap may grow to before it is collected. Most commands end before that, and would spend a fifth of
// their time on collecting what is in use.
const heapMB = 96

// collectLate collects a heap that has doubled, but none below heapMB.
func collectLate() {
	if os.Getenv("GOGC") != "" {
		return
	}
	const usual, leastMB = 100, 4 // of what the runtime itself goes by
	debug.SetGCPercent(heapMB / leastMB * usual)
	var collected func(struct{})
	collected = func(struct{}) {
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(live)
		liveMB := max(leastMB, int(live[0].Value.Uint64()>>20))
		debug.SetGCPercent(max(usual, (heapMB-liveMB)*usual/liveMB))
		if liveMB < heapMB/2 {
			runtime.AddCleanup(new([64]byte), collected, struct{}{})
		}
	}
	runtime.AddCleanup(new([64]byte), collected, struct{}{})
}

// run executes one command line and returns the exit code.
func run(args []string) int {
	root := newRoot()
	root.SetArgs(args)
	cmd, err := root.ExecuteC()
	var e *exitError
	if err != nil && !errors.As(err, &e) {
		// Everything cobra itself refuses is a wrong command line.
		fmt.Fprint(stderr, misuse(cmd, err))
		return exitUsage
	}
	if e != nil && e.err != nil {
		say(e.err)
	}
	return exitCode(err)
}

// say tells an error, without what a terminal would obey: names of files and words of commands are others'.
func say(err error) {
	fmt.Fprintf(stderr, "fairway: %s\n", err)
}

// exitCode is the code that an error of a verb ends with.
func exitCode(err error) int {
	var e *exitError
	switch {
	case err == nil:
		return exitFine
	case errors.As(err, &e):
		return e.code
	}
	return exitUsage
}

// verbs lists every verb in the order --help prints them.
func verbs() []*cobra.Command {
	return []*cobra.Command{
		newEval(), newExplain(), newPlan(), newEstimate(), newDesk(), newReplay(),
		newGroup("sweep", newSweepPlan(), newSweepRun(), newSweepResume(), newSweepStatus(), newSweepMerge(),
			newSweepReport(), newSweepSuggest(), newSweepTasks(), newSweepWork()),
		newLint(), newCheck(), newInit(), newDiff(), newBisect(), newConvert(), newFmt(), newVerify(),
		newPush(), newTest(), newExpr(), newUsage(),
		newGroup("snapshot", newSnapshotCapture(), newSnapshotInfo(), newSnapshotConvert(), newSnapshotAnonymize(),
			newSnapshotSynth()),
		newLSP(), newDoc(), newVersion(),
	}
}

// newGroup is a verb that others follow.
func newGroup(name string, verbs ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use:  name + " VERB",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return failf(exitUsage, "%s is followed by one of %s", name, strings.Join(verbNames(cmd), ", "))
			}
			return failf(exitUsage, "%s", unknownWord("verb of "+name, args[0], verbNames(cmd)))
		},
	}
	cmd.AddCommand(verbs...)
	return cmd
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "fairway VERB",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	cobra.EnableCommandSorting = false // the order of verbs() teaches
	root.AddCommand(verbs()...)
	addHelp(root)
	addCompletions(root)
	return root
}
