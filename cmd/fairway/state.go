package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gofrs/flock"
	"github.com/spf13/cobra"

	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/family"
	"github.com/fairway-sched/fairway/runtime/program"
)

// iterationFlags place an evaluation in a row of several.
type iterationFlags struct {
	state      string
	dir        string // the state directory; of state and dir, state is where clocks and usage are kept
	started    []string
	backfilled []string
	fairshare  string
	usageFrom  []string // job records from which usage is counted

	readOnly bool         // explain's: what it is asked about must be there, and stays
	onNodes  bool         // the nodes of the policy are taken where the snapshot has none
	planned  bool         // plan's: what a plan as Maui's leaves is kept in state, and all else is only read
	optional bool         // with readOnly: it need not be there
	quiet    bool         // only only errors are reported, so not that it is a first iteration
	held     *flock.Flock // of the state, once it was read
	opened   *stateDir    // once it is open; nil if it is only read and does not exist
	records  bool         // it has the usage of an account tree that was made of job records

	behind func(last, now int64) error // asked whether a state may be set back to now; nil: it may not
}

func (i *iterationFlags) add(cmd *cobra.Command, stateUse string) {
	f := cmd.Flags()
	f.StringVar(&i.state, "state", "", stateUse)
	f.StringVar(&i.dir, "state-dir", "", "the same in a folder that push and usage keep too (fairway doc state)")
	f.StringVar(&i.fairshare, "fairshare", "computed",
		"Slurm: computed from shares and usage where these are known, or as recorded by sshare: computed or recorded")
	f.StringSliceVar(&i.started, "started", nil, "as if these jobs started now, in this order: ID,ID…")
	f.StringSliceVar(&i.backfilled, "backfilled", nil,
		"which of the jobs of --started start by backfill, so that those above them count as overtaken: ID,ID…")
}

// addUsageFrom adds the flag of verbs that count usage from job records.
func (i *iterationFlags) addUsageFrom(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&i.usageFrom, "usage-from", nil,
		"count usage from these job records (accounting logs, sacct, SWF, CSV), as fairway usage does; may repeat")
}

// notStarted is a job of --backfilled that --started does not name; "" if there is none.
func (i *iterationFlags) notStarted() string {
	for _, job := range i.backfilled {
		if !slices.Contains(i.started, job) {
			return job
		}
	}
	return ""
}

// options are those of the engine. What the evaluation before left is read from the state file; without
// one this is the first. From then on no other evaluation may use the state until unlock.
func (i *iterationFlags) options(d *disk, p *program.Program, now int64) (evaluation.Options, error) {
	i.readOnly = i.readOnly || i.planned && !family.Of(p).Facts.Selects
	o := evaluation.Options{Started: i.started, Backfilled: i.backfilled, KeepState: i.keeps(),
		RecordedFairshare: i.fairshare == "recorded"}
	switch {
	case i.notStarted() != "":
		return o, failf(exitUsage, "--backfilled says which of the jobs of --started start by backfill: name %s there "+
			"too, --started %s", i.notStarted(), strings.Join(append(slices.Clone(i.started), i.notStarted()), ","))
	case i.fairshare != "computed" && i.fairshare != "recorded":
		return o, failf(exitUsage, "--fairshare is computed or recorded, not %q", i.fairshare)
	case !i.keeps():
		return o, nil
	case o.RecordedFairshare:
		return o, failf(exitUsage, "--state keeps usage that fairshare is computed from; leave out --fairshare recorded")
	}
	var err error
	o.Previous, err = i.previous(d, p, now)
	o.PrintedUsage = i.state == "" && !i.records
	return o, err
}

func (i *iterationFlags) keeps() bool { return i.state != "" || i.dir != "" }

// enter opens the state directory before anything else is read, and returns the files of usage in it.
func (i *iterationFlags) enter(verb string) (usage []string, err error) {
	switch {
	case i.dir == "":
		return nil, nil
	case i.opened == nil && (i.readOnly || i.planned):
		var ok bool
		if i.opened, ok, err = lookIntoStateDir(i.dir); err == nil && !ok && !i.optional {
			err = plainFailure(i.dir, fs.ErrNotExist)
		}
	case i.opened == nil:
		i.opened, err = openStateDir(i.dir, verb)
	}
	if err != nil || i.opened == nil {
		return nil, err
	}
	return i.opened.windows()
}

