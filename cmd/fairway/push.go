package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/manager"
	"github.com/fairway-sched/fairway/runtime/push"
)

// pushFlags are those of push.
type pushFlags struct {
	pol    policyFlags
	snap   snapshotFlags
	live   liveFlags
	iter   iterationFlags
	target push.Target
	bounds push.Bounds

	config, name            string // the run configuration, and which run of it
	out, apply, undo, dir   string
	yes, runs, quiet        bool
	setBack                 bool // the clock of the controller was, and a run goes on at once
	outputs                 []string
	limit                   int
	perSecond               float64
	deadline, maxAge, every time.Duration

	feeds         *push.Target    // that of the run of --config, where a plan or the audit has one of its own
	given, inFile map[string]bool // flags of the command line, and those that --config sets
	inputs        []use
	targets       []pushOutput
	became        push.Report
}

// pushDeadline is how long a run may take if not given.
const pushDeadline = 5 * time.Minute

func newPush() *cobra.Command {
	var p pushFlags
	cmd := &cobra.Command{
		Use: "push POLICY... --snapshot SNAPSHOT --to TARGET | push --config FILE",
		RunE: func(cmd *cobra.Command, files []string) error {
			if err := p.parseOutputs(); err != nil {
				return err
			}
			ctx, stop := interruptible()
			defer stop()
			p.given = map[string]bool{}
			cmd.Flags().Visit(func(f *pflag.Flag) { p.given[f.Name] = true })
			return p.measured(func() error {
				files, err := p.configure(ctx, cmd.Flags().Changed, files)
				if err != nil {
					return err
				}
				if err := p.check(files); err != nil {
					return err
				}
				p.reads("a file of the policy", files...)
				p.reads("the snapshot", p.snap.paths...)
				p.reads("the plan", p.apply)
				if err := p.separate(nil); err != nil {
					return err
				}
				p.iter.quiet, p.live.quiet = p.quiet, p.quiet
				ctx, cancel := context.WithTimeout(ctx, p.deadline)
				defer cancel()
				switch {
				case p.runs:
					return p.list()
				case p.undo != "":
					return p.takeBack(ctx)
				case p.apply != "":
					return p.carryOut(ctx)
				}
				return p.push(ctx, files)
			})
		},
	}
	p.pol.add(cmd)
	p.snap.add(cmd, false)
	p.live.add(cmd)
	f := cmd.Flags()
	f.Lookup("timeout").Usage = "how long a command of the resource manager may take"
	f.StringVar(&p.iter.state, "state", "",
		"file that keeps queue times and usage from one run with --yes to the next, as for eval, instead of the one in "+
			"--state-dir")
	p.iter.fairshare = "computed"
	f.StringVar(&p.target.To, "to", "", "who is fed: slurm, pbs, maui, file=PATH or command=PROGRAM")
	f.StringVar(&p.target.By, "by", "",
		"slurm: site-factor (default), nice or priority; pbs: priority (default) or resource=NAME")
	f.BoolVar(&p.yes, "yes", false, "do it, instead of printing it")
	f.StringVar(&p.out, "out", "", "write the plan to this file, for --apply")
	f.StringVar(&p.apply, "apply", "",
		"carry out the plan in this file, if policy and snapshot are still those that it was made of")
	f.StringVar(&p.undo, "undo", "",
		"show how the jobs of this run get the values that they had before; with --yes give them")
	f.BoolVar(&p.runs, "runs", false, "list the runs of the audit")
	f.StringVar(&p.dir, "state-dir", "",
		"folder with lock, queue times and usage, audit and last plan; made if it does not exist (fairway doc state)")
	f.IntVar(&p.bounds.MaxChanges, "max-changes", 1000, "refuse a run that changes more jobs; 0 is no bound")
	f.Float64Var(&p.bounds.MaxShare, "max-share", 1,
		"refuse a run that changes a larger share of the waiting jobs, from 0 to 1")
	f.Int64Var(&p.bounds.Threshold, "threshold", 1, "leave a job as it is unless its value changes by so much")
	f.Float64Var(&p.perSecond, "rate", 0, "send so many changes a second at most; 0 is no bound")
	f.DurationVar(&p.deadline, "deadline", pushDeadline,
		"stop this time after the beginning, the snapshot included; what is not sent by then is for the next run")
	f.DurationVar(&p.maxAge, "max-age", 10*time.Minute, "refuse to act on an older snapshot")
	f.StringArrayVarP(&p.outputs, "output", "o", nil,
		"FORMAT or FORMAT=PATH, may repeat: table, json, or prom, metrics of the run (default table)")
	f.StringVar(&p.config, "config", "", "take what is not given here from this file's run block")
	f.StringVar(&p.name, "run", "", "which run of --config, if it has several")
	f.BoolVar(&p.setBack, "clock-set-back", false,
		"go on at once although the controller's clock is behind the last run"+
			"; without it push waits for 10 minutes at most")
	f.IntVar(&p.limit, "limit", 50, "show only the first N changes in a table; 0 shows all")
	f.BoolVarP(&p.quiet, "quiet", "q", false, "print nothing but what went wrong")
	return cmd
}

