package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gofrs/flock"
	"github.com/google/renameio/v2"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/runtime/snapshot"
	"github.com/fairway-sched/fairway/runtime/usage"
)

// usageOutput is a report with what becomes of the files.
type usageOutput struct {
	*usage.Report
	sources   []snapshot.Source
	dir       string // "" without files
	dryRun    bool
	decisions []usage.Decision // per window, nil without files
	findings  diag.List
}

// bad is how many records could not be read.
func (o *usageOutput) bad() (n int) {
	for _, s := range o.sources {
		n += s.Bad
	}
	return n
}

// lockName is beside the files; it stays there, because removing a lock
// that another process may be waiting for is no lock.
const lockName = ".fairway.lock"

// put keeps the windows where they are wanted.
func (o *usageOutput) put(f *usageFlags, list *diag.List) error {
	switch {
	case f.to != "":
		return o.keep(f.to, f.force, f.dryRun, list)
	case f.dir == "":
		return nil
	}
	iter := iterationFlags{dir: f.dir, readOnly: f.dryRun}
	defer iter.unlock()
	if _, err := iter.enter("usage"); err != nil {
		return err
	}
	o.dir = filepath.Join(f.dir, stateUsage)
	return o.keep(o.dir, f.force, f.dryRun, list)
}

// keep brings the files of a folder up to date, one process at a time.
func (o *usageOutput) keep(dir string, force, dryRun bool, list *diag.List) error {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return failf(exitIO, "cannot write to %s: no such folder", dir)
	}
	if !dryRun {
		if err := lockable(filepath.Join(dir, lockName)); err != nil {
			return err
		}
		lock := flock.New(filepath.Join(dir, lockName), flock.SetPermissions(0o644))
		held, err := lock.TryLock()
		if err != nil {
			return ioError(filepath.Join(dir, lockName), err)
		}
		if !held {
			return failf(exitLocked, "another fairway writes to %s: %s is locked", dir, filepath.Join(dir, lockName))
		}
		defer func() { _ = lock.Unlock() }()
	}
	if err := o.sameInterval(dir, force, list); err != nil {
		return err
	}
	o.decisions = make([]usage.Decision, len(o.Windows))
	for i := range o.Windows {
		w := &o.Windows[i]
		have, err := existingWindow(filepath.Join(dir, usage.FileName(w.StartTime)))
		if err != nil {
			return err
		}
		o.decisions[i] = usage.Decide(w, have, force)
		if o.decisions[i].Action == usage.Keep {
			usage.Kept(list, w, o.decisions[i])
		}
	}
	if dryRun {
		return nil
	}
	return o.write(dir)
}

// sameInterval refuses a folder with windows of another length among ours.
func (o *usageOutput) sameInterval(dir string, force bool, list *diag.List) error {
	if force {
		return nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return &exitError{code: exitIO, err: plainPathError(dir, err)}
	}
	var wrong diag.List
	oldest := o.Windows[len(o.Windows)-1].StartTime
	for _, e := range entries {
		digits, ok := strings.CutPrefix(e.Name(), "FS.")
		start, err := strconv.ParseInt(digits, 10, 64)
		if !ok || err != nil || start < oldest || start > o.Now || usage.FileName(start) != e.Name() {
			continue
		}
		path := filepath.Join(dir, e.Name())
		text, err := readRegular(path, mostSourceBytes)
		if err != nil {
			return &exitError{code: exitIO, err: plainPathError(path, err)}
		}
		if has := usage.Interval(string(text)); has != 0 && has != o.IntervalSeconds {
			usage.IntervalDiffers(&wrong, path, has, o.IntervalSeconds)
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	printDiags(append(notable(*list), wrong...))
	return &exitError{code: exitUsage}
}

// existingWindow reads the file of a window, nil if there is none. What Maui
// cannot read of it is nothing to lose.
func existingWindow(path string) (*snapshot.UsageWindow, error) {
	text, err := readRegular(path, mostSourceBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, &exitError{code: exitIO, err: plainPathError(path, err)}
	}
	s, _, err := snapshot.Read(snapshot.Texts{path: text}, []string{path}, snapshot.Options{})
	if err != nil {
		return nil, &exitError{code: exitIO, err: plainPathError(path, err)}
	}
	if len(s.Usage) == 0 {
		return &snapshot.UsageWindow{}, nil
	}
	return &s.Usage[0], nil
}

// write makes all new files complete, and then puts them in place, the oldest
// first: what stops it in between leaves each file old or new, and the next run
// does the rest.
func (o *usageOutput) write(dir string) error {
	var pending []*renameio.PendingFile
	var names []string
	defer func() {
		for _, f := range pending {
			_ = f.Cleanup() // nothing to clean once replaced
		}
	}()
	for i := range o.Windows {
		w := &o.Windows[i]
		if a := o.decisions[i].Action; a != usage.New && a != usage.Replace {
			continue
		}
		target := filepath.Join(dir, usage.FileName(w.StartTime))
		f, err := prepareBeside(target, dir,
			func(to io.Writer) error { return usage.Write(to, &w.UsageWindow, o.IntervalSeconds) })
		if err != nil {
			return ioError(target, err)
		}
		pending, names = append(pending, f), append(names, target)
	}
	for i, f := range slices.Backward(pending) {
		if err := f.CloseAtomicallyReplace(); err != nil {
			return ioError(names[i], err)
		}
	}
	if len(pending) == 0 {
		return nil
	}
	return ioError(dir, syncFolder(dir))
}

// prepareBeside makes the new text of a file, which keeps its owner and mode; a new
// file is owned as its folder is, so that Maui can write to it.
func prepareBeside(target, dir string, write func(io.Writer) error) (*renameio.PendingFile, error) {
	old, err := os.Stat(target)
	owner := old
	switch {
	case errors.Is(err, fs.ErrNotExist):
		old = nil
		owner, err = os.Stat(dir)
	case err == nil && !old.Mode().IsRegular():
		err = errNotRegular
	}
	if err != nil {
		return nil, err
	}
	return prepare(target, old, owner, newFileMode, write)
}
