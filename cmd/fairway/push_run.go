package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/manager"
	"github.com/fairway-sched/fairway/runtime/push"
)

// callRunner runs the commands of feeders.
type callRunner struct {
	timeout time.Duration
	lock    *os.File // commands that change something inherit it; nil for those that do not
}

// run runs one command, or reads or replaces a file.
func (r *callRunner) run(ctx context.Context, c manager.Call) ([]byte, error) {
	switch {
	case c.File != "" && c.Input == nil:
		return readPresent(c.File)
	case c.File != "":
		return nil, writeOutput(c.File, func(w io.Writer) error { _, err := w.Write(c.Input); return err })
	}
	run := &commands{r.timeout, c.Env}
	if c.Input == nil {
		return run.with(ctx, c.Argv, nil, r.lock)
	}
	in, err := inputFile(c.Input)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return run.with(ctx, c.Argv, in, r.lock)
}

// readPresent reads a regular file, which need not be there.
func readPresent(name string) ([]byte, error) {
	text, err := readRegular(name, mostStreamBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, plainPathError(name, err)
	}
	return text, nil
}

// interruptible is a context that the first signal ends. A second one kills, wherever the process waits.
func interruptible() (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// until does what no context reaches, such as reading files, one of them perhaps a pipe without a writer. When ctx
// ends first it is left behind; the process is about to end then.
func until[T any](ctx context.Context, do func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		value, err := do()
		done <- outcome{value, err}
	}()
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// inputFile holds a command's input. Unlike a pipe it is whole from the beginning: if this process is killed, the
// command never sees half a line.
func inputFile(text []byte) (*os.File, error) {
	dir, err := newScratch("", "fairway-input-")
	if err != nil {
		return nil, err
	}
	defer dir.remove() // it needs no name
	f, err := os.OpenFile(filepath.Join(dir.path, "input"), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	if _, err = f.Write(text); err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// waitFor waits, or gives up with the context.
func waitFor(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// clockPatience is how long push waits, by the controller's clock, for one that was set back to come to the time of the
// last run.
const clockPatience = 10 * time.Minute

// errClock is a run whose snapshot is of an earlier time than the last one.
var errClock = errors.New("the clock of the snapshot is behind the last run")

// clockBehind is asked whether a run goes on from one of another time. Usage would count twice if an old snapshot came
// after a new one, so that push waits first; a clock that goes on behind the last run was set back for good.
func (p *pushFlags) clockBehind(last, now int64) error {
	name := (&stateDir{path: p.dir}).file(stateClock)
	if last <= now {
		if p.yes {
			if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return ioError(name, err)
			}
		}
		return nil
	}
	behind := time.Duration(last-now) * time.Second
	p.became.Behind = behind
	stamp := func(at int64) string { return time.Unix(at, 0).UTC().Format(time.RFC3339) }
	if !p.yes || p.setBack {
		fmt.Fprintf(stderr, "fairway: %s: it is of %s, %s before it; queue times and usage go on from there\n",
			errClock, stamp(now), behind)
		return nil
	}
	text, err := readPresent(name)
	if err != nil {
		return &exitError{code: exitIO, err: err}
	}
	first, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil || first > now { // or set back again
		first = now
		note := func(w io.Writer) error { _, err := fmt.Fprintln(w, now); return err }
		if err := p.iter.opened.replace(stateClock, note); err != nil {
			return err
		}
	}
	goesOn := first + int64(clockPatience/time.Second)
	if now >= goesOn {
		fmt.Fprintf(stderr, "fairway: %s, and has gone on for %s: queue times and usage go on from %s\n",
			errClock, clockPatience, stamp(now))
		return nil
	}
	return failf(exitFindings, "nothing is sent: %w: it is of %s, %s before it;"+
		" push goes on when the clock has come to %s, or at once with --clock-set-back",
		errClock, stamp(now), behind, stamp(min(last, goesOn)))
}

// reads notes what a run is about to read. Whatever is put into a folder that is its snapshot is another one.
func (p *pushFlags) reads(what string, names ...string) {
	p.inputs = append(p.inputs, among(directly, readBy(what, names...))...)
}

// uses are what the run reads, as far as it is known, what it keeps, and what is no file of its metrics.
func (p *pushFlags) uses() []use {
	list := append([]use{{what: "the state directory", path: p.dir, part: ofLayout}}, p.inputs...)
	for _, o := range p.targets {
		if o.format == "prom" {
			list = append(list, noMetrics(o.path)...)
		}
	}
	return list
}

// outputUses are the files of an output.
func outputUses(format, path string, at source.Span) []use {
	list := []use{{what: "the output " + format, path: path, at: at}}
	if format == "prom" {
		list = append(list, use{what: "the output prom of a run that is locked out", path: besideProm(path), at: at})
	}
	return list
}

// writes are the files that a run writes beside those of its state directory.
func (p *pushFlags) writes(target push.Target) []use {
	list := []use{{what: "--out", path: p.out}, {what: "--state", path: p.iter.state}}
	for _, o := range p.targets {
		list = append(list, outputUses(o.format, o.path, source.Span{})...)
	}
	if path, ok := strings.CutPrefix(target.To, "file="); ok {
		list = append(list, use{what: "the file that is fed", path: path})
	}
	return list
}

// separate refuses a run that would write over what it reads, or over another file that it writes, or where nothing
// can be written. A plan has more of both. Such a run writes nothing at all.
func (p *pushFlags) separate(plan *push.Plan) error {
	target := p.target
	if plan != nil {
		target = plan.Target
		for _, f := range plan.Policy {
			p.reads("a file of the policy", f.Name)
		}
		for _, f := range plan.Snapshot {
			p.reads("the snapshot", f.Name)
		}
	}
	err := p.sound(p.writes(target))
	if err != nil {
		p.targets = nil
	}
	return err
}

// sound finds what separate refuses.
func (p *pushFlags) sound(writes []use) error {
	for _, o := range separate(writes, p.uses()) {
		return failf(exitUsage, "nothing is sent: %w: give another name", o)
	}
	for _, w := range writes {
		if err := writable(w.path, p.dir); err != nil && p.sends() {
			return failf(exitIO, "nothing is sent: %v", err)
		}
	}
	return nil
}

// noMetrics is a file for metrics that has something else in it. They are written also where a run fails before it
// knows all that it reads.
func noMetrics(path string) []use {
	text, err := readPresent(path)
	if err != nil || len(text) == 0 || bytes.HasPrefix(text, []byte("# HELP fairway_")) {
		return nil
	}
	return []use{{what: "which is there and holds no metrics of a run", path: path}}
}
