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
		newEval(), newExplain(), newPlan(), newEstimate(), newDesk(), newReplay(), newSweep(), newLint(), newCheck(),
		newInit(), newDiff(), newBisect(), newConvert(), newFmt(), newVerify(),
		newPush(), newTest(), newExpr(), newUsage(), newSnapshot(), newLSP(), newDoc(), newVersion(),
	}
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "fairway VERB",
		Short: "check, evaluate and explain the policies of HPC job schedulers",
		Long: `Fairway reads a scheduler's policy (maui.cfg, slurm.conf with sacctmgr dumps, or
its own HCL language) and a snapshot of the queue, and says who runs first and why.

It needs no daemon, no database and no root: it reads files and prints. Only
snapshot capture, push and --live ask a scheduler, with the scheduler's own
commands, and only push --yes and --apply change anything there.

  POLICY    maui.cfg, slurm.conf, a sacctmgr dump or *.fairway.hcl; recognised by
            content; several may be given, later ones add to earlier ones
  SNAPSHOT  what the resource manager says about the queue: squeue --json,
            scontrol show job, sshare -P, sacctmgr show qos -P, sprio, jobs.json,
            SWF …; a file, a directory or a .tar.zst of one; several may be given

Colours are for terminals; with NO_COLOR set in the environment there are none. On a
terminal long output goes through less, or what FAIRWAY_PAGER or PAGER names; cat is none.

Exit codes: ` + exitText(exits) + ".",
		Example: `  # rank the queue of a Slurm site
  fairway eval slurm.conf --snapshot squeue.json --snapshot sshare.txt --snapshot qos.txt

  # why is job 4242 where it is, and why is 4243 before it?
  fairway explain slurm.conf --snapshot squeue.json 4243 4242

  # does this maui.cfg say what I think it says?
  fairway check maui.cfg`,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	cobra.EnableCommandSorting = false // the order of verbs() teaches
	root.AddCommand(verbs()...)
	addCompletions(root)
	return root
}