// pushClash is a pair of flags, or a flag's value, that does not go.
type pushClash struct {
	holds func(p *pushFlags, files []string) bool
	says  string
}

// pushClashes are of any run, then of those that evaluate a policy.
var pushClashes = [2][]pushClash{{
	{(*pushFlags).manyModes, "give only one of --yes, --out, --apply, --undo and --runs"},
	{func(p *pushFlags, _ []string) bool {
		return p.limit < 0 || p.bounds.MaxChanges < 0 || p.bounds.Threshold < 0 || !(p.perSecond >= 0)
	}, "--limit, --max-changes, --threshold and --rate are not negative"},
	{func(p *pushFlags, _ []string) bool { return p.deadline <= 0 || p.maxAge <= 0 || p.live.timeout <= 0 },
		"--deadline, --max-age and --timeout are longer than nothing"},
	{func(p *pushFlags, _ []string) bool { return (p.yes || p.made()) && p.dir == "" },
		"--state-dir DIR says where lock and audit are, without which nothing is sent"},
	{func(p *pushFlags, files []string) bool {
		return p.made() && (len(files) > 0 || len(p.snap.paths) > 0 || p.live.on || p.target.To != "")
	}, "--apply, --undo and --runs take policy, snapshot and target from the plan or the audit"},
	{func(p *pushFlags, _ []string) bool { return p.made() && p.given["threshold"] },
		"--threshold is for the making of a plan; what --apply and --undo change is made already"},
	{func(p *pushFlags, _ []string) bool { return p.undo != "" && p.given["max-share"] },
		"--max-share is a share of the waiting jobs, which --undo does not read; --max-changes bounds it"},
}, {
	{func(_ *pushFlags, files []string) bool { return len(files) == 0 },
		"no policy: give the files whose priorities are to be handed over"},
	{func(p *pushFlags, _ []string) bool { return !p.live.on && p.live.keep != "" }, "--keep is of --live"},
	{func(p *pushFlags, _ []string) bool { return p.target.To == "" },
		"--to says who is fed: slurm, pbs, maui, file=PATH or command=PROGRAM"},
}}

// check finds what flags do not go together.
func (p *pushFlags) check(files []string) error {
	if !(p.bounds.MaxShare >= 0 && p.bounds.MaxShare <= 1) {
		return failf(exitUsage, "--max-share is from 0 to 1, not %g", p.bounds.MaxShare)
	}
	for k, list := range pushClashes {
		if k > 0 && (p.made() || p.pol.dump != "") {
			return nil
		}
		for _, c := range list {
			if c.holds(p, files) {
				return failf(exitUsage, "%s", c.says)
			}
		}
	}
	_, err := feederOf(p.target)
	return err
}

// manyModes reports more than one thing to be done.
func (p *pushFlags) manyModes([]string) bool {
	modes := slices.DeleteFunc([]bool{p.yes && p.undo == "", p.out != "", p.apply != "", p.undo != "", p.runs},
		func(on bool) bool { return !on })
	return len(modes) > 1
}

// made reports that nothing is evaluated: what is to be done is in a plan or in the audit.
func (p *pushFlags) made() bool { return p.apply != "" || p.undo != "" || p.runs }

