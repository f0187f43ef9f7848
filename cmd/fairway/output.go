package main

import (
	"bufio"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/google/renameio/v2"

	"github.com/fairway-sched/fairway/lang/source"
)

// writeOutput writes to standard output, or to a file. A regular file, also behind a link, is
// replaced only when all of it has been written, and keeps its owner and mode; a pipe or a
// device is written to as it is.
func writeOutput(path string, write func(io.Writer) error) error {
	if path == "" || path == "-" {
		err := paged(write)
		if errors.Is(err, syscall.EPIPE) {
			return nil // the reader, such as head, has seen enough
		}
		return ioError("standard output", err)
	}
	if err := refusePlanted(path); err != nil {
		return ioError(path, err)
	}
	target, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		target, err = path, nil // a new file
	}
	if err != nil {
		return ioError(path, err)
	}
	old, err := os.Stat(target)
	if err == nil && !old.Mode().IsRegular() {
		return ioError(path, writeInto(target, write))
	}
	return ioError(path, replace(target, old, write))
}

// written is one of several files that are written together.
type written struct {
	path string
	text []byte
	mode fs.FileMode // of a new file; 0 for the usual one
}

// writeTogether writes several files and puts all in their places or none: each is beside its place before the first
// is moved there. What is no regular file, as a pipe is, and standard output are written in between: they can fail as
// no move does.
func writeTogether(files []written) error {
	var pending []*renameio.PendingFile
	defer func() {
		for _, f := range pending {
			_ = f.Cleanup() // does nothing once it is in its place
		}
	}()
	var paths []string
	var streams []written
	for _, w := range files {
		write := func(to io.Writer) error { _, err := to.Write(w.text); return err }
		if w.path == "" || w.path == "-" {
			streams = append(streams, w)
			continue
		}
		if err := refusePlanted(w.path); err != nil {
			return ioError(w.path, err)
		}
		target, err := filepath.EvalSymlinks(w.path)
		if errors.Is(err, fs.ErrNotExist) {
			target, err = w.path, nil
		}
		if err != nil {
			return ioError(w.path, err)
		}
		old, err := os.Stat(target)
		switch {
		case err == nil && old.IsDir():
			return failf(exitIO, "cannot write %s: is a directory", w.path)
		case err == nil && !old.Mode().IsRegular():
			streams = append(streams, w)
			continue
		}
		f, err := prepare(target, old, old, cmp.Or(w.mode, newFileMode), write)
		if err != nil {
			return ioError(w.path, err)
		}
		pending, paths = append(pending, f), append(paths, w.path)
	}
	if len(streams) > 0 && len(pending) > 0 { // a reader that leaves early is no reason to leave files beside their places
		signal.Ignore(syscall.SIGPIPE)
		defer signal.Reset(syscall.SIGPIPE)
	}
	for _, w := range streams {
		if err := writeOutput(w.path, func(to io.Writer) error { _, err := to.Write(w.text); return err }); err != nil {
			return err
		}
	}
	for i, f := range pending {
		if err := f.CloseAtomicallyReplace(); err != nil {
			return ioError(paths[i], err)
		}
	}
	return nil
}

// remove takes away a file that an earlier run wrote, and says whether there was one. What is no file stays, as
// it does when it is written to.
func remove(path string) (bool, error) {
	target, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	var old fs.FileInfo
	if err == nil {
		old, err = os.Stat(target)
	}
	switch {
	case err != nil || !old.Mode().IsRegular():
	case old.Mode().Perm()&0o222 == 0:
		err = errors.New("the file is write-protected")
	default:
		err = os.Remove(target)
		if err == nil {
			return true, nil
		}
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	if err != nil {
		return false, failf(exitIO, "cannot remove %s, which is of an earlier run: %v", path, err)
	}
	return false, nil
}

// sameFile reports two names of one file: by another path, a link, or one that is not there yet.
func sameFile(a, b string) bool {
	if a == "" || b == "" || a == "-" || b == "-" {
		return false
	}
	first, err := os.Stat(a)
	second, other := os.Stat(b)
	if err == nil && other == nil {
		return os.SameFile(first, second)
	}
	return settled(a) == settled(b)
}

// settled is the path of a file that may not be there, without links.
func settled(path string) string {
	if full, err := filepath.Abs(path); err == nil {
		path = full
	}
	const most = 40 // links in a row, as for the kernel (path_resolution(7))
	for range most {
		if whole, err := filepath.EvalSymlinks(path); err == nil {
			return whole
		}
		link, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(link) { // to what is not there
			link = filepath.Join(filepath.Dir(path), link)
		}
		path = link
	}
	if path == filepath.Dir(path) {
		return path
	}
	return filepath.Join(settled(filepath.Dir(path)), filepath.Base(path))
}

func buffered(f io.Writer, write func(io.Writer) error) error {
	w := bufio.NewWriterSize(f, 1<<16)
	return errors.Join(write(w), w.Flush())
}

func writeInto(target string, write func(io.Writer) error) error {
	f, err := os.OpenFile(target, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(buffered(f, write), f.Close())
}

// replace writes beside the target and renames. old is nil for a new file.
func replace(target string, old fs.FileInfo, write func(io.Writer) error) error {
	f, err := prepare(target, old, old, newFileMode, write)
	if err != nil {
		return err
	}
	return f.CloseAtomicallyReplace()
}

// newFileMode is that of a new file, less what the umask takes.
const newFileMode fs.FileMode = 0o644

// prepare writes all of a file beside the target, to be put in its place. It keeps the mode
// of the old one and gets the owner of another, where there are such; a new one gets the mode given.
func prepare(target string, old, owner fs.FileInfo, mode fs.FileMode, write func(io.Writer) error) (
	*renameio.PendingFile, error) {
	if old != nil && old.Mode().Perm()&0o222 == 0 {
		return nil, errors.New("the file is write-protected")
	}
	f, err := renameio.NewPendingFile(target, renameio.WithTempDir(filepath.Dir(target)), renameio.WithPermissions(mode),
		renameio.WithExistingPermissions())
	if err != nil {
		return nil, err
	}
	if err := fill(f, owner, write); err != nil {
		_ = f.Cleanup()
		return nil, err
	}
	return f, nil
}

func fill(f *renameio.PendingFile, owner fs.FileInfo, write func(io.Writer) error) error {
	if err := buffered(f, write); err != nil {
		return err
	}
	if owner == nil {
		return nil
	}
	if s, ok := owner.Sys().(*syscall.Stat_t); ok {
		if err := f.Chown(int(s.Uid), int(s.Gid)); err != nil && os.Geteuid() == 0 {
			return err
		}
	}
	return nil
}

// ioError names the file, not the temporary one beside it.
func ioError(name string, err error) error {
	if err == nil {
		return nil
	}
	var own *exitError
	if errors.As(err, &own) {
		return own // a wrong name, found while writing
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return failf(exitIO, "cannot write %s: %v", name, err)
}

// spreadsheetHelp is of the flag --spreadsheet of all verbs that write CSV.
const spreadsheetHelp = "csv: an apostrophe before text that a spreadsheet would take for a formula (= + - @); else " +
	"names are as they are"

// stderr is standard error for the program's own messages: what a terminal would obey in names of files and words of
// commands, which are others', does not reach it.
var stderr io.Writer = messages{}

type messages struct{}

func (messages) Write(text []byte) (int, error) {
	_, err := io.WriteString(os.Stderr, source.PlainLines(string(text)))
	return len(text), err
}
