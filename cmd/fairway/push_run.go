package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
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
		info, err := os.Stat(c.File)
		if err == nil && !info.Mode().IsRegular() { // reading a pipe would wait for a writer, under no time limit
			return nil, fmt.Errorf("cannot read %s: it is no regular file", c.File)
		}
		text, err := os.ReadFile(c.File)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return text, err
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

// inputFile holds a command's input. Unlike a pipe it is whole from the beginning: if this process is killed, the
// command never sees half a line.
func inputFile(text []byte) (*os.File, error) {
	f, err := os.CreateTemp("", "fairway-push-")
	if err != nil {
		return nil, err
	}
	_ = os.Remove(f.Name()) // it needs no name
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