// push makes a plan, prints or keeps it, and carries it out if it is asked to.
func (p *pushFlags) push(ctx context.Context, files []string) error {
	p.iter.dir, p.iter.quiet = p.dir, p.quiet
	p.iter.readOnly, p.iter.optional, p.iter.behind = !p.yes, true, p.clockBehind
	defer p.iter.unlock()
	if _, err := p.iter.enter("push"); err != nil { // before the queue is read, so that runs do not overtake each other
		return err
	}
	var err error
	if p.target, err = anchored(p.target); err != nil {
		return err
	}
	plan, save, err := p.plan(ctx, files)
	if err != nil {
		return p.orTime(ctx, err)
	}
	if err := p.separate(plan); err != nil {
		return err
	}
	p.became.Plan = plan
	beyond := plan.Beyond()
	if p.yes && !p.given["output"] && !term.IsTerminal(int(os.Stdout.Fd())) {
		p.quiet = p.quiet || beyond != "" // cron mails what is printed: the reason is enough
	}
	if !p.yes || beyond != "" {
		if err := p.print(plan); err != nil {
			return err
		}
	}
	switch {
	case beyond != "" && p.quiet:
		return failf(exitFindings, "nothing is sent: %s; without --yes and --quiet the plan is shown", beyond)
	case beyond != "":
		return failf(exitFindings, "nothing is sent: %s", beyond)
	case p.out != "":
		err = writeOutput(p.out, plan.Write)
	case p.yes:
		if err = p.fresh(plan); err == nil {
			err = p.send(ctx, p.iter.opened, plan)
		}
		if err == nil {
			return save()
		}
		if ended(err) { // what did not take is for the next run, whose clocks go on all the same
			if unsaved := save(); unsaved != nil {
				say(unsaved)
			}
		}
	}
	return err // what was only looked at is no iteration
}

// ended reports an error of a run that came to its end.
func ended(err error) bool {
	return slices.ContainsFunc([]error{errMissed, push.ErrNothingTook, push.ErrAllRefused, errDeadline},
		func(of error) bool { return errors.Is(err, of) })
}

// errMissed is a run that came to its end with changes that the resource manager refused.
var errMissed = errors.New("did not take; the audit names them")

// errDeadline and errInterrupted are runs that --deadline and a signal ended.
var (
	errDeadline    = errors.New("has passed")
	errInterrupted = errors.New("interrupted")
)

// orTime is an error, or that the time of the run is up, which has brought it about.
func (p *pushFlags) orTime(ctx context.Context, err error) error {
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return failf(exitIO, "the --deadline of %s %w", p.deadline, errDeadline)
	case ctx.Err() != nil:
		return failf(exitInterrupted, "%w", errInterrupted)
	}
	return err
}

// print shows a plan.
func (p *pushFlags) print(plan *push.Plan) error {
	return errors.Join(p.write("json", plan.Write),
		p.write("table", func(w io.Writer) error { return plan.WriteTable(w, p.limit) }))
}

// carryOut is --apply.
func (p *pushFlags) carryOut(ctx context.Context) error {
	if err := refuseWritable(p.apply); err != nil {
		return err
	}
	f, err := until(ctx, func() (*source.File, error) { return (&disk{}).readFile(p.apply) })
	if err != nil {
		return p.orTime(ctx, err)
	}
	plan, diags := push.Read(f)
	if diags.HasErrors() {
		return complain(diags)
	}
	if err := p.allows(plan.Target); err != nil {
		return err
	}
	dir, err := openStateDir(p.dir, "push")
	if err != nil {
		return err
	}
	defer dir.close()
	if err := p.separate(plan); err != nil {
		return err
	}
	plan.Bounds = plan.Bounds.Tighter(p.said())
	if beyond := plan.Beyond(); beyond != "" {
		return failf(exitFindings, "nothing is sent: %s", beyond)
	}
	if _, err := until(ctx, func() (struct{}, error) { return struct{}{}, stillHolds(plan) }); err != nil {
		return p.orTime(ctx, err)
	}
	if err := p.fresh(plan); err != nil {
		return err
	}
	return p.send(ctx, dir, plan)
}

