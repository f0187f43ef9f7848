package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/sweep"
)

// sweepRun is how the missing cells are computed.
type sweepRun struct {
	jobs    int
	on      string
	options []string
	minutes int
	measure time.Duration
}

func newSweepRun() *cobra.Command {
	var f sweepRun
	cmd := &cobra.Command{
		Use:  "run DIR",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(args[0], cmd.Flags().Changed("jobs")) },
	}
	f.add(cmd, "here")
	return cmd
}

func newSweepResume() *cobra.Command {
	var f sweepRun
	cmd := &cobra.Command{
		Use:  "resume DIR",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(args[0], cmd.Flags().Changed("jobs")) },
	}
	f.add(cmd, "")
	return cmd
}

func (f *sweepRun) add(cmd *cobra.Command, on string) {
	flags := cmd.Flags()
	flags.IntVarP(&f.jobs, "jobs", "j", 0,
		"compute `N` cells at once (default: as many as there are processors); on slurm, run no more than N tasks at once "+
			"(default: all)")
	flags.StringVar(&f.on, "on", on, "where: here, or slurm")
	flags.StringArrayVar(&f.options, "sbatch", nil,
		"an `OPTION` for sbatch, may repeat, as in --sbatch=--partition=short")
	flags.IntVar(&f.minutes, "minutes", int(taskTarget.Minutes()), "on slurm: how long a task takes, about")
	flags.DurationVar(&f.measure, "measure", time.Minute, "on slurm: how long a cell may take that is measured here")
	completeWords(cmd, "on", "here", "slurm")
}

func (f *sweepRun) run(path string, limited bool) error {
	switch {
	case limited && f.jobs < 1:
		return failf(exitUsage, "--jobs is a number of cells computed at once, from 1, not %d", f.jobs)
	case f.minutes < 1:
		return failf(exitUsage, "--minutes is at least 1, not %d", f.minutes)
	case f.on != "" && f.on != "here" && f.on != "slurm":
		return failf(exitUsage, "--on is here or slurm, not %q", f.on)
	}
	dir, err := openSweep(path)
	if err != nil {
		return err
	}
	rounds, err := dir.rounds()
	if err != nil {
		return err
	}
	submitted := slices.ContainsFunc(rounds, func(r *sweep.Round) bool { return len(r.Arrays) > 0 })
	onSlurm := f.on == "slurm" || f.on == "" && submitted
	if len(f.options) > 0 && !onSlurm {
		return failf(exitUsage, "--sbatch is of --on slurm")
	}
	if err := dir.hold(sweepLock); err != nil {
		return err
	}
	defer dir.release()
	if !onSlurm {
		return dir.computeHere(atOnce(f.jobs))
	}
	s, err := newSlurmSweep(dir)
	if err != nil {
		return err
	}
	if s.options, s.minutes, s.measure = f.options, f.minutes, f.measure; limited {
		s.atOnce = f.jobs
	}
	return s.submit()
}

// atOnce is how many cells are computed at once: as many as there are processors where --jobs does not say.
func atOnce(jobs int) int {
	if jobs == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return jobs
}

// computeHere computes all that is missing.
func (s *sweepDir) computeHere(jobs int) error {
	missing := s.missing()
	done, err := s.computeAll(missing, jobs)
	if err != nil {
		return err
	}
	return writeOutput("", func(w io.Writer) error {
		text := count(done, "cell") + " computed"
		if there := s.count() - len(missing); there > 0 {
			text += fmt.Sprintf(", %d were there already", there)
		}
		_, err := fmt.Fprintln(w, text)
		return err
	})
}

// sameRelease refuses a sweep of another release: its cells would not be what their names say.
func (s *sweepDir) sameRelease() error {
	if s.Program != programVersion() {
		return failf(exitUsage, "the sweep was planned by Fairway %s, and this is %s: plan it again, so that all cells "+
			"are of one release", s.Program, programVersion())
	}
	return nil
}

