package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/fairway-sched/fairway/compiler/lint/report"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/manager"
	"github.com/fairway-sched/fairway/runtime/snapshot"
	"github.com/fairway-sched/fairway/runtime/verify"
)

var verifyFormats = []string{"table", "json", "junit"}

func verifyFormat(name string) (string, error) {
	if !slices.Contains(verifyFormats, name) {
		return "", failf(exitUsage, "-o is %s, not %q", strings.Join(verifyFormats, ", "), name)
	}
	return name, nil
}

func newVerify() *cobra.Command {
	var (
		pol     policyFlags
		snap    snapshotFlags
		live    liveFlags
		outputs []string
		table   verify.TableOptions
	)
	cmd := &cobra.Command{
		Use: "verify POLICY... --snapshot SNAPSHOT",
		RunE: func(_ *cobra.Command, files []string) error {
			if len(files) == 0 {
				return failf(exitUsage, "no policy: give the slurm.conf or maui.cfg that is to be compared")
			}
			if table.Limit < 0 {
				return failf(exitUsage, "--limit is a number of lines, not %d", table.Limit)
			}
			if !live.on && live.keep != "" {
				return failf(exitUsage, "--keep is of --live")
			}
			targets, err := targetsOf(outputs, "table", verifyFormat)
			if err != nil {
				return err
			}
			show := func() error {
				var policy reads
				pol.note = policy.note
				r, findings, err := compare(&pol, &snap, files)
				if err != nil {
					return err
				}
				if err := nothingWritten(writtenTo(targets), slices.Concat(policy.uses(), snap.uses())); err != nil {
					return err
				}
				printDiags(notable(findings))
				for _, t := range targets {
					if err := writeVerify(t, r, findings, table); err != nil {
						return err
					}
				}
				if !r.Clean() {
					return &exitError{code: exitFindings}
				}
				return nil
			}
			if live.on {
				ctx, stop := interruptible()
				defer stop()
				done, err := live.capture(ctx, &snap, &files)
				if err != nil {
					return err
				}
				defer done()
				_, err = until(ctx, func() (struct{}, error) { return struct{}{}, show() })
				return liveError(ctx, err)
			}
			return show()
		},
	}
	pol.add(cmd)
	snap.add(cmd, false)
	live.add(cmd)
	f := cmd.Flags()
	f.Lookup("now").Usage = "when the snapshot was taken: epoch seconds or RFC 3339 (default: the snapshot's own time)"
	f.StringVar(&snap.pass, "pass", printedPass,
		"when slurmctld last computed all priorities: `TIME` as for --now, or printed, to seek it in the printed numbers")
	completeWords(cmd, "pass", printedPass)
	f.StringArrayVarP(&outputs, "output", "o", nil,
		"FORMAT or FORMAT=PATH, may repeat: "+strings.Join(verifyFormats, ", ")+" (default table)")
	f.IntVar(&table.Limit, "limit", 50, "show only the first N differences in a table; 0 shows all")
	f.BoolVar(&table.All, "all", false, "list explained numbers one by one, too")
	return cmd
}

// compare reads, compiles and compares.
func compare(pol *policyFlags, snap *snapshotFlags, files []string) (*verify.Report, diag.List, error) {
	d := &disk{}
	files, err := snap.withCaptures(files)
	if err != nil {
		return nil, nil, err
	}
	if pol.dump != "" {
		_, err := pol.compile(d, files, nil)
		return nil, nil, err
	}
	if len(snap.paths) == 0 {
		return nil, nil, failf(exitUsage,
			"no snapshot: add --snapshot FILE, for instance the outputs of squeue, sprio and sshare, or --live")
	}
	s, read, err := snap.read(d)
	if err != nil {
		return nil, nil, err
	}
	out, err := pol.compile(d, files, s)
	if err != nil {
		return nil, nil, err
	}
	place, err := snap.place()
	if err != nil {
		return nil, nil, err
	}
	var o verify.Options
	if snap.pass != printedPass { // which Compare does
		if snap.pass == "" {
			return nil, nil, failf(exitUsage, "--pass is empty: give a TIME, or leave it out to have the last pass sought")
		}
		latest := s.Now + verify.CaptureSeconds
		if o.PassTime, err = snap.lastPass(out.Program, s, place, latest); err != nil {
			return nil, nil, err
		}
	}
	r, err := verify.Compare(s, func(s *snapshot.Snapshot, eo evaluation.Options) (*evaluation.Result, error) {
		eo.Workers, eo.Place = runtime.GOMAXPROCS(0), place
		return engine.Run(out.Program, s, eo)
	}, o)
	if errors.Is(err, verify.ErrNothing) {
		return nil, nil, failf(exitUnreadable, "%v: %s", err, whatToAdd(out.Program.Family))
	}
	if err != nil {
		return nil, nil, &exitError{code: exitUnreadable, err: err}
	}
	if r.Result.Findings.HasErrors() {
		return nil, nil, complain(r.Result.Findings)
	}
	findings := append(read, out.Diags...)
	return r, append(findings, r.Result.Findings...), nil
}

// whatToAdd says which inputs have numbers to compare with.
func whatToAdd(family string) string {
	if family == "slurm" {
		return "add the outputs of squeue or scontrol show job, sprio -l, and sshare -a -l -P, of a queue with waiting jobs"
	}
	return "jobs need a recorded_priority; what diagnose -p and showq print is not read"
}

func writeVerify(t target[string], r *verify.Report, findings diag.List, o verify.TableOptions) error {
	return writeOutput(t.path, func(w io.Writer) error {
		switch t.format {
		case "json":
			return verify.WriteJSON(w, r, findings)
		case "junit":
			return writeVerifyJUnit(w, r)
		}
		return verify.WriteTable(w, r, o)
	})
}

// writeVerifyJUnit makes a test case of each command's output.
func writeVerifyJUnit(w io.Writer, r *verify.Report) error {
	s := junitSuite{Name: "fairway verify"}
	for i := range r.Checks {
		k := &r.Checks[i]
		c := junitCase{Name: k.Of, Class: "verify." + k.Name}
		if k.Different > 0 {
			var text strings.Builder
			for j := range r.Differences {
				if d := &r.Differences[j]; d.Check == k.Name && !d.Benign() {
					fmt.Fprintln(&text, d)
				}
			}
			c.Failure = &junitFailure{Message: fmt.Sprintf("%d of %d numbers differ", k.Different, k.Compared),
				Text: text.String()}
			s.Failures++
		}
		s.Cases = append(s.Cases, c)
	}
	s.Tests = len(s.Cases)
	return report.WriteXML(w, junitSuites{Suites: []junitSuite{s}})
}

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
