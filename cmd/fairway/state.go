package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/gofrs/flock"
	"github.com/spf13/cobra"

	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/program"
)

// iterationFlags place an evaluation in a row of several.
type iterationFlags struct {
	state      string
	started    []string
	backfilled []string
	fairshare  string

	readOnly bool         // explain's: what it is asked about must be there, and stays
	held     *flock.Flock // of the state, once it was read
}

func (i *iterationFlags) add(cmd *cobra.Command, stateUse string) {
	f := cmd.Flags()
	f.StringVar(&i.state, "state", "", stateUse)
	f.StringVar(&i.fairshare, "fairshare", "computed", "Slurm: computed from shares and usage where these are known, or as recorded by sshare: computed or recorded")
	f.StringSliceVar(&i.started, "started", nil, "as if these jobs started now, in this order: ID,ID…")
	f.StringSliceVar(&i.backfilled, "backfilled", nil, "jobs that start now by backfill, so that those above them count as overtaken: ID,ID…")
}

// options are those of the engine. What the evaluation before left is read from the state file; without
// one this is the first. From then on no other evaluation may use the state until unlock.
func (i *iterationFlags) options(d *disk, p *program.Program, now int64) (engine.Options, error) {
	o := engine.Options{Started: i.started, Backfilled: i.backfilled, KeepState: i.state != "", RecordedFairshare: i.fairshare == "recorded"}
	switch {
	case len(i.backfilled) > 0 && len(i.started) == 0:
		return o, failf(exitUsage, "--backfilled says which of the jobs of --started start by backfill: name them there too")
	case i.fairshare != "computed" && i.fairshare != "recorded":
		return o, failf(exitUsage, "--fairshare is computed or recorded, not %q", i.fairshare)
	case i.state == "":
		return o, nil
	case o.RecordedFairshare:
		return o, failf(exitUsage, "--state keeps usage that fairshare is computed from; leave out --fairshare recorded")
	}
	var err error
	o.Previous, err = i.previous(d, p, now)
	return o, err
}

// previous is what the run before left; nil for the first one.
func (i *iterationFlags) previous(d *disk, p *program.Program, now int64) (*checkpoint.Checkpoint, error) {
	if i.state == "" {
		return nil, nil
	}
	if err := i.lock(); err != nil {
		return nil, err
	}
	file, err := d.readFile(i.state)
	if errors.Is(err, fs.ErrNotExist) && !i.readOnly {
		fmt.Fprintf(os.Stderr, "fairway: %s does not exist yet: this is a first iteration, which makes it\n", i.state)
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	previous, diags := checkpoint.Read(file, p.Family, now)
	if w := p.Windows; previous != nil && w != nil {
		diags = append(diags, previous.FitsInterval(file, w.IntervalSeconds)...)
	}
	if diags.HasErrors() {
		return nil, complain(diags)
	}
	return previous, nil
}

// lock keeps a second evaluation away from the state. The lock stands in a file of its own, since the
// state file is another one after each evaluation.
func (i *iterationFlags) lock() error {
	switch {
	case i.state == "-":
		return failf(exitUsage, "--state is a file that is read and written, not standard input")
	case i.readOnly:
		return nil
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
}

// save writes the state for the next evaluation.
func (i *iterationFlags) save(r *engine.Result) error {
	if i.state == "" {
		return nil
	}
	if info, err := os.Stat(i.state); err == nil && !info.Mode().IsRegular() {
		return failf(exitIO, "cannot write %s: it is no regular file", i.state)
	}
	return writeOutput(i.state, func(w io.Writer) error { return r.Next.Write(w) })
}
