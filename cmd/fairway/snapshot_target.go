package main

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/renameio/v2"

	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// captureTarget is where a snapshot goes. All is written beside the place and put there by publish.
type captureTarget interface {
	name() string
	begin(name string, text []byte) error // a file that another put of its name replaces
	put(name string, text []byte) error
	written() (name string, err error) // where it lies until publish
	publish() error
	discard() // removes what is not published
}

// newCaptureTarget is an archive if the name says so, else a folder.
func newCaptureTarget(out string) (captureTarget, error) {
	if strings.HasSuffix(out, ".tar.zst") {
		return newArchiveTarget(out)
	}
	for _, ending := range []string{".tar", ".tar.gz", ".tgz", ".zst", ".json", ".zip"} {
		if strings.HasSuffix(out, ending) {
			return nil, failf(exitUsage, "--to takes a new folder or a file whose name ends in .tar.zst, not %s", ending)
		}
	}
	return newFolderTarget(strings.TrimRight(out, "/"))
}

type folderTarget struct {
	out       string
	beside    *scratch
	published bool
}

func newFolderTarget(out string) (captureTarget, error) {
	if out == "" {
		return nil, failf(exitUsage, "--to takes a new folder, not /")
	}
	if err := vacant(out); err != nil {
		return nil, err
	}
	beside, err := newScratch(filepath.Dir(out), "."+filepath.Base(out)+".partial-")
	if err != nil {
		return nil, ioError(out, err)
	}
	return &folderTarget{out: out, beside: beside}, nil // which others cannot look into
}

// vacant refuses a place where something is; a folder cannot be replaced in one step.
func vacant(out string) error {
	if info, err := os.Stat(out); err == nil && !info.IsDir() { // reading a pipe as a folder would wait for a writer
		return failf(exitIO, "cannot write %s: it is there, and no folder", out)
	}
	entries, err := os.ReadDir(out)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return ioError(out, err)
	case len(entries) > 0:
		return failf(exitIO, "cannot write %s: the folder is not empty; name a new one, or a .tar.zst, which is replaced",
			out)
	}
	return nil
}

func (t *folderTarget) name() string                         { return t.out }
func (t *folderTarget) begin(name string, text []byte) error { return t.put(name, text) }

func (t *folderTarget) put(name string, text []byte) error {
	file := filepath.Join(t.beside.path, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Sync(), f.Close())
}

func (t *folderTarget) written() (string, error) { return t.beside.path, nil }

func (t *folderTarget) publish() error {
	if err := errors.Join(t.sync(), os.Rename(t.beside.path, t.out)); err != nil {
		return err
	}
	t.published = true
	return syncFolder(filepath.Dir(t.out))
}

// sync makes the names in the folder and in those below it last.
func (t *folderTarget) sync() error {
	return filepath.WalkDir(t.beside.path, func(name string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			return err
		}
		return syncFolder(name)
	})
}

func (t *folderTarget) discard() {
	if t.published {
		t.beside.release()
	} else {
		t.beside.remove() // its manifest says that it is no snapshot
	}
}

// syncFolder makes the names in a folder last.
func syncFolder(dir string) error {
	f, err := openFolder(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

type archiveTarget struct {
	out     string
	target  string // what out is a link to
	file    *renameio.PendingFile
	buffer  *bufio.Writer
	archive *snapshot.Archive
}

func newArchiveTarget(out string) (captureTarget, error) {
	if err := refusePlanted(out); err != nil {
		return nil, ioError(out, err)
	}
	target, err := filepath.EvalSymlinks(out)
	if errors.Is(err, fs.ErrNotExist) {
		target, err = out, nil
	}
	if err != nil {
		return nil, ioError(out, err)
	}
	if old, err := os.Stat(target); err == nil && !old.Mode().IsRegular() {
		return nil, failf(exitIO, "cannot write %s: it is no regular file", out)
	}
	file, err := renameio.NewPendingFile(target, renameio.WithTempDir(filepath.Dir(target)),
		renameio.WithPermissions(0o600), renameio.WithExistingPermissions())
	if err != nil {
		return nil, ioError(out, err)
	}
	buffer := bufio.NewWriterSize(file, 1<<16)
	archive, err := snapshot.NewArchive(buffer)
	if err != nil {
		_ = file.Cleanup()
		return nil, ioError(out, err)
	}
	return &archiveTarget{out, target, file, buffer, archive}, nil
}

func (t *archiveTarget) name() string { return t.out }

// begin: an archive without its end cannot be read, so nothing has to say that it is under way.
func (t *archiveTarget) begin(string, []byte) error { return nil }

func (t *archiveTarget) put(name string, text []byte) error {
	return t.archive.Add(name, text, time.Now())
}

func (t *archiveTarget) written() (string, error) {
	if err := errors.Join(t.archive.Close(), t.buffer.Flush()); err != nil {
		return "", err
	}
	return t.file.Name(), nil
}

func (t *archiveTarget) publish() error {
	if err := t.file.CloseAtomicallyReplace(); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(t.target))
}

func (t *archiveTarget) discard() { _ = t.file.Cleanup() }

// writePacked is writeOutput which packs a file whose name ends in .zst.
func writePacked(out string, write func(io.Writer) error) error {
	if !strings.HasSuffix(out, ".zst") {
		return writeOutput(out, write)
	}
	if strings.HasSuffix(out, ".tar.zst") {
		return failf(exitUsage, "%s: one file is written, not an archive; name it .json.zst", out)
	}
	return writeOutput(out, func(w io.Writer) error { return snapshot.Pack(w, write) })
}