// computeAll computes cells with several goroutines and keeps each result. The error names the cells that failed.
func (s *sweepDir) computeAll(cells []*sweep.Cell, jobs int) (done int, err error) {
	if err := s.sameRelease(); err != nil {
		return 0, err
	}
	inputs, err := s.inputs()
	if err != nil {
		return 0, err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	work := sweep.NewWork(s.Manifest, inputs, sweepCompiler(inputs))
	bar := newProgress("sweeping")
	defer bar.end()
	queue := make(chan *sweep.Cell)
	var group sync.WaitGroup
	var mutex sync.Mutex
	var failures []error
	for range min(jobs, max(1, len(cells))) {
		group.Go(func() {
			hand := work.Hand()
			for c := range queue {
				if exists(s.cell(c.ID)) {
					continue // another has computed it meanwhile
				}
				r, err := hand.Compute(ctx, c)
				if err == nil {
					err = s.keep(r)
				}
				mutex.Lock()
				if done++; err != nil {
					done--
					failures = append(failures, s.failure(c, err))
				}
				bar.show("cells", done, len(cells))
				mutex.Unlock()
			}
		})
	}
	for _, c := range cells {
		select {
		case queue <- c:
		case <-ctx.Done():
		}
	}
	close(queue)
	group.Wait()
	bar.end()
	if ctx.Err() != nil {
		return done, failf(exitInterrupted, "interrupted after %s; `fairway sweep run %s` goes on", count(done, "cell"),
			source.Plain(s.path))
	}
	return done, failed(failures)
}

// cellError is a cell that could not be computed.
type cellError struct {
	cell string
	err  error
}

func (e *cellError) Error() string { return e.cell + ": " + e.err.Error() }
func (e *cellError) Unwrap() error { return e.err }

// failure names a cell that failed.
func (s *sweepDir) failure(c *sweep.Cell, err error) error {
	var own *exitError
	if errors.As(err, &own) && own.code == exitIO {
		return err
	}
	return &cellError{s.Label(c), err}
}

// mostFailures is how many cells that failed are named.
const mostFailures = 10

// failed tells of the cells that failed; a disk that is full ends as such.
func failed(failures []error) error {
	var own *exitError
	for i, err := range failures {
		if errors.As(err, &own) {
			return own
		}
		if i < mostFailures {
			say(sweepFailed(err))
		}
	}
	if len(failures) == 0 {
		return nil
	}
	return failf(exitFindings, "%s could not be computed", count(len(failures), "cell"))
}

// sweepFailed is an error of a cell, or of what it is computed from, as the command line tells it.
func sweepFailed(err error) error {
	var refused *sweep.RefusedError
	var cell *cellError
	var file *fs.PathError
	var named *namedError
	var own *exitError
	switch {
	case errors.As(err, &cell):
		inner := sweepFailed(cell.err)
		if inner.Error() == "" {
			return failf(exitFindings, "%s: see above", cell.cell)
		}
		return failf(exitFindings, "%s: %v", cell.cell, inner)
	case errors.As(err, &refused):
		return complain(refused.Findings)
	case errors.As(err, &file), errors.As(err, &named):
		return &exitError{code: exitIO, err: err}
	case errors.As(err, &own):
		return own
	}
	if err = planFailed(err); errors.As(err, &own) {
		return own
	}
	return &exitError{code: exitUnreadable, err: err}
}

func newSweepStatus() *cobra.Command {
	return &cobra.Command{
		Use:  "status DIR",
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			dir, err := openSweep(args[0])
			if err != nil {
				return err
			}
			rounds, err := dir.rounds()
			if err != nil {
				return err
			}
			missing := dir.missing()
			err = writeOutput("", func(w io.Writer) error {
				fmt.Fprintf(w, "study %s: %s, %d computed, %d missing\n", source.Plain(dir.Study), count(dir.count(), "cell"),
					dir.count()-len(missing), len(missing))
				if len(rounds) > 0 {
					s, err := newSlurmSweep(dir)
					if err != nil {
						return err
					}
					return s.status(w, rounds)
				}
				for i, c := range missing {
					if i == mostFailures {
						fmt.Fprintf(w, "  and %d more\n", len(missing)-i)
						break
					}
					fmt.Fprintf(w, "  %s\n", source.Plain(dir.Label(c)))
				}
				return nil
			})
			if err == nil && len(missing) > 0 {
				return &exitError{code: exitFindings}
			}
			return err
		},
	}
}