// allows refuses a plan for another target than that of the run of --config.
func (p *pushFlags) allows(t push.Target) error {
	if p.feeds == nil {
		return nil
	}
	allowed, err := anchored(*p.feeds)
	if err != nil {
		return err
	}
	if by := map[string]string{"slurm": "site-factor", "pbs": "priority"}[t.To]; t.To != allowed.To ||
		cmp.Or(t.By, by) != cmp.Or(allowed.By, by) {
		return failf(exitUsage, "nothing is sent: the plan is for --to %s, and run %q of %s feeds %s",
			strings.TrimSpace(t.To+" "+t.By), p.name, p.config, strings.TrimSpace(allowed.To+" "+allowed.By))
	}
	return nil
}

// said are the bounds that the command line and --config set; without them a plan has its own.
func (p *pushFlags) said() push.Bounds {
	b := push.Bounds{MaxShare: 1}
	if p.given["max-changes"] || p.inFile["max-changes"] {
		b.MaxChanges = p.bounds.MaxChanges
	}
	if p.given["max-share"] || p.inFile["max-share"] {
		b.MaxShare = p.bounds.MaxShare
	}
	return b
}

// takeBack is --undo.
func (p *pushFlags) takeBack(ctx context.Context) error {
	var dir *stateDir
	var err error
	if p.yes {
		dir, err = openStateDir(p.dir, "push")
	} else {
		_, _, err = lookIntoStateDir(p.dir)
	}
	if err != nil {
		return err
	}
	if dir != nil {
		defer dir.close()
	}
	journal, _, err := readAudit(p.dir, true)
	if err != nil {
		return err
	}
	plan, ok := push.Undo(journal, p.undo)
	if !ok {
		return failf(exitUsage, "the audit in %s has no run %q; push --runs lists those that it has", p.dir, p.undo)
	}
	if plan.Target.By == "priority" && plan.Target.To == "slurm" {
		fmt.Fprintln(stderr, "fairway: jobs get their old priorities; slurmctld computes them again only after scontrol "+
			"hold and release")
	}
	if err := p.separate(plan); err != nil {
		return err
	}
	plan.Run, plan.Made = newRun()
	if p.given["max-changes"] { // that of --config is for runs; an undo takes back what one of them did
		plan.Bounds = push.Bounds{MaxChanges: p.bounds.MaxChanges, MaxShare: 1}
		if beyond := plan.Beyond(); beyond != "" {
			return failf(exitFindings, "nothing is sent: %s", beyond)
		}
	}
	if !p.yes {
		return p.print(plan)
	}
	return p.send(ctx, dir, plan)
}

// send carries a plan out and says what came of it.
func (p *pushFlags) send(ctx context.Context, dir *stateDir, plan *push.Plan) error {
	feeder, err := feederOf(plan.Target)
	if err != nil {
		return err
	}
	if err := refuseRelative(plan.Target); err != nil {
		return err
	}
	if program, ok := strings.CutPrefix(plan.Target.To, "command="); ok {
		if err := refuseWritable(program); err != nil {
			return err
		}
	}
	if err := p.separate(plan); err != nil {
		return err
	}
	journal, torn, err := readAudit(p.dir, false)
	if err != nil {
		return err
	}
	if err := dir.rotateAudit(journal, time.Now()); err != nil {
		return err
	}
	if torn > 0 && !p.quiet {
		fmt.Fprintf(stderr, "fairway: %s in %s was broken off\n", count(torn, "line"), dir.file(stateAudit))
	}
	if len(plan.Changes) == 0 && len(push.Unsettled(journal)) == 0 {
		return p.report(plan, push.Counts{}, &push.Machine{}, nil)
	}
	r := &callRunner{timeout: p.live.timeout, lock: dir.lock}
	if err := sameCluster(ctx, plan.Target, r); err != nil {
		return p.orTime(ctx, err)
	}
	if err := dir.replace(statePlan, plan.Write); err != nil {
		return err
	}
	audit, err := dir.audit()
	if err != nil {
		return err
	}
	defer audit.file.Close()
	m := push.Machine{Feeder: feeder, Exec: r.run, Journal: audit, Now: time.Now, Wait: waitFor, Afterwards: p.afterwards,
		PerSecond: p.perSecond, MaxChanges: plan.Bounds.MaxChanges}
	counts, err := m.Apply(ctx, plan, journal)
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		err = p.orTime(ctx, err)
	}
	return p.report(plan, counts, &m, err)
}

