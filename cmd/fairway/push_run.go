package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/fairway-sched/fairway/runtime/manager"
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
