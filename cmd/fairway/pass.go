package main

import (
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/family"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
	"github.com/fairway-sched/fairway/runtime/verify"
)

// printedPass as --pass has the last pass sought in the numbers of the snapshot.
const printedPass = "printed"

func (s *snapshotFlags) addPass(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.pass, "pass", "",
		"Slurm: priorities as of the last pass of slurmctld: `TIME` as for --now, or printed, to seek it in the printed "+
			"numbers (default: as of now)")
	completeWords(cmd, "pass", printedPass)
}

// lastPass is when priorities were computed, in epoch seconds and no later than a moment; 0 where nothing was asked
// for.
func (s *snapshotFlags) lastPass(p *program.Program, snap *snapshot.Snapshot, place *time.Location,
	latest int64) (int64, error) {
	switch {
	case s.pass == "":
		return 0, nil
	case !family.Of(p).Facts.Passes:
		return 0, failf(exitUsage, "--pass is of a Slurm policy: other schedulers have no passes of priorities apart from "+
			"their iterations")
	case s.pass != printedPass:
		at, err := parseNow(s.pass)
		if err != nil {
			return 0, failf(exitUsage, "--pass: %v", err)
		}
		if at <= 0 || at > latest {
			return 0, failf(exitUsage, "--pass %s is not a time up to that of the snapshot, %s", s.pass, time.Unix(latest, 0).
				UTC().Format(time.RFC3339))
		}
		return at, nil
	}
	var findings diag.List
	found, err := verify.LastPass(snap, func(s *snapshot.Snapshot, o evaluation.Options) (*evaluation.Result, error) {
		o.Workers, o.Place = runtime.GOMAXPROCS(0), place
		r, err := engine.Run(p, s, o)
		if err == nil {
			findings = r.Findings
		}
		return r, err
	})
	switch {
	case errors.Is(err, verify.ErrFindings):
		return 0, complain(findings)
	case errors.Is(err, verify.ErrNothing) || errors.Is(err, verify.ErrNoMoment):
		return 0, failf(exitUnreadable, "--pass printed: %v: give --pass TIME; `fairway verify` says what differs", err)
	case err != nil:
		return 0, &exitError{code: exitUnreadable, err: err}
	}
	at := min(found.Time, latest)
	fmt.Fprintf(stderr, "fairway: priorities are as of %s, as %d of %d printed numbers say\n", time.Unix(at, 0).UTC().
		Format(time.RFC3339), found.Votes, found.Telling)
	return at, nil
}