// lastLook is how long a run may still look at what it sent last, in times of --timeout: Slurm is asked two questions.
const lastLook = 2

// afterwards ends some time after the run has to.
func (p *pushFlags) afterwards(ctx context.Context) (context.Context, context.CancelFunc) {
	after, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(lastLook*p.live.timeout, cancel) })
	return after, func() {
		stop()
		cancel()
	}
}

// report says what a run did.
func (p *pushFlags) report(plan *push.Plan, c push.Counts, m *push.Machine, failure error) error {
	text := ""
	if failure != nil {
		text = failure.Error()
	}
	p.became.Plan, p.became.Counts = plan, &c
	err := errors.Join(p.write("json", func(w io.Writer) error {
		return json.NewEncoder(source.PlainJSON(w)).
			Encode(map[string]any{"format_version": push.FormatVersion, "run": plan.Run, "undoes": plan.Undoes,
				"planned": len(plan.Changes), "counts": c, "error": text})
	}), p.write("table", func(w io.Writer) error {
		return push.WriteOutcome(w, plan.Run, c, m.Refused, m.Missed)
	}))
	switch {
	case err != nil && failure == nil && c.Missed == 0:
		return err
	case errors.Is(failure, errInterrupted):
		return failf(exitInterrupted, "run %s was interrupted; what was sent is in the audit, and the next run goes on",
			plan.Run)
	case errors.Is(failure, errDeadline):
		return failf(exitIO, "run %s: %w; what was sent is in the audit, and the next run goes on", plan.Run, failure)
	case errors.Is(failure, push.ErrBeyond):
		return failf(exitFindings, "nothing is sent: %w", failure)
	case errors.Is(failure, push.ErrAllRefused):
		return failf(exitFindings, "run %s: %w", plan.Run, failure)
	case errors.Is(failure, push.ErrNothingTook):
		return failf(exitIO, "run %s: %w; the audit names them, and the next run tries again", plan.Run, failure)
	case failure != nil:
		return failf(exitIO, "run %s was broken off: %w; what was sent is in the audit, and the next run goes on", plan.Run,
			failure)
	case c.Missed > 0:
		return failf(exitFindings, "run %s: %s %w", plan.Run, count(c.Missed, "change"), errMissed)
	}
	return nil
}

// list is --runs.
func (p *pushFlags) list() error {
	if _, err := os.Stat(p.dir); err != nil {
		return plainFailure(p.dir, err)
	}
	journal, torn, err := readAudit(p.dir, true)
	if err != nil {
		return err
	}
	runs := push.Runs(journal)
	return writeOutput("", func(w io.Writer) error {
		if slices.Contains(p.targets, pushOutput{"json", ""}) {
			e := json.NewEncoder(source.PlainJSON(w))
			e.SetIndent("", " ")
			return e.Encode(map[string]any{"format_version": push.FormatVersion, "runs": runs, "torn_lines": torn})
		}
		return push.WriteRuns(w, runs)
	})
}

// newRun names a run after the time, with a few random letters so that no two are called the same.
func newRun() (id, made string) {
	now := time.Now().UTC()
	b := make([]byte, 3)
	_, _ = rand.Read(b) // never fails (crypto/rand)
	return now.Format("20060102T150405Z") + "-" + hex.EncodeToString(b), now.Format(time.RFC3339)
}

// ask asks the resource manager for what snapshots do not have.
func (p *pushFlags) ask(ctx context.Context, f manager.Feeder, jobs []manager.Holding) ([]manager.Holding, error) {
	held, err := push.Ask(ctx, f, (&callRunner{timeout: p.live.timeout}).run, jobs)
	if err != nil {
		return nil, &exitError{code: exitIO, err: err}
	}
	return held, nil
}
