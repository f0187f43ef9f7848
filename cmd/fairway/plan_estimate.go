package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"runtime"
	"strings"
	"time"

	"github.com/gofrs/flock"
	"github.com/spf13/cobra"

	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/estimate"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/planning"
	"github.com/fairway-sched/fairway/runtime/replay"
	"github.com/fairway-sched/fairway/runtime/report/plan"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// estimateFlags are what a plan is estimated with.
type estimateFlags struct {
	history []string
	draws   int
	seed    uint64
	ledger  string

	ended *column.Table // the history
}

func (f *estimateFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&f.history, "estimate", nil,
		"file with jobs that ran (sacct -P, SWF …): the 10th, 50th and 90th percentile of each start, with run times "+
			"drawn from what users' jobs used of their limits; may repeat")
	flags.IntVar(&f.draws, "draws", 100, "`N` times that the queue is played for --estimate")
	flags.Uint64Var(&f.seed, "seed", 1, "`N` of what --estimate draws: the same seed draws the same")
	flags.StringVar(&f.ledger, "ledger", "",
		"add what is estimated to this file, for fairway estimate score once the jobs have started")
	_ = cmd.MarkFlagFilename("ledger", "jsonl")
}

// mostDraws bounds how often a queue is played.
const mostDraws = 10_000

func (f *estimateFlags) check(given func(flag string) bool) error {
	for _, flag := range []string{"draws", "seed", "ledger"} {
		if given(flag) && len(f.history) == 0 {
			return failf(exitUsage, "--%s is of an estimate: add --estimate HISTORY, jobs that ran", flag)
		}
	}
	if f.draws < 1 || f.draws > mostDraws {
		return failf(exitUsage, "--draws is a number from 1 to %d, not %d", mostDraws, f.draws)
	}
	if given("ledger") && (f.ledger == "" || f.ledger == "-") {
		return failf(exitUsage, "--ledger is a file that is added to, such as ledger.jsonl")
	}
	return nil
}

func (f *estimateFlags) uses() []use {
	if f.ledger == "" {
		return nil
	}
	return []use{{what: "--ledger", path: f.ledger}}
}

// read reads the history. A ledger that cannot be added to is refused here, before the queue is played.
func (f *estimateFlags) read(opened *reads, place *time.Location) (err error) {
	if len(f.history) == 0 {
		return nil
	}
	if f.ended, err = readHistory(&disk{opened}, f.history, place); err != nil || f.ledger == "" {
		return err
	}
	_, err = f.entries()
	return err
}

// entries are those that the ledger has by now.
func (f *estimateFlags) entries() ([]estimate.Entry, error) {
	list, err := readLedger(&disk{}, f.ledger)
	var own *exitError
	if errors.As(err, &own) && errors.Is(own.err, fs.ErrNotExist) {
		return nil, nil
	}
	return list, err
}

// readHistory reads jobs that ran.
func readHistory(d *disk, paths []string, place *time.Location) (*column.Table, error) {
	s, err := readAll(d, paths, snapshot.Options{Location: place, WholeTrace: true})
	switch {
	case err != nil:
		return nil, err
	case s.Jobs == nil || s.Jobs.Rows == 0:
		return nil, failf(exitUnreadable, "there are no jobs in %s", strings.Join(paths, ", "))
	}
	return s.Jobs, nil
}

// readLedger reads a ledger. Lines that are no entries end it: what is no ledger is not written over.
func readLedger(d *disk, name string) ([]estimate.Entry, error) {
	in, err := d.Open(name)
	if err != nil {
		return nil, &exitError{code: exitIO, err: err}
	}
	defer in.Close()
	text, err := io.ReadAll(in)
	if err != nil {
		return nil, &exitError{code: exitIO, err: err}
	}
	entries, diags, err := estimate.Read(name, bytes.NewReader(text))
	switch {
	case err != nil:
		return nil, failf(exitUnreadable, "%v", err)
	case diags.HasErrors():
		return nil, complain(diags)
	}
	return entries, nil
}

// run plays the queue of a plan.
func (f *estimateFlags) run(ctx context.Context, bar *progress, p *plan.Plan, o planning.Options) error {
	if f.ended == nil {
		return nil
	}
	starts, err := estimate.Starts(p.Result.Program, p.Result.Snapshot, f.ended, estimate.Options{Draws: f.draws,
		Seed: f.seed, Workers: runtime.NumCPU(),
		Replay:   replay.Options{Context: ctx, Evaluation: evaluation.Options{Procs: o.Procs, Place: o.Place}},
		Progress: func(done int) { bar.show("draws of the queue", done, f.draws) }})
	bar.end()
	if err != nil {
		return replayFailed(err)
	}
	p.Estimates = map[string]plan.Estimate{}
	for id, e := range starts {
		p.Estimates[id] = plan.Estimate(e)
	}
	return nil
}

// keep adds to the ledger, one process at a time. The lock is in a file of its own, since the ledger is another file
// each time that it is written.
func (f *estimateFlags) keep(ctx context.Context, p *plan.Plan) error {
	if f.ledger == "" {
		return nil
	}
	name := f.ledger + ".lock"
	if err := lockable(name); err != nil {
		return err
	}
	lock := flock.New(name)
	switch _, err := lock.TryLockContext(ctx, 20*time.Millisecond); {
	case ctx.Err() != nil:
		return failf(exitInterrupted, "interrupted while another run held %s; nothing was added to %s", name, f.ledger)
	case err != nil:
		return ioError(name, err)
	}
	defer func() { _ = lock.Unlock() }()
	entries, err := f.entries() // others may have added to it while the queue was played
	if err != nil {
		return err
	}
	for i := range p.Schedule.Requests {
		r := p.Request(i)
		e, there := p.Estimates[r.ID]
		if r.Running || !there {
			continue
		}
		entries = append(entries, estimate.Entry{At: p.Schedule.Now, Job: r.ID, Plan: p.At(i).Start, P10: e.P10, P50: e.P50,
			P90: e.P90})
	}
	return writeOutput(f.ledger, func(w io.Writer) error { return estimate.Write(w, entries) })
}