// previous is what the run before left; nil for the first one.
func (i *iterationFlags) previous(d *disk, p *program.Program, now int64) (*checkpoint.Checkpoint, error) {
	name := i.state
	switch {
	case !i.keeps():
		return nil, nil
	case name == "":
		name = filepath.Join(i.dir, stateCheckpoint)
	default:
		if err := i.lock(); err != nil {
			return nil, err
		}
	}
	previous, err := i.read(d, name, p, now)
	if err != nil || i.opened == nil || p.Tree == nil {
		return previous, err
	}
	return i.withUsage(d, previous, p, now)
}

// recorded is what the last working out of job records left, which goes on by records alone: what evaluations
// found in queues is only for a first one.
func (i *iterationFlags) recorded(d *disk, p *program.Program, now int64) (*checkpoint.Checkpoint, error) {
	if i.state != "" || i.opened == nil {
		return i.previous(d, p, now)
	}
	last, err := i.read(d, i.opened.file(stateAssociations), p, now)
	if err != nil || last != nil {
		return last, err
	}
	i.quiet = true
	if last, err = i.read(d, i.opened.file(stateCheckpoint), p, now); last == nil || last.Tree == nil {
		return nil, err
	}
	return last, nil
}

// read reads a checkpoint; nil if there is none yet.
func (i *iterationFlags) read(d *disk, name string, p *program.Program, now int64) (*checkpoint.Checkpoint, error) {
	file, err := d.readRegular(name)
	if errors.Is(err, fs.ErrNotExist) && (!i.readOnly || i.optional) {
		switch {
		case i.quiet, i.optional && i.opened == nil: // without the folder it is not expected
		case i.readOnly:
			fmt.Fprintf(stderr, "fairway: %s does not exist yet: this is as a first iteration\n", name)
		default:
			fmt.Fprintf(stderr, "fairway: %s does not exist yet: this is a first iteration, which makes it\n", name)
		}
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	until := now
	if i.behind != nil {
		until = math.MaxInt64
	}
	previous, diags := checkpoint.Read(file, p.Family, until)
	if w := p.Windows; previous != nil && w != nil {
		diags = append(diags, previous.FitsInterval(file, w.IntervalSeconds)...)
	}
	if diags.HasErrors() {
		return nil, complain(diags)
	}
	if i.behind != nil {
		if err := i.behind(previous.Time, now); err != nil {
			return nil, err
		}
		previous.SetBack(now)
	}
	return previous, nil
}

// withUsage adds what was made of job records where it is newer than what the last evaluation left. Records
// that go on beyond the time to evaluate are for a later one.
func (i *iterationFlags) withUsage(d *disk, previous *checkpoint.Checkpoint, p *program.Program,
	now int64) (*checkpoint.Checkpoint, error) {
	file, err := d.readFile(i.opened.file(stateAssociations))
	if errors.Is(err, fs.ErrNotExist) {
		return previous, nil
	}
	if err != nil {
		return nil, err
	}
	i.records = true
	records, diags := checkpoint.Read(file, p.Family, math.MaxInt64)
	switch {
	case diags.HasErrors():
		return nil, complain(diags)
	case records.Time > now:
	case previous == nil:
		return records, nil
	case previous.Tree == nil || records.Time > previous.Time:
		previous.Tree, previous.TreeTime = records.Tree, records.Time
	}
	return previous, nil
}

// lock keeps a second evaluation away from the state. The lock is in a file of its own, since the
// state file is another one after each evaluation.
func (i *iterationFlags) lock() error {
	switch {
	case i.state == "-":
		return failf(exitUsage, "--state is a file that is read and written, not standard input")
	case i.readOnly:
		return nil
	}
	if err := lockable(i.state + ".lock"); err != nil {
		return err
	}
	l := flock.New(i.state + ".lock")
	held, err := l.TryLock()
	switch {
	case err != nil:
		return ioError(i.state+".lock", err)
	case !held:
		return failf(exitLocked, "another evaluation is using %s (it holds %s.lock)", i.state, i.state)
	}
	i.held = l
	return nil
}

func (i *iterationFlags) unlock() {
	if i.held != nil {
		_ = i.held.Unlock() // the process is about to end
	}
	if i.opened != nil && i.opened.lock != nil {
		i.opened.close()
	}
}

// save writes the state for the next evaluation.
func (i *iterationFlags) save(r *evaluation.Result) error {
	switch {
	case i.readOnly:
		return nil
	case i.state == "" && i.opened != nil:
		return i.opened.replace(stateCheckpoint, r.Next().Write)
	case i.state == "":
		return nil
	}
	if info, err := os.Stat(i.state); err == nil && !info.Mode().IsRegular() {
		return failf(exitIO, "cannot write %s: it is no regular file", i.state)
	}
	return writeOutput(i.state, func(w io.Writer) error { return r.Next().Write(w) })
}
