package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"syscall"

	"golang.org/x/term"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// disk is the file system of the machine under the names the user typed, with
// "-" for standard input. It is the only place where Fairway opens files for reading.
type disk struct{ opened *reads } // what was opened, if somebody asks

// streams holds what can be read only once: standard input, and pipes, as of <(COMMAND). A verb that looks at its files
// twice gets the same text.
var streams = struct {
	sync.Mutex
	read map[string][]byte
}{read: map[string][]byte{}}

// Open implements fs.FS. Unlike fs.FS proper it takes any path the system takes.
func (d *disk) Open(name string) (fs.File, error) { return d.open(name, mostStreamBytes) }

// open opens a file, or reads a stream of no more than most bytes.
func (d *disk) open(name string, most int64) (fs.File, error) {
	if d.opened != nil {
		d.opened.note(name, nil)
	}
	streams.Lock()
	text, ok := streams.read[name]
	streams.Unlock()
	if ok {
		return shorter(name, text, most)
	}
	f := os.Stdin
	if name != "-" {
		// The kind is looked at before the file is opened: opening a pipe waits for somebody to write to it.
		info, err := os.Stat(name)
		if err != nil {
			return nil, err
		}
		if endless(info) || info.Mode()&fs.ModeSocket != 0 {
			return nil, &fs.PathError{Op: "open", Path: name, Err: errNoFile}
		}
		switch {
		case info.Mode().IsRegular():
			f, err := openRegular(name)
			if err != nil {
				return nil, err
			}
			return regular{f}, nil
		case info.IsDir():
			return openFolder(name)
		}
		if f, err = os.Open(name); err != nil { // a pipe, which is waited for, a terminal or the null device
			return nil, err
		}
		defer f.Close()
	}
	if info, err := f.Stat(); err == nil && endless(info) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errNoFile}
	}
	text, err := upTo(f, most)
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: name, Err: err}
	}
	streams.Lock()
	streams.read[name] = text
	streams.Unlock()
	return shorter(name, text, most)
}

// stdinRead reports whether standard input was read to its end, under its own name or another, such as /dev/stdin.
func stdinRead() bool {
	stdin, err := os.Stdin.Stat()
	streams.Lock()
	defer streams.Unlock()
	for name := range streams.read {
		if info, failed := os.Stat(name); name == "-" || err == nil && failed == nil && os.SameFile(info, stdin) {
			return true
		}
	}
	return false
}

// shorter is a stream that was read before, perhaps up to another bound.
func shorter(name string, text []byte, most int64) (fs.File, error) {
	if int64(len(text)) > most {
		return nil, &fs.PathError{Op: "read", Path: name, Err: tooLong(most)}
	}
	return snapshot.Texts{name: text}.Open(name)
}

// Stat implements fs.StatFS: what a file is can be known without waiting for it.
func (d *disk) Stat(name string) (fs.FileInfo, error) {
	if name != "-" {
		return os.Stat(name)
	}
	f, err := d.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Stat()
}

// openRegular opens a regular file. What it is is looked at before, since opening a device may do something, and
// afterwards, since another one may have taken its place: a pipe is not waited for.
func openRegular(name string) (*os.File, error) { return openKind(name, 0, fs.FileMode.IsRegular) }

func openFolder(name string) (*os.File, error) {
	return openKind(name, syscall.O_DIRECTORY, fs.FileMode.IsDir)
}

func openKind(name string, flags int, is func(fs.FileMode) bool) (*os.File, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	var f *os.File
	if is(info.Mode()) {
		if f, err = os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK|flags, 0); err != nil {
			return nil, err
		}
		if info, err = f.Stat(); err == nil && is(info.Mode()) {
			return f, nil
		}
		_ = f.Close()
	}
	if err == nil {
		err = errNotRegular
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: err}
}

// readRegular reads a regular file of no more than most bytes.
func readRegular(name string, most int64) ([]byte, error) {
	f, err := openRegular(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := upTo(f, most)
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: name, Err: err}
	}
	return text, nil
}

// isRegular reports a regular file, or a link to one.
func isRegular(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// lockable refuses the name of a lock that is no file: opening a pipe waits.
func lockable(name string) error {
	if info, err := os.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return ioError(name, errNotRegular)
	}
	return nil
}

// Bounds of what is read: a policy file of this size has ten million lines; what a command prints of a million
// jobs is better kept in a file.
const (
	mostSourceBytes = 256 << 20
	mostStreamBytes = 1 << 30
)

var (
	errNoFile     = errors.New("it is neither a file nor a pipe")
	errNotRegular = errors.New("it is no regular file")
	errTooLong    = errors.New("it is too long")
)

func tooLong(most int64) error { return fmt.Errorf("%w: more than %d MB", errTooLong, most>>20) }

// upTo reads all of a text that is no longer than most bytes.
func upTo(in io.Reader, most int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(in, most+1))
	if err == nil && int64(len(text)) > most {
		return nil, tooLong(most)
	}
	return text, err
}

// endless reports a device that is neither a terminal nor the null device: /dev/zero never ends.
func endless(info fs.FileInfo) bool {
	if info.Mode()&fs.ModeDevice == 0 {
		return false
	}
	if null, err := os.Stat(os.DevNull); err == nil && os.SameFile(info, null) {
		return false
	}
	in, err := os.Stdin.Stat()
	return err != nil || !os.SameFile(info, in) || !term.IsTerminal(int(os.Stdin.Fd()))
}

// ReadDir implements fs.ReadDirFS.
func (d *disk) ReadDir(name string) ([]fs.DirEntry, error) { return os.ReadDir(name) }

// readFile reads a whole file as source text. A failure names the file and gives
// the exit code for I/O.
func (d *disk) readFile(name string) (*source.File, error) {
	f, err := d.open(name, mostSourceBytes)
	if err == nil {
		defer f.Close()
		var text []byte
		if text, err = upTo(f, mostSourceBytes); err == nil {
			return source.NewFile(name, text), nil
		}
	}
	return nil, &exitError{code: exitIO, err: plainPathError(name, err)}
}

// readRegular reads a file that is kept from run to run, and so is no pipe: a state, a baseline.
func (d *disk) readRegular(name string) (*source.File, error) {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() && name != "-" {
		return nil, &exitError{code: exitIO, err: plainPathError(name, errNotRegular)}
	}
	return d.readFile(name)
}

// plainPathError says "cannot read FILE: reason" instead of the system call.
func plainPathError(name string, err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return &namedError{name, err}
}

type namedError struct {
	name string
	err  error
}

func (e *namedError) Error() string { return "cannot read " + e.name + ": " + e.err.Error() }
func (e *namedError) Unwrap() error { return e.err }

// colourful reports whether w is a terminal that wants colours.
func colourful(w *os.File) bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(w.Fd()))
}
