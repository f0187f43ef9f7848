package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/renameio/v2"

	"github.com/fairway-sched/fairway/runtime/prom"
	"github.com/fairway-sched/fairway/runtime/push"
)

// pushOutput is one output: a format, to a file or to standard output.
type pushOutput struct{ format, path string }

// parseOutputs reads -o. Without one, people get a table.
func (p *pushFlags) parseOutputs() error {
	if len(p.outputs) == 0 {
		p.targets = []pushOutput{{"table", ""}}
		return nil
	}
	onStdout, paths := 0, map[string]bool{}
	for _, text := range p.outputs {
		format, path, _ := strings.Cut(text, "=")
		if format != "table" && format != "json" && format != "prom" {
			return failf(exitUsage, "-o is table, json or prom, not %q", format)
		}
		if path == "" || path == "-" {
			onStdout++
		} else if paths[path] {
			return failf(exitUsage, "two outputs go to %s", path)
		}
		paths[path] = true
		p.targets = append(p.targets, pushOutput{format, path})
	}
	if onStdout > 1 {
		return failf(exitUsage, "%d outputs go to standard output: give all but one a file, as in -o prom=FILE", onStdout)
	}
	return nil
}

// write writes one format to all its outputs. With --quiet nothing goes to standard output.
func (p *pushFlags) write(format string, write func(io.Writer) error) error {
	for _, o := range p.targets {
		if o.format != format || p.quiet && (o.path == "" || o.path == "-") {
			continue
		}
		if err := writeOutput(o.path, write); err != nil {
			return err
		}
	}
	return nil
}

// kinds are the errors that end a run, by exit code; a deadline that has passed is one of its own.
var kinds = map[int]string{exitFindings: "refused", exitUnreadable: "input", exitUsage: "usage", exitIO: "io",
	exitInterrupted: "interrupted"}

// measured does a run and writes its metrics, also where it fails. The error of the run counts more than one of
// writing them.
func (p *pushFlags) measured(run func() error) error {
	p.became.Began = time.Now()
	failure := run()
	if failure != nil && p.quiet {
		sayMissed(p.live.missed)
	}
	p.became.Name, p.became.Every = cmp.Or(p.name, "push"), p.every
	p.became.Ended, p.became.Exit = time.Now(), exitCode(failure)
	p.became.Kind = kinds[p.became.Exit]
	if errors.Is(failure, errDeadline) {
		p.became.Kind = "deadline"
	}
	if errors.Is(failure, errClock) {
		p.became.Kind = "clock"
	}
	p.became.Missing = len(p.live.missed)
	for _, o := range p.targets {
		if o.format != "prom" || len(separate([]use{{path: o.path}}, p.uses())) > 0 ||
			failure != nil && writable(o.path, "") != nil { // that is the failure
			continue
		}
		err := p.metrics(o.path)
		switch {
		case failure == nil && err != nil:
			failure = err
		case err != nil:
			say(err)
		}
	}
	return failure
}

// metrics writes one file of metrics.
func (p *pushFlags) metrics(path string) error {
	if p.became.Exit == exitLocked {
		list := push.LockedOut(p.name, p.became.Ended)
		return writePublic(besideProm(path), func(w io.Writer) error { return prom.Write(w, list) })
	}
	before := ""
	if path != "" && path != "-" {
		text, err := readPresent(path)
		if err != nil && p.became.Exit != exitFine { // the new file cannot say it either
			fmt.Fprintf(stderr, "fairway: when a run last succeeded is not known any more: %s\n", err)
		}
		before = string(text)
	}
	return writePublic(path, func(w io.Writer) error { return prom.Write(w, p.became.Metrics(before)) })
}

// besideProm names the file of the runs that find another one at work. The collector reads all files that end in .prom.
func besideProm(path string) string {
	if path == "" || path == "-" {
		return path
	}
	ext := filepath.Ext(path)
	return strings.TrimSuffix(path, ext) + "-locked" + ext
}

// writePublic writes a file that others read, whatever the umask is: a service may have one under which only its
// owner could.
func writePublic(path string, write func(io.Writer) error) error {
	info, err := os.Stat(path)
	if path == "" || path == "-" || err == nil && !info.Mode().IsRegular() {
		return writeOutput(path, write)
	}
	f, err := renameio.NewPendingFile(path, renameio.WithTempDir(filepath.Dir(path)),
		renameio.WithStaticPermissions(0o644))
	if err != nil {
		return ioError(path, err)
	}
	if err := buffered(f, write); err != nil {
		_ = f.Cleanup()
		return ioError(path, err)
	}
	return ioError(path, f.CloseAtomicallyReplace())
}
