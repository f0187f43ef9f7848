package main

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"golang.org/x/term"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// disk is the file system of the machine under the names the user typed, with
// "-" for standard input. It is the only place where Fairway opens files for reading.
type disk struct{ stdin []byte }

// Open implements fs.FS. Unlike fs.FS proper it takes any path the system takes.
func (d *disk) Open(name string) (fs.File, error) {
	if name != "-" {
		return os.Open(name)
	}
	if d.stdin == nil {
		data, err := io.ReadAll(os.Stdin)
		if err != nil {
			return nil, err
		}
		d.stdin = data
	}
	return snapshot.Texts{name: d.stdin}.Open(name)
}

// ReadDir implements fs.ReadDirFS.
func (d *disk) ReadDir(name string) ([]fs.DirEntry, error) { return os.ReadDir(name) }

// readFile reads a whole file as source text. A failure names the file and gives
// the exit code for I/O.
func (d *disk) readFile(name string) (*source.File, error) {
	f, err := d.Open(name)
	if err == nil {
		defer f.Close()
		var text []byte
		if text, err = io.ReadAll(f); err == nil {
			return source.NewFile(name, text), nil
		}
	}
	return nil, &exitError{code: exitIO, err: plainPathError(name, err)}
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
