package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/runtime/manager"
)

// liveFlags take the snapshot from a running controller.
type liveFlags struct {
	on      bool
	form    string // in which jobs are read
	keep    string
	timeout time.Duration
	quiet   bool             // what was missed is reported only by who asks for it
	dir     string           // where the snapshot is
	missed  []manager.Missed // commands that failed and can be done without
}

func (l *liveFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&l.on, "live", false, "run Slurm's commands for the snapshot, and sacctmgr dump for the accounts")
	f.StringVar(&l.form, "jobs", liveForm, "with --live: form in which jobs are read, one of those of snapshot capture")
	f.StringVar(&l.keep, "keep", "", "with --live: new folder in which what the commands printed stays, as a snapshot")
	f.DurationVar(&l.timeout, "timeout", liveTimeout, "with --live: how long a command may take")
}

// liveForm is the form in which --live reads jobs: the one that no text of a user is in.
const liveForm = "squeue"

// capture takes a snapshot and adds it to the others, and its accounts to the policy unless a file has
// them. done removes it, unless it is to be kept.
func (l *liveFlags) capture(ctx context.Context, snap *snapshotFlags, files *[]string) (done func(), err error) {
	done = func() {}
	dir := l.keep
	if dir == "" {
		parent, err := newScratch("", "fairway-live-")
		if err != nil {
			return nil, ioError("a temporary folder", err)
		}
		dir, done = filepath.Join(parent.path, "snapshot"), parent.remove
	}
	c := &capture{reading: &manager.Slurm, form: l.form, timeout: l.timeout, allowBad: -1}
	if err := c.chooseForm(); err != nil {
		done()
		return nil, err
	}
	if _, err := c.take(ctx, dir); err != nil {
		done()
		return nil, liveError(ctx, err)
	}
	if l.missed = c.missed; !l.quiet {
		sayMissed(l.missed)
		c.users.say()
	}
	if l.dir, err = filepath.Abs(dir); err != nil {
		done()
		return nil, plainFailure(dir, err)
	}
	snap.paths = append([]string{dir}, snap.paths...)
	snap.zone = "UTC"
	given, err := until(ctx, func() (bool, error) { return haveAccounts(*files) })
	if err != nil {
		done()
		return nil, liveError(ctx, err)
	}
	accounts := filepath.Join(dir, accountsFile)
	if _, err := os.Stat(accounts); err == nil && !given {
		*files = append(*files, accounts)
	}
	return done, nil
}

// witnessed refuses a capture that was held against no list of the jobs: a controller that has no answer left for the
// list is the one that cuts its tables.
func (l *liveFlags) witnessed() error {
	for _, m := range l.missed {
		if m.Command.Witnesses() {
			return failf(exitIO, "nothing is sent: without %s: %s: %v", m.Command.Gives, m.Command.Argv[0], m.Err)
		}
	}
	return nil
}

// knowsUsage refuses an evaluation that counts all as unused because neither command that knows the usage answered: it
// would put the whole queue in another order for as long as the controller is too busy to say.
func (l *liveFlags) knowsUsage(findings diag.List) error {
	missing := slices.ContainsFunc(findings, func(d *diag.Diagnostic) bool { return d.Code == "fairshare-usage-missing" })
	lost := 0
	for _, m := range l.missed {
		if m.Command.File != "sshare.psv" && m.Command.File != "assoc_mgr.txt" {
			continue
		}
		if lost++; lost == 2 && missing {
			return failf(exitIO, "nothing is sent: neither sshare nor scontrol show assoc_mgr answered, so that all count as "+
				"unused")
		}
	}
	return nil
}

// haveAccounts reports a file with the accounts.
func haveAccounts(files []string) (bool, error) {
	d := &disk{}
	for _, name := range files {
		f, err := d.readFile(name)
		if err != nil {
			return false, err
		}
		if lower.Detect(f.Text) == lower.Dump {
			return true, nil
		}
	}
	return false, nil
}

func liveError(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil && err != nil:
		return failf(exitInterrupted, "%w", errInterrupted)
	case errors.Is(err, errNotHere):
		return failf(exitIO, "scontrol: %v: --live needs a machine with Slurm's commands; elsewhere, give their outputs "+
			"with --snapshot", errNotHere)
	}
	return err
}

// liveCommandsText lists the commands as a shell would run them.
func liveCommandsText() string {
	list, _ := manager.Slurm.Commands(liveForm)
	return shellCommands(manager.Slurm.Environment, list) + "  " +
		strings.TrimSpace(shellText(manager.SlurmDump("CLUSTER", "assoc.cfg")))
}

// liveTimeout is how long a command may take if not given.
const liveTimeout = time.Minute
